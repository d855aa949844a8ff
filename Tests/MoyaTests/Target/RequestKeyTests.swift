import Foundation
import Moya
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct RequestKeyTests {
    private static func endpoint(
        _ task: RequestTask = .requestPlain, url: String = "http://a.example/", method: HTTPMethod = .post,
        headers: [String: String] = ["A": "1", "B": "2"], data: Data = Data()
    ) -> Endpoint {
        Endpoint(
            url: url, sampleResponseClosure: { .networkResponse(200, data) }, method: method, task: task,
            httpHeaderFields: headers)
    }

    private static func part(_ text: String, _ name: String = "n") -> MultipartFormBodyPart {
        MultipartFormBodyPart(provider: .data(Data(text.utf8)), name: name)
    }

    /// A dictionary whose order changes with each encoding, unless the encoder sorts the keys.
    private static let members = Dictionary(uniqueKeysWithValues: (0..<30).map { ("key\($0)", $0) })
    private static let here = URL(filePath: "/tmp/a")
    private static let there = URL(filePath: "/tmp/b")
    private static let iso: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }()

    static let same: [(Endpoint, Endpoint)] = [
        (endpoint(), endpoint(headers: ["b": "2", "a": "1"])),
        (endpoint(data: Data("x".utf8)), endpoint(data: Data("y".utf8))),
        (endpoint(.requestData(Data("a".utf8))), endpoint(.requestData(Data("a".utf8)))),
        (
            endpoint(.requestParameters(parameters: ["a": 1, "b": ["c": 2, "d": 3]], encoding: JSONEncoding.default)),
            endpoint(.requestParameters(parameters: ["b": ["d": 3, "c": 2], "a": 1], encoding: JSONEncoding.default))
        ),
        (endpoint(.uploadFile(here)), endpoint(.uploadFile(here))),
        (endpoint(.uploadMultipartFormData([part("a")])), endpoint(.uploadMultipartFormData([part("a")]))),
        (
            endpoint(.uploadCompositeMultipartFormData([part("a")], urlParameters: ["q": 1])),
            endpoint(.uploadCompositeMultipartFormData([part("a")], urlParameters: ["q": 1]))
        ),
        (endpoint(.requestJSONEncodable(members)), endpoint(.requestJSONEncodable(members))),
        (
            endpoint(.requestCustomJSONEncodable(members, encoder: iso)),
            endpoint(.requestCustomJSONEncodable(members, encoder: iso))
        ),
        (
            endpoint(.requestCompositeJSONEncodable(members, urlParameters: ["q": 1])),
            endpoint(.requestCompositeJSONEncodable(members, urlParameters: ["q": 1]))
        ),
        (
            endpoint(.requestParameters(parameters: members, encoding: PropertyListEncoding.xml)),
            endpoint(.requestParameters(parameters: members, encoding: PropertyListEncoding.xml))
        ),
        // The destination of a download is ignored.
        (endpoint(.downloadDestination { _, _ in (here, []) }), endpoint(.downloadDestination { _, _ in (there, []) })),
        // Neither endpoint has a valid request.
        (endpoint(url: "none"), endpoint(url: "none")),
    ]

    static let different: [(Endpoint, Endpoint)] = [
        (endpoint(), endpoint(method: .put)), (endpoint(), endpoint(url: "http://a.example/x")),
        // Foundation on Linux compares these requests as equal, so that its comparison is not used.
        (endpoint(headers: ["Authorization": "alice"]), endpoint(headers: ["Authorization": "bob"])),
        (endpoint(.requestData(Data("alice".utf8))), endpoint(.requestData(Data("bob".utf8)))),
        (endpoint(.requestJSONEncodable(["a": 1])), endpoint(.requestJSONEncodable(["a": 2]))),
        (
            endpoint(.requestCustomJSONEncodable(Date(timeIntervalSince1970: 0), encoder: JSONEncoder())),
            endpoint(.requestCustomJSONEncodable(Date(timeIntervalSince1970: 0), encoder: iso))
        ),
        (
            endpoint(.requestCompositeData(bodyData: Data(), urlParameters: ["a": 1])),
            endpoint(.requestCompositeData(bodyData: Data(), urlParameters: ["a": 2]))
        ),
        (
            endpoint(.requestCompositeData(bodyData: Data("a".utf8), urlParameters: [:])),
            endpoint(.requestCompositeData(bodyData: Data("b".utf8), urlParameters: [:]))
        ),
        (endpoint(.uploadFile(here)), endpoint(.uploadFile(there))),
        (endpoint(.uploadMultipartFormData([part("a")])), endpoint(.uploadMultipartFormData([part("b")]))),
        (endpoint(.uploadMultipartFormData([part("a")])), endpoint(.uploadMultipartFormData([part("a", "m")]))),
        (
            endpoint(.uploadCompositeMultipartFormData([part("a")], urlParameters: ["q": 1])),
            endpoint(.uploadCompositeMultipartFormData([part("a")], urlParameters: ["q": 2]))
        ),
        (
            endpoint(
                .downloadParameters(
                    parameters: ["a": 1], encoding: URLEncoding.default, destination: { _, _ in (here, []) })),
            endpoint(
                .downloadParameters(
                    parameters: ["a": 2], encoding: URLEncoding.default, destination: { _, _ in (here, []) }))
        ),
        (endpoint(url: "none"), endpoint(url: "neither")),
        (
            endpoint(.uploadMultipartFormData([part("a")])),
            endpoint(
                .uploadMultipartFormData([
                    MultipartFormBodyPart(provider: .data(Data("a".utf8)), name: "n", fileName: "")
                ]))
        ),
    ]

    @Test("endpoints of the same request have equal keys", arguments: same.indices)
    func isEqual(_ index: Int) {
        let (left, right) = Self.same[index]
        expectEqual(left, right)
        expectEqual(left.hashValue, right.hashValue)
    }

    @Test("endpoints of different requests have different keys", arguments: different.indices)
    func isDifferent(_ index: Int) {
        let (left, right) = Self.different[index]
        #expect(left != right)
    }
}
