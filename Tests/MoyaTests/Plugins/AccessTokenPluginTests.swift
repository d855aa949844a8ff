import Foundation
import TestSupport
import Testing

@testable import Moya

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct AccessTokenPluginTests {
    private struct Plain: TargetType {
        var baseURL: URL { URL(filePath: "/") }
        var path: String { "/" }
    }

    private struct Secured: TargetType, AccessTokenAuthorizable {
        var authorizationType: AuthorizationType?
        var baseURL: URL { URL(filePath: "/") }
        var path: String { "/" }
    }

    private func header(
        _ target: any RelativeTarget, _ plugin: AccessTokenPlugin = AccessTokenPlugin { _ in "token" },
        url: String = "https://api.example/", before: String? = nil
    ) throws -> String? {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.setValue(before, forHTTPHeaderField: "Authorization")
        return plugin.prepare(request, target: target).value(forHTTPHeaderField: "Authorization")
    }

    @Test("with a default type, targets without a type have a token, and others have one as they declare")
    func everyRequest() throws {
        let plugin = AccessTokenPlugin(every: .bearer) { _ in "token" }
        try expectEqual(header(Plain(), plugin), "Bearer token")
        try expectEqual(header(Secured(authorizationType: .custom("Token")), plugin), "Token token")
        #expect(try header(Secured(authorizationType: nil), plugin) == nil)
        #expect(try header(Plain(), plugin, url: "http://api.example/") == nil)
    }

    @Test(
        "an invalid field fails the request, also if Foundation's request would drop it",
        arguments: ["interceptors", "plugins", "plugins, the token last"])
    func invalidField(_ makers: String) async throws {
        struct Observing: PluginType {}
        struct Page: TargetType {
            let baseURL = URL(string: "https://a.example") ?? URL(filePath: "/")
            let path = "/"
            var headers: [String: String]?
            var task = RequestTask.requestPlain
        }
        let transport = StubTransport { _ in .networkResponse(200, Data()) }
        let list = RequestTask.requestParameters(parameters: ["a": 1], encoding: PropertyListEncoding.default)
        let token = AccessTokenPlugin(every: .bearer) { _ in "token\n" }
        let authentication = AuthenticationInterceptor.bearer(token: "token\n") { "new" }
        let provider =
            switch makers {
            case "interceptors":
                MoyaProvider<Page>(transport: transport, interceptors: [authentication, Unchanged()])
            case "plugins": MoyaProvider<Page>(transport: transport, plugins: [token, Observing()])
            default: MoyaProvider<Page>(transport: transport, plugins: [Observing(), token])
            }
        for page in [Page(), Page(headers: ["X": "a\nb"], task: list)] {
            let error = await #expect(throws: MoyaError.self) { try await provider.response(page) }
            #expect(error?.description.contains("control character") == true)
        }
    }

    #if DEBUG
        @Test("a debug build reports once for each type of target that no token is sent")
        func saysThatNoTokenIsSent() throws {
            struct Forgotten: TargetType {
                var baseURL: URL { URL(filePath: "/") }
                var path: String { "/" }
            }
            let hints = Log()
            DebugHint.observers.append { if $0.contains("Forgotten") { hints.add($0) } }
            for _ in 0..<2 { #expect(try header(Forgotten()) == nil) }
            try expectEqual(header(Forgotten(), AccessTokenPlugin(every: .bearer) { _ in "x" }), "Bearer x")
            expectEqual(hints.entries.count, 1)
            #expect(hints.entries.first?.contains("AccessTokenPlugin(every: .bearer)") == true)
        }

        @Test("a debug build reports once for each host that no token is sent over http")
        func saysThatHTTPIsTheReason() throws {
            let hints = Log()
            DebugHint.observers.append { if $0.contains(".lan.example") { hints.add($0) } }
            func header(_ url: String, hosts: Set<String>?) throws -> String? {
                try self.header(Plain(), AccessTokenPlugin(every: .bearer, hosts: hosts) { _ in "x" }, url: url)
            }
            for _ in 0..<2 { #expect(try header("http://a.lan.example:8080/", hosts: nil) == nil) }
            expectEqual(
                hints.entries,
                [
                    #"AccessTokenPlugin sends no credential over http. To allow it, add "http://a.lan.example" to hosts, "#
                        + "with all other hosts of the credential."
                ])
            try expectEqual(header("http://a.lan.example:8080/", hosts: ["http://a.lan.example"]), "Bearer x")
            #expect(try header("http://b.lan.example/", hosts: ["c.lan.example"]) == nil)
            #expect(try header("https://b.lan.example/", hosts: ["c.lan.example"]) == nil)
            expectEqual(hints.entries.count, 1)
            let interceptor = AuthenticationInterceptor.bearer(token: "x", hosts: ["b.lan.example"]) { "y" }
            let request = try TransportRequest(method: .get, url: #require(URL(string: "http://b.lan.example/")))
            let adapted = Box<TransportRequest?>(nil)
            _ = interceptor.adapt(request, for: Plain()) { adapted.value = try? $0.get() }
            expectEqual(adapted.value?.headers["Authorization"], nil)
            #expect(hints.entries.last?.hasPrefix("AuthenticationInterceptor sends") == true)
        }
    #endif

    @Test func onlyTargetsThatAskForItGetAToken() throws {
        #expect(try header(Plain()) == nil)
        #expect(try header(Secured(authorizationType: nil)) == nil)
        try expectEqual(header(Secured(authorizationType: .bearer)), "Bearer token")
        try expectEqual(header(Secured(authorizationType: .basic)), "Basic token")
        try expectEqual(header(Secured(authorizationType: .custom("MAC"))), "MAC token")
    }

    @Test("the field is replaced, not added to an existing one")
    func replaces() throws {
        try expectEqual(header(Secured(authorizationType: .bearer), before: "Basic A"), "Bearer token")
    }

    @Test("without a token, or with an empty one, the request stays as it is", arguments: [nil, ""])
    func withoutToken(_ token: String?) throws {
        let none = AccessTokenPlugin { _ in token }
        try expectEqual(header(Secured(authorizationType: .bearer), none, before: "A"), "A")
    }

    @Test("RFC 7617: a name and a password are encoded")
    func basicCredentials() throws {
        let plugin = AccessTokenPlugin { _ in "Aladdin:open sesame" }
        try expectEqual(header(Secured(authorizationType: .basic), plugin), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        try expectEqual(header(Secured(authorizationType: .bearer), plugin), "Bearer Aladdin:open sesame")
    }

    @Test(
        "a token is sent to the listed hosts, or, without a list, over TLS",
        arguments: [
            ("https://api.example/", nil, true), ("http://api.example/", nil, false),
            ("http://localhost:80/", nil, true),
            ("http://[::1]:80/", nil, true), ("https://api.example/", ["API.example"], true),
            ("http://api.example/", ["api.example"], false), ("http://api.example/", ["http://api.example"], true),
            ("https://evil.example/", ["api.example"], false),
            ("https://api.example.evil.example/", ["api.example"], false),
            ("https://API.EXAMPLE/", ["api.example"], true),
        ] as [(String, Set<String>?, Bool)])
    func hosts(_ url: String, _ hosts: Set<String>?, _ isSent: Bool) throws {
        let plugin = AccessTokenPlugin(hosts: hosts) { _ in "token" }
        try expectEqual(header(Secured(authorizationType: .bearer), plugin, url: url), isSent ? "Bearer token" : nil)
    }
}
