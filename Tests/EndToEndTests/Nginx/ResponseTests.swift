import Foundation
import MoyaStreams
import TestSupport
import Testing

/// Special responses over HTTP/1.1 and HTTP/2.
@Suite(.enabled(if: address("MOYA_HTTP") != nil), .queued, .timeLimit(.minutes(10)))
struct ResponseTests {
    @Test(
        "trailers are reported", arguments: TransportKind.with(.trailers, .ownAuthorities),
        ["MOYA_HTTP", "MOYA_TLS_GOOD"])
    func trailers(_ kind: TransportKind, _ server: String) async throws {
        let response = try await kind.provider(server).response(Page(path: "/sealed/zen.txt"))
        expectEqual(response.data.count, 43)
        expectEqual(response.trailers["X-Checksum"], "abc")
        #expect(response.trailers["X-Sent"] != nil)
        #expect(response.headers["X-Checksum"] == nil)
    }

    private func slowness(_ kind: TransportKind, _ server: String) async throws {
        let page = Page(path: "/slow/short.bin")
        let impatient = try kind.provider(server, timeouts: Timeouts(total: .milliseconds(300)))
        await expectEqual(
            errorKind { () throws(MoyaError) in _ = try await impatient.response(Page(path: "/slow/long.bin")) },
            .timeout)
        let patient = try kind.provider(server, timeouts: Timeouts(idle: .seconds(20)))
        let response = try await patient.response(page)
        expectEqual(response.data.count, 60_000)
        let streamed = try await patient.streamedResponse(page)
        var pieces = 0
        for try await _ in streamed { pieces += 1 }
        #expect(pieces > 1)
    }

    @Test("a slow server can respond within the deadline", arguments: TransportKind.allCases)
    func slow(_ kind: TransportKind) async throws {
        try await slowness(kind, "MOYA_HTTP")
    }

    @Test("a slow server with HTTP/2 can respond within the deadline", arguments: TransportKind.with(.ownAuthorities))
    func slowByHTTP2(_ kind: TransportKind) async throws {
        try await slowness(kind, "MOYA_TLS_GOOD")
    }

    @Test("a range of compressible content is a range of the uncompressed content", arguments: TransportKind.allCases)
    func compressedRange(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTP")
        let page = Page(path: "/zen.txt", headers: ["Range": "bytes=5-12"])
        let response = try await provider.response(page)
        #expect([200, 206].contains(response.statusCode))
        let expected = response.statusCode == 206 ? "measures" : "Half measures are as bad as nothing at all."
        try expectEqual(response.mapString(), expected)
    }

    @Test("a response to HEAD has the length and no content, compressed or not", arguments: TransportKind.allCases)
    func head(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTP")
        for path in ["/zen.txt", "/big.txt", "/huge.bin"] {
            let response = try await provider.response(Page(path: path, method: .head))
            expectEqual(response.statusCode, 200)
            #expect(response.data.isEmpty)
        }
        let plain = Page(path: "/big.txt", method: .head, headers: ["Accept-Encoding": "identity"])
        try await expectEqual(provider.response(plain).headers["Content-Length"], "5000000")
    }

    @Test("content that has not changed is not transferred again", arguments: TransportKind.allCases)
    func notModified(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTP")
        let identity = ["Accept-Encoding": "identity"]
        let first = try await provider.response(Page(path: "/zen.txt", headers: identity))
        let modified = try #require(first.headers["Last-Modified"])
        let tag = try #require(first.headers["ETag"])
        for condition in ["If-Modified-Since": modified, "If-None-Match": tag] {
            let headers = identity.merging([condition.key: condition.value]) { $1 }
            let second = try await provider.response(Page(path: "/zen.txt", headers: headers))
            expectEqual(second.statusCode, 304)
            #expect(second.data.isEmpty)
        }
    }

    @Test("responses with HTTP/2 are also compressed", arguments: TransportKind.with(.ownAuthorities))
    func compressionByHTTP2(_ kind: TransportKind) async throws {
        let response = try await kind.provider("MOYA_TLS_GOOD").response(Page(path: "/big.txt"))
        expectEqual(response.headers["X-Protocol"], "HTTP/2.0")
        expectEqual(response.headers["Content-Encoding"], "gzip")
        expectEqual(response.data.count, 5_000_000)
    }
}
