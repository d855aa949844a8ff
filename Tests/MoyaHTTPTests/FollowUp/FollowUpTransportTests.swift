import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

/// What `FollowUpTransport` adds to requests without a provider.
@Suite(.queued, .timeLimit(.minutes(10))) struct FollowUpTransportTests {
    private let requests = Box<[TransportRequest]>([])

    private func transport(_ jar: CookieJar, redirects target: String? = nil) -> FollowUpTransport {
        let origin = ScriptedTransport { [requests] request in
            requests.change { $0.append(request) }
            return target.map {
                request.url.absoluteString == $0 ? .text("") : .response(302, headers: ["Location": $0], "")
            }
                ?? .text("")
        }
        return FollowUpTransport(above: origin, cookies: jar)
    }

    static let invalid = ["1\r\nX-Admin: 1", "1\0", "1\n", "1 "]

    @Test("a cookie of the app that would inject a field fails the exchange, and nothing is sent", arguments: invalid)
    func injection(_ value: String) throws {
        let jar = CookieJar()
        jar.store(Cookie(name: "a", value: value, domain: "a.test"))
        let batches = try transport(jar).batches(.get, "https://a.test/")
        #expect(requests.value.isEmpty)
        expectEqual(batches.count, 1)
        let error = try #require(batches.outcome?.error)
        expectEqual(MoyaError.underlying(error, nil).kind, .request)
        #expect(error.localizedDescription.contains("Cookie"))
        #expect(!error.localizedDescription.contains("Admin"))
        #expect(try !transport(jar).batches(.get, "https://b.test/").isEmpty)
        expectEqual(requests.value.count, 1)
    }

    @Test("the same cookie fails an exchange that is redirected to its host, with the same text", arguments: invalid)
    func injectionAfterRedirect(_ value: String) throws {
        let jar = CookieJar()
        jar.store(Cookie(name: "a", value: value, domain: "b.test"))
        let batches = try transport(jar, redirects: "https://b.test/").batches(.get, "https://a.test/")
        expectEqual(requests.value.map { $0.url.host() }, ["a.test"])
        let error = try #require(batches.outcome?.error)
        expectEqual(MoyaError.underlying(error, nil).kind, .request)
        #expect(error.localizedDescription.contains("Cookie"))
    }

    @Test("RFC 7616, 3.4: the count of a nonce increases with each use, also for a transport that is put below")
    func nonceCount() throws {
        let origin = ScriptedTransport { [requests] request in
            requests.change { $0.append(request) }
            return request.headers["Authorization"] == nil
                ? .response(401, headers: ["WWW-Authenticate": #"Digest nonce="n", qop="auth""#], "") : .text("")
        }
        let credential = URLCredential(user: "a", password: "b", persistence: .none)
        let transport = FollowUpTransport(above: origin, credential: credential)
        _ = try transport.batches(.get, "https://a.test/")
        _ = try transport.decorating(origin).batches(.get, "https://a.test/")
        let counts = requests.value.compactMap { $0.headers["Authorization"]?.firstMatch(of: /nc=([0-9a-f]{8})/)?.1 }
        expectEqual(counts, ["00000001", "00000002"])
    }

    @Test("two fields Cookie of a request are sent as one", arguments: TransportKind.allCases)
    func severalFields(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in .text("") }
        defer { server.stop() }
        let headers = HTTPHeaders(fields: [
            .init(name: "Cookie", value: "a=1"), .init(name: "X-A", value: "x"), .init(name: "cookie", value: "b=2"),
        ])
        let request = try TransportRequest(method: .get, url: server.url, headers: headers)
        _ = try await kind.make().exchange(request)
        expectEqual(server.requests.last?.headers.values(for: "Cookie"), ["a=1; b=2"])
        let provider = MoyaProvider<Local>(transport: try kind.make(), cookies: CookieJar(), defaultHeaders: headers)
        _ = try await provider.response(Local(server))
        expectEqual(server.requests.last?.headers.values(for: "Cookie"), ["a=1; b=2"])
    }
}
