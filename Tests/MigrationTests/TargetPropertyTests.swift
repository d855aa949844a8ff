import Foundation
import MoyaStreams
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Targets whose parameters have the type that Moya's first releases declare, `[String: Any]?`.
private enum Search: TargetType {
    case text(String, page: Int)
    case none
    case refused

    var baseURL: URL { URL(string: "https://a.example") ?? URL(filePath: "/") }
    var path: String { "/search" }
    var parameters: [String: Any]? {
        switch self {
        case .text(let text, let page): ["q": text, "page": page, "tags": ["a", "b"], "filter": ["new": true]]
        case .none: nil
        case .refused: ["closure": { 1 }]
        }
    }
}

private struct Report: TargetType {
    let baseURL = Search.none.baseURL
    let path = "/report"
    let method = Moya.Method.post
    let parameterEncoding: any ParameterEncoding = JSONEncoding.default
    let name: String
    var parameters: [String: Any]? { ["name": name] }
}

/// Dictionaries that are not optional, and encodings declared with their own types.
private enum Plain: TargetType {
    case zen

    var baseURL: URL { Search.none.baseURL }
    var path: String { "/plain" }
    var method: Moya.Method { .post }
    var parameters: [String: Any] { ["a": 1] }
    var parameterEncoding: JSONEncoding { .default }
}

private struct Texts: TargetType {
    let baseURL = Search.none.baseURL
    let path = "/texts"
    let method = Moya.Method.post
    let parameters = ["a": "1"]
    let parameterEncoding = JSONEncoding.default
}

/// Optional dictionaries with values of one type.
private enum Typed: TargetType {
    case text(String?)

    var baseURL: URL { Search.none.baseURL }
    var path: String { "/typed" }
    var parameters: [String: String]? {
        switch self {
        case .text(let text): text.map { ["q": $0] }
        }
    }
}

private struct Lists: TargetType {
    let baseURL = Search.none.baseURL
    let path = "/lists"
    let parameters: [String: [Int?]]?
}

private struct Wrapping<Wrapped: TargetType>: TargetType {
    let wrapped: Wrapped
    var baseURL: URL { wrapped.baseURL }
    var path: String { wrapped.path }
    var method: Moya.Method { wrapped.method }
    var task: RequestTask { wrapped.task }
}

private struct Both: TargetType {
    let baseURL = Search.none.baseURL
    let path = "/both"
    var parameters: [String: any Sendable]? { ["own": 1] }
}

@Suite(.queued, .timeLimit(.minutes(10))) struct TargetPropertyTests {
    private func request<Target: TargetType>(_ target: Target) async throws -> URLRequest? {
        try await MoyaProvider<Target>(stubClosure: MoyaProvider.immediatelyStub).response(target).request
    }

    private struct Values: TargetType {
        let task: RequestTask
        let baseURL = Search.none.baseURL
        let path = "/values"

        init(_ parameters: [String: Any], isQuery: Bool) {
            task =
                isQuery
                ? .requestCompositeParameters(
                    bodyParameters: [:], bodyEncoding: JSONEncoding.default, urlParameters: parameters)
                : .requestParameters(parameters: parameters, encoding: JSONEncoding.default)
        }
    }

    @Test("a task's parameters may be a [String: Any], and a value that cannot be sent fails the request")
    func convertsTheParametersOfATask() async throws {
        let filter: [String: Any] = ["new": true]
        let values: [String: Any] = ["filter": filter]
        #expect(try await request(Values(values, isQuery: false))?.httpBody == Data(#"{"filter":{"new":true}}"#.utf8))
        let query = try await request(Values(values, isQuery: true))?.url?.query(percentEncoded: false)
        #expect(query == "filter[new]=1")
        for isQuery in [false, true] {
            let error = await #expect(throws: MoyaError.self) {
                try await request(Values(["object": Box(0)], isQuery: isQuery))
            }
            #expect(error.map { "\($0)" }?.contains("arameters.object") == true)
        }
    }

    @Test("nil and NSNull in a [String: Any] are null in JSON, and NilEncoding decides about them in forms")
    func sendsNull() async throws {
        let values: [String: Any] = ["a": NSNull(), "n": ["x": nil as Int? as Any, "y": 1], "l": [NSNull(), 1]]
        let body = try await request(Values(values, isQuery: false))?.httpBody
        #expect(body == Data(#"{"a":null,"l":[null,1],"n":{"x":null,"y":1}}"#.utf8))
        let query = try await request(Values(["a": NSNull(), "b": 1], isQuery: true))?.url?.query()
        #expect(query == "b=1")
    }

    @Test("parameters that are declared as [String: Any]? are sent")
    func sendsParametersWithAny() async throws {
        let query = try await request(Search.text("x y", page: 2))?.url?.query(percentEncoded: false)
        #expect(query == "filter[new]=1&page=2&q=x y&tags[]=a&tags[]=b")
        #expect(try await request(Search.none)?.url?.query() == nil)
        #expect(try await request(Report(name: "r"))?.httpBody == Data(#"{"name":"r"}"#.utf8))
        #expect(try await request(Both())?.url?.query() == "own=1")
    }

    @Test("parameters that are not optional are sent, with an encoding that is declared with its own type")
    func sendsConcreteTypes() async throws {
        expectEqual(try await request(Plain.zen)?.httpBody, Data(#"{"a":1}"#.utf8))
        expectEqual(try await request(Texts())?.httpBody, Data(#"{"a":"1"}"#.utf8))
        expectEqual(try await request(Wrapping(wrapped: Texts()))?.httpBody, Data(#"{"a":"1"}"#.utf8))
        expectEqual(try await request(MultiTarget(Plain.zen))?.httpBody, Data(#"{"a":1}"#.utf8))
        expectEqual((Plain.zen as any TargetType).parameters?["a"] as? Int, 1)
        #expect((Texts() as any RelativeTarget).parameterEncoding is JSONEncoding)
    }

    @Test("optional parameters with values of one type are sent")
    func sendsTypedValues() async throws {
        expectEqual(try await request(Typed.text("x"))?.url?.query(), "q=x")
        expectEqual(try await request(Typed.text(nil))?.url?.query(), nil)
        expectEqual(try await request(MultiTarget(Typed.text("x")))?.url?.query(), "q=x")
        let lists = Lists(parameters: ["l": [1, nil]])
        expectEqual(try await request(lists)?.url?.query(percentEncoded: false), "l[]=1")
        expectEqual((lists as any RelativeTarget).parameters?.count, 1)
        expectEqual(try await request(Lists(parameters: nil))?.url?.query(), nil)
    }

    @Test("a provider of MultiTarget sends them, too")
    func throughMultiTarget() async throws {
        let provider = MoyaProvider<MultiTarget>(stubClosure: MoyaProvider.immediatelyStub)
        let response = try await provider.response(.target(Report(name: "r")))
        #expect(response.request?.httpBody == Data(#"{"name":"r"}"#.utf8))
    }

    @Test("a value that cannot be sent is an error that names its key")
    func refusesOtherValues() async throws {
        let error = await #expect(throws: MoyaError.self) { try await request(Search.refused) }
        #expect(error?.kind == .request)
        #expect(error?.description.contains("closure") == true)
    }

    @Test("the parameters of a target have one type where the type is not written")
    func parametersAreNotAmbiguous() {
        let parameters = Both().parameters
        #expect(parameters?["own"] as? Int == 1)
        let existential: any TargetType = Report(name: "r")
        let ofExistential = existential.parameters
        #expect(ofExistential?["name"] as? String == "r")
    }
}
