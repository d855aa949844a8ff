import Foundation
import MoyaStreams
import TestSupport
import Testing

/// Content in several formats.
@Suite(.enabled(if: address("MOYA_HTTPBIN") != nil), .queued, .timeLimit(.minutes(10)))
struct ContentTests {
    @Test("compressed content is decoded unchanged", arguments: TransportKind.allCases)
    func compression(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTPBIN")
        for (path, member) in [("/gzip", "gzipped"), ("/deflate", "deflated"), ("/brotli", "brotli")] {
            #expect(try await provider.response(Page(path: path)).mapJSON()[member] == true)
        }
    }

    @Test("text, JSON and bytes are mapped", arguments: TransportKind.allCases)
    func mapping(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTPBIN")
        let text = try await provider.response(Page(path: "/encoding/utf8")).mapString()
        #expect(text.contains("∮ E⋅da = Q"))
        let title = try await provider.response(Page(path: "/json")).mapString(atKeyPath: "slideshow.title")
        expectEqual(title, "Sample Slide Show")
        let page = try await provider.response(Page(path: "/html"))
        #expect(try page.mapString().contains("Herman Melville"))
        await expectEqual(errorKind { () throws(MoyaError) in _ = try page.mapJSON() }, .decoding)
        try await expectEqual(provider.response(Page(path: "/bytes/4096")).data.count, 4096)
    }

    @Test("images are decoded", arguments: TransportKind.allCases)
    func images(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTPBIN")
        let signatures: [(String, [UInt8])] = [
            ("png", [0x89, 0x50, 0x4E, 0x47]), ("jpeg", [0xFF, 0xD8]), ("webp", Array("RIFF".utf8)),
        ]
        for (type, signature) in signatures {
            let response = try await provider.response(Page(path: "/image/\(type)"))
            expectEqual(response.headers["Content-Type"], "image/\(type)")
            #expect(response.data.starts(with: signature))
            #if canImport(UIKit) || canImport(AppKit)
                _ = try response.mapImage()
            #endif
        }
        let accepted = try await provider.response(Page(path: "/image", headers: ["Accept": "image/svg+xml"]))
        #expect(try accepted.mapString().contains("<svg"))
    }

    @Test("content that has not changed is not transferred again", arguments: TransportKind.allCases)
    func validators(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTPBIN")
        try await expectEqual(provider.response(Page(path: "/cache")).statusCode, 200)
        let date = ["If-Modified-Since": "Sat, 21 Nov 2026 10:00:00 GMT"]
        let unchanged = try await provider.response(Page(path: "/cache", headers: date))
        expectEqual(unchanged.statusCode, 304)
        #expect(unchanged.data.isEmpty)
        let tagged = Page(path: "/etag/v1", headers: ["If-None-Match": "\"v1\""])
        try await expectEqual(provider.response(tagged).statusCode, 304)
        let other = Page(path: "/etag/v1", headers: ["If-Match": "\"v2\""])
        try await expectEqual(provider.response(other).statusCode, 412)
    }

    @Test("several fields with one name are one list", arguments: TransportKind.allCases)
    func fields(_ kind: TransportKind) async throws {
        let page = Page(path: "/response-headers?X-Many=1&X-Many=2")
        let response = try await kind.provider("MOYA_HTTPBIN").response(page)
        expectEqual(response.headers["x-many"], "1, 2")
    }

    @Test("a header field in Latin-1 is accepted", arguments: TransportKind.with(.fieldsInLatin1))
    func latin1(_ kind: TransportKind) async throws {
        let response = try await kind.provider("MOYA_HTTPBIN").response(Page(path: "/response-headers?X-One=%C3%A9"))
        expectEqual(response.statusCode, 200)
        #expect(response.headers["X-One"] != nil)
    }

    @Test("several fields with one name are not joined", arguments: TransportKind.with(.separateFields))
    func separateFields(_ kind: TransportKind) async throws {
        let response = try await kind.provider("MOYA_HTTPBIN")
            .response(Page(path: "/response-headers?X-Many=1&X-Many=2"))
        expectEqual(response.headers.values(for: "X-Many"), ["1", "2"])
    }
}
