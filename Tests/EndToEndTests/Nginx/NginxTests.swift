import Foundation
import MoyaStreams
import TestSupport
import Testing

/// Requests to nginx, a third-party server.
///
/// The tests run if `.ci/run endtoend` has started the server, and are omitted otherwise.
@Suite(.enabled(if: address("MOYA_HTTP") != nil), .queued, .timeLimit(.minutes(10)))
struct NginxTests {
    @Test("compressed content is decoded unchanged", arguments: TransportKind.allCases)
    func compression(_ kind: TransportKind) async throws {
        let response = try await kind.provider("MOYA_HTTP").response(Page(path: "/big.txt"))
        expectEqual(response.statusCode, 200)
        expectEqual(response.headers["Content-Encoding"], "gzip")
        // The values are not passed to `#expect`, which would compute the difference of two large values.
        expectEqual(response.data.count, 5_000_000)
        let isUnharmed = response.data.allSatisfy { $0 == UInt8(ascii: "x") }
        #expect(isUnharmed)
    }

    @Test("a range is delivered as requested", arguments: TransportKind.allCases)
    func ranges(_ kind: TransportKind) async throws {
        let page = Page(path: "/zen.txt", headers: ["Range": "bytes=5-12", "Accept-Encoding": "identity"])
        let response = try await kind.provider("MOYA_HTTP").response(page)
        expectEqual(response.statusCode, 206)
        try expectEqual(response.mapString(), "measures")
    }

    @Test("status codes, redirects and responses to HEAD are those of the server", arguments: TransportKind.allCases)
    func statuses(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTP")
        try await expectEqual(provider.response(Page(path: "/teapot")).statusCode, 418)
        try await expectEqual(provider.response(Page(path: "/nowhere")).statusCode, 404)
        let moved = try await provider.response(Page(path: "/moved", options: RequestOptions(redirects: .never)))
        expectEqual(moved.statusCode, 302)
        #expect(moved.headers["Location"]?.hasSuffix("/zen.txt") == true)
        let followed = try await provider.response(Page(path: "/moved"))
        try expectEqual(followed.mapString(), "Half measures are as bad as nothing at all.")
        let head = try await provider.response(Page(path: "/zen.txt", method: .head))
        expectEqual(head.statusCode, 200)
        #expect(head.data.isEmpty)
    }

    @Test("an untrusted certificate is refused", arguments: TransportKind.allCases)
    func unknownAuthority(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTPS")
        let error = await #expect(throws: MoyaError.self) { try await provider.response(Page(path: "/zen.txt")) }
        expectEqual(error?.kind, .tls)
    }

    @Test("five hundred concurrent requests succeed", arguments: TransportKind.allCases)
    func many(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTP")
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<500 { group.addTask { try await provider.response(Page(path: "/zen.txt")).data.count } }
            return try await group.reduce(0, +)
        }
        expectEqual(count, 500 * 43)
    }

    @Test("RFC 6761, 6.4: a host name in `.invalid` is not found", arguments: TransportKind.allCases)
    func unknownName(_ kind: TransportKind) async throws {
        struct UnknownHost: TargetType {
            var baseURL: URL { URL(string: "http://unknown.invalid") ?? URL(filePath: "/") }
            let path = "/"
        }
        let error = await #expect(throws: MoyaError.self) {
            try await kind.provider("MOYA_HTTP").response(UnknownHost())
        }
        expectEqual(error?.kind, .unreachable)
    }
}
