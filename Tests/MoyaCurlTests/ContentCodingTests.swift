import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@testable import MoyaCaching

/// Compressed content, and content with an unknown coding.
@Suite(.queued, .timeLimit(.minutes(10))) struct ContentCodingTests {
    private static let text = String(repeating: "first member;", count: 20)
    private static let gzip = data("H4sIAAAAAAACA0vLLCouUchNzU1KLbJOG5kcAEwbR3AEAQAA")
    private static let secondMember = data("H4sIAAAAAAACAytOTc7PSwEAaREftgYAAAA=")

    private static func data(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }

    private func get(
        _ kind: TransportKind, coding: String, _ content: Data, framing: HTTPHeaders, isCut: Bool = false
    ) async throws -> Exchanged {
        let server = try LoopbackServer { _ in
            var headers = framing
            headers["Content-Encoding"] = coding
            return LoopbackReply([.send(LoopbackReply.head(200, headers) + content), .close])
        }
        defer { server.stop() }
        let request = try TransportRequest(method: .get, url: server.url, delivery: .chunks(window: nil))
        return try await kind.make().exchange(request)
    }

    private func length(_ count: Int) -> HTTPHeaders { ["Content-Length": "\(count)"] }

    @Test("gzip is decoded", arguments: TransportKind.allCases)
    func decodes(_ kind: TransportKind) async throws {
        let result = try await get(kind, coding: "gzip", Self.gzip, framing: length(Self.gzip.count))
        #expect(result.error == nil)
        expectEqual(result.text, Self.text)
    }

    @Test(
        "content with an unknown coding is delivered unchanged",
        arguments: ["aws-chunked", "utf-8", "gzip, utf-8", "identity, x-own", "UTF-8"])
    func unknownCodings(_ coding: String) async throws {
        guard let curl = TransportKind.allCases.first(where: { $0.rawValue == "curl" }) else { return }
        for framing in [length(7), [:]] {
            let result = try await get(curl, coding: coding, Data("as it is".utf8).prefix(7), framing: framing)
            #expect(result.error == nil)
            expectEqual(result.text, "as it i")
            expectEqual(result.head?.headers["Content-Encoding"], coding)
        }
    }

    @Test("after a failure, the next response on the same transport is decoded")
    func decodesAfterAnUnknownCoding() async throws {
        guard let curl = TransportKind.allCases.first(where: { $0.rawValue == "curl" }) else { return }
        let transport = try curl.make()
        let server = try LoopbackServer { request in
            request.path == "/own"
                ? .status(200, headers: ["Content-Encoding": "own"], body: Data("as it is".utf8))
                : .status(200, headers: ["Content-Encoding": "gzip"], body: Self.gzip)
        }
        defer { server.stop() }
        for path in ["own", "gzip", "own", "gzip"] {
            let request = try TransportRequest(method: .get, url: server.url.appending(path: path))
            let result = try await transport.exchange(request)
            expectEqual(result.text, path == "own" ? "as it is" : Self.text)
        }
    }

    @Test("truncated compressed content is a failure if its framing shows it", arguments: TransportKind.allCases)
    func cutOff(_ kind: TransportKind) async throws {
        let cut = Self.gzip.dropLast(12)
        let withLength = try await get(kind, coding: "gzip", cut, framing: length(Self.gzip.count))
        expectEqual(withLength.error?.code, .networkConnectionLost)
        var chunk = Data("\(String(cut.count, radix: 16))\r\n".utf8)
        chunk += cut + Data("\r\n".utf8)
        let chunked = try await get(kind, coding: "gzip", chunk, framing: ["Transfer-Encoding": "chunked"])
        expectEqual(chunked.error?.code, .networkConnectionLost)
    }

    @Test(
        "compressed content that is cut short within valid framing is a failure with curl",
        arguments: TransportKind.allCases, [1, 4, 8, 12, 30])
    func cutOffWithinFraming(_ kind: TransportKind, _ missing: Int) async throws {
        let cut = Self.gzip.dropLast(missing)
        for framing in [[:], length(cut.count)] {
            let result = try await get(kind, coding: "gzip", cut, framing: framing)
            #expect(Self.text.hasPrefix(result.text))
            expectEqual(result.error?.code, kind == .urlSession ? nil : .networkConnectionLost)
        }
    }

    @Test(
        "content in each coding that curl offers is decoded, and is a failure if it is cut short",
        arguments: [
            ("deflate", data("eJwrSS0uKQYABpECNA==")), ("br", Data([0x0b, 0x02, 0x80]) + Data("hello".utf8) + [0x03]),
            ("zstd", Data([0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x05, 0x29, 0, 0]) + Data("hello".utf8)),
        ], [0, 1])
    func offeredCodings(_ coded: (coding: String, content: Data), missing: Int) async throws {
        guard let curl = TransportKind.allCases.first(where: { $0.rawValue == "curl" }) else { return }
        let server = try LoopbackServer { request in
            let isOffered = request.headers["Accept-Encoding"]?.contains(coded.coding) == true
            return isOffered
                ? .status(200, headers: ["Content-Encoding": coded.coding], body: coded.content.dropLast(missing))
                : .status(406)
        }
        defer { server.stop() }
        let result = try await curl.make().exchange(TransportRequest(method: .get, url: server.url))
        guard result.head?.statusCode == 200 else { return }
        expectEqual(result.error?.code, missing == 0 ? nil : .networkConnectionLost)
        if missing == 0 { expectEqual(result.text, (coded.coding == "deflate" ? "tests" : "hello")) }
    }

    @Test("compressed content that is cut short is not stored in a cache")
    func doesNotStoreCutContent() async throws {
        guard let curl = TransportKind.allCases.first(where: { $0.rawValue == "curl" }) else { return }
        let isCut = Box(true)
        let server = try LoopbackServer { _ in
            .status(
                200, headers: ["Content-Encoding": "gzip", "Cache-Control": "max-age=60"],
                body: isCut.value ? Self.gzip.dropLast(8) : Self.gzip)
        }
        defer { server.stop() }
        let cache = HTTPCache()
        let transport = try curl.make().caching(in: cache)
        let request = try TransportRequest(method: .get, url: server.url)
        #expect(try await transport.exchange(request).error != nil)
        expectEqual(cache.statistics.writes, 0)
        isCut.value = false
        for _ in 0..<2 { try await expectEqual(transport.exchange(request).text, Self.text) }
        expectEqual(server.requests.count, 2)
    }

    @Test("content that cannot be decoded is a failure with a specific text", arguments: TransportKind.allCases)
    func undecodable(_ kind: TransportKind) async throws {
        let members = Self.gzip + Self.secondMember
        for content in [members, Data("no gzip at all".utf8)] {
            let result = try await get(kind, coding: "gzip", content, framing: length(content.count))
            let error = try #require(result.error)
            expectEqual(error.code, .cannotDecodeContentData)
            expectEqual(MoyaError.underlying(error, nil).kind, .badResponse)
            if kind.rawValue == "curl" { #expect(error.localizedDescription.contains("Content-Encoding")) }
        }
    }
}
