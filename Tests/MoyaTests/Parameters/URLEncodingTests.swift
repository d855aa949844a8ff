import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct URLEncodingTests {
    private static let date = Date(timeIntervalSince1970: 1.5)

    private func query(_ parameters: [String: any Sendable], _ encoding: URLEncoding) throws -> String? {
        let request = URLRequest(url: try #require(URL(string: "http://a.example/")))
        return try encoding.encode(request, with: parameters).url.flatMap {
            URLComponents(url: $0, resolvingAgainstBaseURL: true)?.percentEncodedQuery
        }
    }

    static let strategies: [(URLEncoding, [String: any Sendable], String)] = [
        (URLEncoding(arrayEncoding: .brackets), ["a": [1, 2]], "a%5B%5D=1&a%5B%5D=2"),
        (URLEncoding(arrayEncoding: .noBrackets), ["a": [1, 2]], "a=1&a=2"),
        (URLEncoding(arrayEncoding: .indexInBrackets), ["a": [1, 2]], "a%5B0%5D=1&a%5B1%5D=2"),
        (URLEncoding(boolEncoding: .literal), ["a": true, "b": false], "a=true&b=false"),
        (URLEncoding(boolEncoding: .numeric), ["a": true, "b": false], "a=1&b=0"),
        (URLEncoding(nilEncoding: .dropKey), ["a": Int?.none, "b": 1], "b=1"),
        (URLEncoding(nilEncoding: .dropValue), ["a": Int?.none], "a="),
        (URLEncoding(nilEncoding: .null), ["a": Int?.none], "a=null"),
        (URLEncoding(dateEncoding: .iso8601), ["a": Date(timeIntervalSince1970: 1)], "a=1970-01-01T00%3A00%3A01Z"),
        (URLEncoding(dateEncoding: .secondsSince1970), ["a": date], "a=1.5"),
        (URLEncoding(dateEncoding: .millisecondsSince1970), ["a": date], "a=1500"),
        (URLEncoding(dateEncoding: .custom { "d\($0.timeIntervalSince1970)" }), ["a": date], "a=d1.5"),
        (URLEncoding(dataEncoding: .base64), ["a": Data([0, 255])], "a=AP8%3D"),
        (URLEncoding(dataEncoding: .hexadecimal), ["a": Data([0, 255])], "a=00ff"),
        (URLEncoding(keyPathEncoding: .brackets), ["a": ["b": ["c": 1]]], "a%5Bb%5D%5Bc%5D=1"),
        (URLEncoding(keyPathEncoding: .dots), ["a": ["b": ["c": 1]]], "a.b.c=1"),
        (URLEncoding(spaceEncoding: .percentEscaped), ["a b": "c d+e"], "a%20b=c%20d%2Be"),
        (URLEncoding(spaceEncoding: .plusReplaced), ["a b": "c d+e"], "a+b=c+d%2Be"),
    ]

    @Test("each strategy encodes as documented", arguments: strategies.indices)
    func writes(_ index: Int) throws {
        let (encoding, parameters, expected) = Self.strategies[index]
        try expectEqual(query(parameters, encoding), expected)
    }

    struct Form: Encodable, Sendable {
        var name = "Ash Ketchum"
        var isOn = true
        var since = Date(timeIntervalSince1970: 0)
        var raw = Data([255])
        var tags = ["a", "b"]
        var missing: Int?
        var inner = ["k": 0.5]
    }

    private func endpoint(_ task: RequestTask, _ method: HTTPMethod = .post) -> Endpoint {
        Endpoint(
            url: "http://a.example/", sampleResponseClosure: { .networkResponse(200, Data()) }, method: method,
            task: task)
    }

    @Test func anEncodableIsSentAsAForm() throws {
        let encoding = URLEncoding(
            destination: .httpBody, arrayEncoding: .noBrackets, dateEncoding: .secondsSince1970,
            dataEncoding: .hexadecimal, spaceEncoding: .plusReplaced)
        let request = try endpoint(.requestFormEncodable(Form(), encoding: encoding)).urlRequest()
        expectEqual(
            request.httpBody.map { String(decoding: $0, as: UTF8.self) },
            "inner%5Bk%5D=0.5&isOn=1&name=Ash+Ketchum&raw=ff&since=0&tags=a&tags=b")
        expectEqual(
            request.value(forHTTPHeaderField: "Content-Type"), "application/x-www-form-urlencoded; charset=utf-8")
        let standard = try endpoint(.requestFormEncodable(["a": 1])).urlRequest()
        expectEqual(standard.httpBody, Data("a=1".utf8))
    }

    @Test func anEncodableWithoutMembersIsNoForm() {
        let error = #expect(throws: MoyaError.self) { try endpoint(.requestFormEncodable([1, 2])).urlRequest() }
        expectEqual(error?.kind, .request)
        #expect(error?.description.contains("has no members to write as key=value") == true)
    }

    @Test func compositeTasksTakeAQueryEncodingOfTheirOwn() throws {
        let encoding = URLEncoding(arrayEncoding: .noBrackets, boolEncoding: .literal)
        let tasks: [RequestTask] = [
            .requestCompositeData(bodyData: Data("b".utf8), urlParameters: ["a": [true]], urlEncoding: encoding),
            .requestCompositeJSONEncodable(["b": 1], urlParameters: ["a": [true]], urlEncoding: encoding),
            .requestCompositeParameters(
                bodyParameters: ["b": 1], bodyEncoding: JSONEncoding.default, urlParameters: ["a": [true]],
                urlEncoding: encoding),
            .uploadCompositeMultipartFormData([], urlParameters: ["a": [true]], urlEncoding: encoding),
        ]
        for task in tasks { try expectEqual(endpoint(task).urlRequest().url?.query, "a=true") }
        try expectEqual(endpoint(tasks[1]).urlRequest().httpBody, Data(#"{"b":1}"#.utf8))
    }

    @Test func aTopLevelArrayIsAJSONBody() throws {
        let request = try endpoint(.requestJSONEncodable([1, "a", nil, ["b": true], 0.5] as JSONValue)).urlRequest()
        expectEqual(request.httpBody, Data(#"[1,"a",null,{"b":true},0.5]"#.utf8))
    }
}
