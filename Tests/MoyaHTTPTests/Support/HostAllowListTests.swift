import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The lists of hosts that receive credentials, which have one meaning everywhere.
@Suite(.queued, .timeLimit(.minutes(10))) struct HostAllowListTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let url: String
        let hosts: Set<String>?
        let isAllowed: Bool
        var testDescription: String { "\(url) with \(hosts.map { "\($0.sorted())" } ?? "no list"): \(isAllowed)" }

        init(_ url: String, _ hosts: Set<String>?, _ isAllowed: Bool) {
            self.url = url
            self.hosts = hosts
            self.isAllowed = isAllowed
        }
    }

    static let rows = [
        Row("https://api.example/", ["api.example"], true), Row("http://api.example/", ["api.example"], false),
        Row("http://api.example/", ["http://api.example"], true),
        Row("https://api.example/", ["http://api.example"], true),
        Row("http://api.example:8080/", ["HTTP://Api.Example/"], true),
        Row("http://API.example/", ["b.example", "http://api.example"], true),
        Row("http://b.example/", ["b.example", "http://api.example"], false),
        Row("http://other.example/", ["http://api.example"], false),
        Row("https://api.example/", ["https://api.example"], true),
        Row("http://api.example/", ["https://api.example"], false),
        Row("https://münchen.example/", ["MÜNCHEN.example"], true),
        Row("https://xn--mnchen-3ya.example/", ["https://münchen.example/"], true),
        Row("https://[fe80::1%25en0]/", nil, true), Row("https://[fe80::1%25en0]/", ["fe80::1%en0"], true),
        Row("https://api.example./", ["api.example"], true), Row("https://api.example/", ["api.example:443"], false),
        Row("http://[fd00::1]/", ["http://[fd00::1]"], true), Row("http://[fd00::1]/", ["fd00::1"], false),
        Row("http://localhost:8080/", ["localhost"], true), Row("http://app.localhost/", ["app.localhost"], true),
        Row("http://127.0.0.1/", ["127.0.0.1"], true), Row("http://[::1]/", ["::1"], true),
        Row("http://localhost/", ["api.example"], false), Row("https://localhost/", ["api.example"], false),
        Row("https://api.example/", nil, true), Row("http://api.example/", nil, false),
        Row("http://localhost/", nil, true), Row("http://LOCALHOST:80/", nil, true),
        Row("http://app.localhost/", nil, true), Row("http://127.0.0.1/", nil, true),
        Row("http://127.20.30.40/", nil, true), Row("http://[::1]/", nil, true),
        Row("http://localhost.example/", nil, false), Row("http://mylocalhost/", nil, false),
        Row("http://127.0.0.1.example/", nil, false), Row("http://127.evil.example/", nil, false),
        Row("http://127.0.0/", nil, false), Row("http://128.0.0.1/", nil, false), Row("http://[::2]/", nil, false),
    ]

    /// A server that sends a challenge to each request without `Authorization`, and the requests that it receives.
    private struct Server {
        let requests = Box<[TransportRequest]>([])
        var transport: ScriptedTransport {
            ScriptedTransport { [requests] request in
                requests.change { $0.append(request) }
                return request.headers["Authorization"] == nil
                    ? .response(401, headers: ["WWW-Authenticate": "Basic realm=\"r\""], "") : .text("")
            }
        }

        func hasReceived(_ name: String) -> Bool { requests.value.contains { $0.headers[name] != nil } }
    }

    private func page(_ row: Row) throws -> Page { Page(path: "/", baseURL: try #require(URL(string: row.url))) }

    @Test(
        "a token is sent over https to the named hosts, and over http to those with `http://` or this machine",
        arguments: rows)
    func tokens(_ row: Row) async throws {
        let server = Server()
        let plugin = AccessTokenPlugin(every: .bearer, hosts: row.hosts) { _ in "token" }
        _ = try await MoyaProvider<Page>(transport: server.transport, plugins: [plugin]).response(page(row))
        expectEqual(server.hasReceived("Authorization"), row.isAllowed)
    }

    @Test("a challenge over http gets a password from the hosts with `http://` and this machine only", arguments: rows)
    func passwords(_ row: Row) async throws {
        let server = Server()
        let plugin = CredentialsPlugin(hosts: row.hosts) { _ in
            URLCredential(user: "ash", password: "pikachu", persistence: .none)
        }
        _ = try await MoyaProvider<Page>(transport: server.transport, plugins: [plugin]).response(page(row))
        expectEqual(server.hasReceived("Authorization"), row.isAllowed)
    }

    @Test("a credential that is refreshed goes to the same hosts as a token", arguments: rows)
    func refreshedCredentials(_ row: Row) async throws {
        let server = Server()
        let refreshes = Box(0)
        let interceptor = AuthenticationInterceptor.bearer(token: "token", hosts: row.hosts) {
            refreshes.change { $0 += 1 }
            return "new"
        }
        _ = try await MoyaProvider<Page>(transport: server.transport, interceptors: [interceptor]).response(page(row))
        expectEqual(server.hasReceived("Authorization"), row.isAllowed)
        expectEqual(refreshes.value, 0)
    }

    @Test("a trace context goes to the same hosts as a token", arguments: rows.filter { $0.hosts != nil })
    func traces(_ row: Row) async throws {
        let server = Server()
        let transport = server.transport.propagatingTraces(to: row.hosts ?? [])
        _ = try await TraceContext.$current.withValue(.root(isSampled: true)) {
            try await MoyaProvider<Page>(transport: transport).response(page(row))
        }
        expectEqual(server.hasReceived("traceparent"), row.isAllowed)
    }
}
