import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(10))) struct CredentialsPluginTests {
    @Test("credentials are sent to the listed hosts, or, without a list, over TLS or to this machine")
    func hosts() throws {
        let credential = URLCredential(user: "u", password: "p", persistence: .none)
        func isSent(_ url: String, _ hosts: Set<String>?) throws -> Bool {
            let plugin = CredentialsPlugin(hosts: hosts) { _ in credential }
            let request = RequestType(request: URLRequest(url: try #require(URL(string: url))))
            return plugin.credential(for: request, target: MyService.zen) != nil
        }
        #expect(try isSent("https://a.example/", nil))
        #expect(try !isSent("http://a.example/", nil))
        #expect(try !isSent("http://a.example/", ["A.example"]))
        #expect(try isSent("http://a.example/", ["http://A.example"]))
        #expect(try !isSent("https://b.example/", ["a.example"]))
    }
}
