import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct ParameterEncodingTests {
    private func request(_ method: String = "GET", _ url: String = "http://a.example/p") throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        return request
    }

    enum Color: String { case red }

    static let queries: [([String: any Sendable], String)] = [
        (["a": 1, "b": "x y&=é"], "a=1&b=x%20y%26%3D%C3%A9"),
        (["flag": true, "off": false], "flag=1&off=0"),
        (["list": [1, 2]], "list%5B%5D=1&list%5B%5D=2"),
        (["map": ["b": 1, "a": "x"] as [String: any Sendable]], "map%5Ba%5D=x&map%5Bb%5D=1"),
        (["none": String?.none as any Sendable, "some": Int?.some(3) as any Sendable], "some=3"),
        (["half": 0.5, "tenth": Float(0.1), "whole": 2.0], "half=0.5&tenth=0.1&whole=2"),
        (["color": Color.red], "color=red"),
        (["url": "http://b.example/?c"], "url=http%3A//b.example/?c"),
        (["u": UInt64.max, "i": Int64.min], "i=-9223372036854775808&u=18446744073709551615"),
        (["when": Date(timeIntervalSince1970: 0)], "when=1970-01-01T00%3A00%3A00Z"),
    ]

    @Test("values are written to the query in the documented form", arguments: queries.indices)
    func query(_ index: Int) throws {
        let (parameters, expected) = Self.queries[index]
        let encoded = try URLEncoding.default.encode(request(), with: parameters)
        expectEqual(encoded.url?.absoluteString, "http://a.example/p?\(expected)")
        #expect(encoded.httpBody == nil)
    }

    @Test func theQueryJoinsTheOneThatIsThere() throws {
        let encoded = try URLEncoding.queryString.encode(request("GET", "http://a.example/p?x=%20"), with: ["a": 1])
        expectEqual(encoded.url?.absoluteString, "http://a.example/p?x=%20&a=1")
    }

    @Test(
        "the method determines whether parameters are in the query or in the body",
        arguments: [
            ("GET", true), ("HEAD", true), ("DELETE", true), ("POST", false), ("PUT", false), ("PATCH", false),
        ])
    func destination(_ method: String, _ isQuery: Bool) throws {
        let encoded = try URLEncoding.default.encode(request(method), with: ["a": 1])
        expectEqual(encoded.url?.query == "a=1", isQuery)
        expectEqual(encoded.httpBody == Data("a=1".utf8), !isQuery)
        let type = "application/x-www-form-urlencoded; charset=utf-8"
        expectEqual(encoded.value(forHTTPHeaderField: "Content-Type"), isQuery ? nil : type)
    }

    @Test func emptyParametersChangeNothing() throws {
        let plain = try request("POST")
        #expect(try URLEncoding.default.encode(plain, with: [:]).httpBody == nil)
        try expectEqual(URLEncoding.default.encode(plain, with: nil).url, plain.url)
    }

    static let refused: [([String: any Sendable], String)] = [
        (["a": Double.nan], "the parameter a is nan"),
        (["a": ["b": [0.5, Double.infinity]]], "the parameter a.b[1] is inf"),
        (["a": MyService.zen], "the parameter a is of type MyService"),
    ]

    @Test("a value that cannot be encoded is an error with its key path", arguments: refused.indices)
    func refusals(_ index: Int) {
        let (parameters, expected) = Self.refused[index]
        for encoding in [URLEncoding.default, JSONEncoding.default, PropertyListEncoding.default]
            as [any ParameterEncoding]
        {
            let error = #expect(throws: ParameterError.self) { try encoding.encode(try request(), with: parameters) }
            #expect(error?.description.hasPrefix(expected) == true)
        }
    }

    @Test("deep nesting is an error, and no crash", arguments: [true, false])
    func deepNesting(_ isDictionary: Bool) {
        var deep: any Sendable = 1
        for _ in 0..<1000 { deep = isDictionary ? ["k": deep] : [deep] }
        let error = #expect(throws: ParameterError.self) {
            try JSONEncoding.default.encode(try request(), with: ["a": deep])
        }
        #expect(error?.description.hasPrefix("the parameter a\(isDictionary ? ".k.k" : "[0][0]")") == true)
        #expect(error?.description.hasSuffix("is nested deeper than 100 levels") == true)
    }

    @Test("a refused value in nested dictionaries is an error with its key path")
    func deepRefusal() {
        var deep: any Sendable = MyService.zen
        for _ in 0..<60 { deep = ["k": deep] }
        let error = #expect(throws: ParameterError.self) {
            try URLEncoding.default.encode(try request(), with: ["a": deep])
        }
        let path = "a" + String(repeating: ".k", count: 60)
        #expect(error?.description.hasPrefix("the parameter \(path) is of type MyService") == true)
    }

    @Test func jsonKeepsTypesAndSortsKeys() throws {
        let parameters: [String: any Sendable] = [
            "b": true, "a": [1, 0.5, "x/y"] as [any Sendable], "n": Int?.none as any Sendable, "d": ["k": UInt64.max],
        ]
        let encoded = try JSONEncoding.default.encode(request("POST"), with: parameters)
        let text = String(decoding: encoded.httpBody ?? Data(), as: UTF8.self)
        expectEqual(text, #"{"a":[1,0.5,"x/y"],"b":true,"d":{"k":18446744073709551615},"n":null}"#)
        expectEqual(encoded.value(forHTTPHeaderField: "Content-Type"), "application/json")
    }

    @Test("an existing content type is preserved")
    func contentTypeStays() throws {
        var plain = try request("POST")
        plain.setValue("application/vnd.api+json", forHTTPHeaderField: "Content-Type")
        let encoded = try JSONEncoding.default.encode(plain, with: ["a": 1])
        expectEqual(encoded.value(forHTTPHeaderField: "Content-Type"), "application/vnd.api+json")
    }

    @Test("property lists preserve dates and data", arguments: [PropertyListEncoding.xml, PropertyListEncoding.binary])
    func propertyLists(_ encoding: PropertyListEncoding) throws {
        let date = Date(timeIntervalSince1970: 1_000_000)
        let encoded = try encoding.encode(request("POST"), with: ["date": date, "data": Data([1, 2]), "n": 3])
        let body = encoded.httpBody ?? Data()
        let list = unsafe try PropertyListSerialization.propertyList(from: body, format: nil)
        let members = try #require(list as? [String: Any])
        expectEqual(members["date"] as? Date, date)
        expectEqual(members["data"] as? Data, Data([1, 2]))
        expectEqual(members["n"] as? Int, 3)
        #expect(throws: ParameterError.self) {
            try encoding.encode(try request(), with: ["n": Int?.none as any Sendable])
        }
    }
}
