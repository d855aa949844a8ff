import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct ReflectiveParametersTests {
    enum Role: String { case admin, guest }
    enum Shape { case round }

    struct Everything: TargetType, ReflectiveParameters {
        let baseURL = URL(string: "http://a.example") ?? URL(filePath: "/")
        let path = "/users/{id}"
        let method = Moya.Method.post
        let headers: [String: String]? = ["X": "y"]
        let parameterEncoding: any ParameterEncoding = JSONEncoding.default
        let options = RequestOptions()

        let id = 7
        var name: String?
        var role = Role.admin
        var ratio = 0.5
        var isOn = true
        var link = URL(string: "http://b.example/x")
        var token = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        var date = Date(timeIntervalSince1970: 0)
        var bytes = Data([1, 2])
        var numbers = [1, 2]
        var nested = Inner(path: "p", deeper: Inner.Deeper(values: [Inner.Leaf(x: 1), Inner.Leaf(x: nil)]))
    }

    struct Inner: NestedDictionary {
        struct Leaf: NestedDictionary { var x: Int? }
        struct Deeper: NestedDictionary { var values: [Leaf] }
        /// Sent as a parameter, because only requirements of the target itself are omitted.
        var path: String
        var deeper: Deeper
    }

    private func body(_ target: some TargetType) throws -> JSONValue {
        let request = try MoyaProvider().endpoint(target).urlRequest()
        return try JSONValue(data: try #require(request.httpBody))
    }

    @Test("stored properties are sent, except those for the path, requirements, and nil")
    func sendsProperties() throws {
        try expectEqual(
            body(Everything()),
            [
                "role": "admin", "ratio": 0.5, "isOn": true, "link": "http://b.example/x",
                "token": "01020304-0506-0708-090A-0B0C0D0E0F10", "date": "1970-01-01T00:00:00Z", "bytes": "AQI=",
                "numbers": [1, 2], "nested": ["path": "p", "deeper": ["values": [["x": 1], [:]]]],
            ])
        try expectEqual(body(Everything(name: "Ash"))["name"], "Ash")
    }

    @Test("braces in the query of a path are no placeholders")
    func bracesInTheQuery() throws {
        struct Find: TargetType, ReflectiveParameters {
            let baseURL = URL(string: "http://a.example") ?? URL(filePath: "/")
            let path = "/users/{id}?q={q}"
            let options = RequestOptions(pathMode: .allowingQuery)
            let id = 7
            let q = "x"
        }
        let url = try MoyaProvider().endpoint(Find()).urlRequest().url?.absoluteString
        #expect(url == "http://a.example/users/7?q=%7Bq%7D&q=x")
    }

    struct SnakeCase: TargetType, ReflectiveParameters {
        struct Filter: NestedDictionary {
            static let parameterKeys = ParameterKeyStrategy.custom { "_" + $0 }
            let minValue: Int
        }
        struct Plain: NestedDictionary { let maxValue: Int }

        static let parameterKeys = ParameterKeyStrategy.convertToSnakeCase
        let baseURL = URL(string: "http://a.example") ?? URL(filePath: "/")
        let path = "/users/{userID}"
        let method = Moya.Method.post
        let parameterEncoding: any ParameterEncoding = JSONEncoding.default
        let userID = 7
        let perPage = 30
        let filter = Filter(minValue: 1)
        let plainFilter = Plain(maxValue: 2)
    }

    @Test("a strategy makes the keys of a target, and each nested dictionary has its own; the path keeps the names")
    func keyStrategies() throws {
        try expectEqual(
            body(SnakeCase()),
            [
                "per_page": 30, "filter": ["_minValue": 1], "plain_filter": ["maxValue": 2],
            ])
        try expectEqual(MoyaProvider().endpoint(SnakeCase()).urlRequest().url?.path, "/users/7")
    }

    @Test(
        "snake case has the words of JSONEncoder",
        arguments: [
            "name", "perPage", "oAuthToken", "myURLProperty", "userID", "URLPath", "ABC", "aB", "a", "address2Line",
            "already_snake", "mixed_Case", "x1Y2", "größeÜber", "isHTTP2On",
        ])
    func snakeCase(_ name: String) throws {
        struct Named: Encodable {
            struct Key: CodingKey {
                let stringValue: String
                init(stringValue: String) { self.stringValue = stringValue }
                var intValue: Int? { nil }
                init?(intValue: Int) { nil }
            }
            let name: String
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: Key(stringValue: name))
            }
        }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let expected = try JSONValue(data: encoder.encode(Named(name: name))).object?.keys.first
        expectEqual(ParameterKeyStrategy.convertToSnakeCase.key(for: name), expected)
    }

    @Test func valuesKeepTheirTypes() {
        let parameters = Everything(name: "Ash").parameters
        expectEqual(parameters?["name"] as? String, "Ash")
        expectEqual(parameters?["ratio"] as? Double, 0.5)
        #expect(parameters?["isOn"] as? Bool == true)
        expectEqual(parameters?["date"] as? Date, Date(timeIntervalSince1970: 0))
        #expect(parameters?["id"] == nil)
    }

    @Test func aStructWithoutPropertiesHasEmptyParameters() {
        struct Empty: RelativeTarget, ReflectiveParameters { let path = "/" }
        #expect(Empty().parameters?.isEmpty == true)
    }

    class Base: @unchecked Sendable { let inherited = 1 }
    final class Sub: Base, TargetType, ReflectiveParameters, @unchecked Sendable {
        let own = 2
        let method = Moya.Method.post
        let parameterEncoding: any ParameterEncoding = JSONEncoding.default
        var baseURL: URL { URL(string: "http://a.example") ?? URL(filePath: "/") }
        var path: String { "/{own}" }
    }

    @Test func aClassSendsWhatItInherits() throws {
        try expectEqual(body(Sub()), ["inherited": 1])
    }

    @Test("a value that cannot be encoded is an error with the type and the property")
    func refuses() {
        struct Odd: TargetType, ReflectiveParameters {
            let baseURL = URL(string: "http://a.example") ?? URL(filePath: "/")
            let path = "/"
            let shape: Shape
        }
        let error = #expect(throws: MoyaError.self) { try MoyaProvider().endpoint(Odd(shape: .round)).urlRequest() }
        expectEqual(error?.kind, .request)
        #expect(error?.description.contains("the parameter Odd.shape is of type Shape, which cannot be sent") == true)
    }
}
