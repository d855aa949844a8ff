import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct EndpointTests {
    private func endpoint(
        _ task: RequestTask = .requestPlain, url: String = "http://a.example/p", method: HTTPMethod = .post,
        headers: [String: String]? = ["X": "y"]
    ) -> Endpoint {
        Endpoint(
            url: url, sampleResponseClosure: { .networkResponse(200, Data()) }, method: method, task: task,
            httpHeaderFields: headers)
    }

    struct Thing: Encodable, Sendable { var a: Double }

    @Test func aPlainTaskChangesNothing() throws {
        let request = try endpoint().urlRequest()
        expectEqual(request.url?.absoluteString, "http://a.example/p")
        expectEqual(request.httpMethod, "POST")
        expectEqual(request.allHTTPHeaderFields, ["X": "y"])
        #expect(request.httpBody == nil)
    }

    @Test func dataSetsTheBodyAndNoContentType() throws {
        let request = try endpoint(.requestData(Data("b".utf8))).urlRequest()
        expectEqual(request.httpBody, Data("b".utf8))
        expectEqual(request.allHTTPHeaderFields, ["X": "y"])
    }

    @Test func anEncodableIsSentAsJSON() throws {
        let request = try endpoint(.requestJSONEncodable(Thing(a: 1))).urlRequest()
        expectEqual(request.httpBody, Data(#"{"a":1}"#.utf8))
        expectEqual(request.value(forHTTPHeaderField: "Content-Type"), "application/json")
        let own = try endpoint(.requestJSONEncodable(Thing(a: 1)), headers: ["content-type": "a/b"]).urlRequest()
        expectEqual(own.value(forHTTPHeaderField: "Content-Type"), "a/b")
    }

    @Test func aCustomEncoderIsUsed() throws {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let request = try endpoint(.requestCustomJSONEncodable(Thing(a: .infinity), encoder: encoder)).urlRequest()
        expectEqual(request.httpBody, Data(#"{"a":"inf"}"#.utf8))
    }

    @Test func compositeTasksFillBodyAndQuery() throws {
        let data = try endpoint(.requestCompositeData(bodyData: Data("b".utf8), urlParameters: ["q": 1])).urlRequest()
        expectEqual(data.httpBody, Data("b".utf8))
        expectEqual(data.url?.query, "q=1")
        let both = try endpoint(
            .requestCompositeParameters(
                bodyParameters: ["a": 1], bodyEncoding: JSONEncoding.default, urlParameters: ["q": 1])
        ).urlRequest()
        expectEqual(both.httpBody, Data(#"{"a":1}"#.utf8))
        expectEqual(both.url?.query, "q=1")
    }

    @Test(
        "an encoding for a body that would write to the query is refused",
        arguments: [
            (URLEncoding.queryString, true), (URLEncoding.default, true), (URLEncoding.httpBody, false),
        ])
    func compositeEncodings(_ encoding: URLEncoding, _ isRefused: Bool) {
        let endpoint = endpoint(
            .requestCompositeParameters(bodyParameters: ["a": 1], bodyEncoding: encoding, urlParameters: [:]))
        expectEqual((try? endpoint.urlRequest()) == nil, isRefused)
    }

    @Test(
        "an invalid URL is refused",
        arguments: [
            "some invalid URL", "", "/relative", "http://", "ftp://a.example/", "mailto:a@b.example", "//a.example/",
            "http://a.example:65536/",
        ])
    func refusesURLs(_ url: String) {
        let error = #expect(throws: MoyaError.self) { try endpoint(url: url).urlRequest() }
        guard case .requestMapping(let reason) = error else { Issue.record("\(error as Any)"); return }
        #expect(reason.contains("is not an absolute http or https URL"))
    }

    @Test("the path of a relative target is never an absolute URL", arguments: ["/zen", "http://b.example/zen"])
    func relativeTargets(_ path: String) throws {
        struct Show: RelativeTarget { let path: String }
        let error = #expect(throws: MoyaError.self) {
            try MoyaProvider<MultiTarget>().endpoint(MultiTarget(Show(path: path))).urlRequest()
        }
        #expect(error?.description.contains("has no base URL. Give the provider a baseURL") == true)
        let based = MoyaProvider<MultiTarget>(baseURL: URL(string: "https://a.example"))
        let url = try based.endpoint(MultiTarget(Show(path: path))).urlRequest().url
        expectEqual(url?.host(), "a.example")
    }

    @Test func aReasonShowsNoQuery() {
        let error = #expect(throws: MoyaError.self) { try endpoint(url: "nowhere?token=secret").urlRequest() }
        #expect(error?.description.contains("secret") == false)
    }

    @Test func failuresNameTheirKind() {
        #expect(throws: MoyaError.self) { try endpoint(headers: ["a b": "c"]).urlRequest() }
        #expect(throws: MoyaError.self) { try endpoint(method: "GE T").urlRequest() }
        guard
            case .encodableMapping = #expect(
                throws: MoyaError.self,
                performing: {
                    try endpoint(.requestJSONEncodable(Thing(a: .infinity))).urlRequest()
                })
        else { Issue.record("expected encodableMapping"); return }
        guard
            case .parameterEncoding = #expect(
                throws: MoyaError.self,
                performing: {
                    try endpoint(
                        .requestParameters(parameters: ["a": Thing(a: 1)], encoding: PropertyListEncoding.default)
                    ).urlRequest()
                })
        else { Issue.record("expected parameterEncoding"); return }
    }

    @Test func addingHeadersLeavesTheRest() {
        let more = endpoint(headers: ["A": "1", "b": "2"]).adding(newHTTPHeaderFields: ["a": "3"])
        expectEqual(more.headers["A"], "3")
        expectEqual(more.headers["B"], "2")
        expectEqual(more.url, "http://a.example/p")
        expectEqual(more.method, .post)
    }

    @Test func addedParametersJoinTheTasks() throws {
        func query(_ task: RequestTask, method: HTTPMethod = .get) throws -> URLRequest {
            try endpoint(task, method: method).adding(newParameters: ["l": "en"]).urlRequest()
        }
        try expectEqual(query(.requestPlain).url?.query, "l=en")
        let joined = try query(.requestParameters(parameters: ["a": 1, "l": "de"], encoding: URLEncoding.default))
        expectEqual(joined.url?.query, "a=1&l=en")
        let json = try query(.requestJSONEncodable(Thing(a: 1)), method: .post)
        expectEqual(json.url?.query, "l=en")
        expectEqual(json.httpBody, Data(#"{"a":1}"#.utf8))
        try expectEqual(query(.requestData(Data("b".utf8)), method: .post).url?.query, "l=en")
    }
}
