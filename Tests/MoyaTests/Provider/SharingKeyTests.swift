import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct SharingKeyTests {
    private struct Thing: TargetType {
        let baseURL = URL(string: "https://a.example") ?? URL(filePath: "/")
        let path = "/"
        var headers: [String: String]?
        var task = RequestTask.requestPlain
    }

    @Test(
        "requests are not equal if their texts differ in bytes only, such as a composed and a decomposed é",
        arguments: ["header", "credential", "interceptor", "JSON"])
    func comparesBytes(_ part: String) {
        let time = VirtualTime()
        let sendings = Box(0)
        let key = Box("")
        let credentials = CredentialsPlugin { _ in
            URLCredential(user: key.value, password: "p", persistence: .none)
        }
        let provider = MoyaProvider<Thing>(
            transport: StubTransport(after: .seconds(1), on: time) { _ in
                sendings.change { $0 += 1 }
                return .status(200)
            },
            plugins: part == "credential" ? [credentials] : [],
            interceptors: part == "interceptor" ? [Keyed(key: key)] : [], trackInflights: true, scheduler: time)
        for text in ["\u{e9}", "e\u{301}", "\u{e9}"] {
            key.value = text
            var target = Thing()
            if part == "header" { target.headers = ["X-User": text] }
            if part == "JSON" { target.task = .requestCustomJSONEncodable(["name": text], encoder: JSONEncoder()) }
            provider.request(target) { _ in }
        }
        time.run()
        expectEqual(sendings.value, 2)
    }
}
