import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A plugin with the signatures of Moya's documentation.
private struct MoyaPlugin: PluginType {
    let log: Log

    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        log.add("prepare \(target.path)")
        var request = request
        request.addValue("moya", forHTTPHeaderField: "X-Plugin")
        return request
    }
    func willSend(_ request: RequestType, target: any TargetType) { log.add("willSend \(target.path)") }
    func didReceive(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) {
        log.add("didReceive \(target.path)")
    }
    func process(_ result: Result<Moya.Response, MoyaError>, target: any TargetType) -> Result<Moya.Response, MoyaError>
    {
        log.add("process \(target.path)")
        return result.map { Response(statusCode: $0.statusCode, data: Data("processed".utf8)) }
    }
}

/// The same plugin with the signatures of this package.
private struct OwnPlugin: PluginType {
    let log: Log

    func prepare(_ request: URLRequest, target: any RelativeTarget) -> URLRequest {
        log.add("prepare \(target.path)")
        var request = request
        request.addValue("moya", forHTTPHeaderField: "X-Plugin")
        return request
    }
    func willSend(_ request: RequestType, target: any RelativeTarget) { log.add("willSend \(target.path)") }
    func didReceive(_ result: Result<Response, MoyaError>, target: any RelativeTarget) {
        log.add("didReceive \(target.path)")
    }
    func process(
        _ result: Result<Response, MoyaError>, target: any RelativeTarget
    ) -> Result<Response, MoyaError> {
        log.add("process \(target.path)")
        return result.map { Response(statusCode: $0.statusCode, data: Data("processed".utf8)) }
    }
}

/// A plugin that calls other plugins.
private struct CompositePlugin: PluginType {
    let plugins: [any PluginType]

    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        plugins.reduce(request) { $1.prepare($0, target: target) }
    }
    func willSend(_ request: RequestType, target: any TargetType) {
        for plugin in plugins { plugin.willSend(request, target: target) }
    }
    func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
        for plugin in plugins { plugin.didReceive(result, target: target) }
    }
    func process(_ result: Result<Response, MoyaError>, target: any TargetType) -> Result<Response, MoyaError> {
        plugins.reduce(result) { $1.process($0, target: target) }
    }
}

private struct Silent: PluginType {}

private enum Absolute: TargetType {
    case zen
    var baseURL: URL { URL(string: "https://api.example") ?? URL(filePath: "/") }
    var path: String { "/zen" }
}

private struct Relative: RelativeTarget {
    let path = "/zen"
}

/// The signatures of Moya's documentation compile, and each method is called.
@Suite(.queued, .timeLimit(.minutes(10))) struct PluginSignatureTests {
    enum Spelling: String, CaseIterable {
        case moya, own, compositeOfMoya, compositeOfOwn

        fileprivate func plugin(_ log: Log) -> any PluginType {
            switch self {
            case .moya: MoyaPlugin(log: log)
            case .own: OwnPlugin(log: log)
            case .compositeOfMoya: CompositePlugin(plugins: [MoyaPlugin(log: log), Silent()])
            case .compositeOfOwn: CompositePlugin(plugins: [Silent(), OwnPlugin(log: log)])
            }
        }
    }

    private static let calls = ["prepare /zen", "willSend /zen", "didReceive /zen", "process /zen"]

    @Test("each method of a plugin is called exactly once, with either signature", arguments: Spelling.allCases)
    func callsEachMethodOnce(_ spelling: Spelling) async throws {
        let log = Log()
        let provider = MoyaProvider<Absolute>(
            stubClosure: MoyaProvider.immediatelyStub, plugins: [spelling.plugin(log)])
        let response = try await provider.response(.zen)
        #expect(log.entries == Self.calls)
        #expect(response.data == Data("processed".utf8))
    }

    @Test(
        "each method is called exactly once for a MultiTarget of a target with or without a base URL",
        arguments: Spelling.allCases)
    func callsEachMethodThroughMultiTarget(_ spelling: Spelling) async throws {
        for target in [MultiTarget(Absolute.zen), MultiTarget(Relative())] {
            let log = Log()
            let provider = MoyaProvider<MultiTarget>(
                baseURL: Absolute.zen.baseURL, stubClosure: MoyaProvider.immediatelyStub,
                plugins: [spelling.plugin(log)])
            _ = try await provider.response(target)
            #expect(log.entries == Self.calls)
        }
    }

    @Test("a request that a plugin with Moya's signatures has prepared is sent", arguments: Spelling.allCases)
    func preparesWhatIsSent(_ spelling: Spelling) async throws {
        let sent = Box<[String?]>([])
        let witness = NetworkActivityPlugin { _, _ in }
        struct Recorder: PluginType {
            let sent: Box<[String?]>
            func willSend(_ request: RequestType, target: any TargetType) {
                sent.change { $0.append(request.request?.value(forHTTPHeaderField: "X-Plugin")) }
            }
        }
        let provider = MoyaProvider<Absolute>(
            stubClosure: MoyaProvider.immediatelyStub,
            plugins: [witness, spelling.plugin(Log()), Recorder(sent: sent)])
        _ = try await provider.response(.zen)
        #expect(sent.value == ["moya"])
    }

    @Test("a plugin that is called directly uses the signature that it implements")
    func directCalls() throws {
        let request = URLRequest(url: Absolute.zen.baseURL)
        for (own, moya) in [(OwnPlugin(log: Log()), MoyaPlugin(log: Log()))] {
            #expect(own.prepare(request, target: Absolute.zen).value(forHTTPHeaderField: "X-Plugin") == "moya")
            #expect(own.prepare(request, target: Relative()).value(forHTTPHeaderField: "X-Plugin") == "moya")
            #expect(moya.prepare(request, target: Absolute.zen).value(forHTTPHeaderField: "X-Plugin") == "moya")
            #expect(moya.prepare(request, target: Relative()).value(forHTTPHeaderField: "X-Plugin") == "moya")
            #expect(own.log.entries.count == 2)
            #expect(moya.log.entries.count == 2)
        }
        let existential: any PluginType = OwnPlugin(log: Log())
        let target: any TargetType = Absolute.zen
        #expect(existential.prepare(request, target: target).value(forHTTPHeaderField: "X-Plugin") == "moya")
    }

    @Test("a MultiTarget is a TargetType with the authorization of its target")
    func multiTargetForwards() {
        struct Personal: TargetType, AccessTokenAuthorizable {
            let baseURL = Absolute.zen.baseURL
            let path = "/me"
            let authorizationType: AuthorizationType? = .bearer
        }
        let target: any TargetType & AccessTokenAuthorizable = MultiTarget(Personal())
        #expect(target.baseURL == Absolute.zen.baseURL)
        #expect(target.authorizationType == .bearer)
        #expect(MultiTarget(Relative()).authorizationType == nil)
    }
}
