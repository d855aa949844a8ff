import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Values whose `encode(to:)` is synthesized, written by hand, or hostile.
@Suite(.queued, .timeLimit(.minutes(10))) struct FormEncodingTests {
    private func body(_ value: any Encodable & Sendable, _ encoding: URLEncoding = .httpBody) throws -> String? {
        let endpoint = Endpoint(
            url: "http://a.example/", sampleResponseClosure: { .networkResponse(200, Data()) }, method: .post,
            task: .requestFormEncodable(value, encoding: encoding))
        return try endpoint.urlRequest().httpBody.map { String(decoding: $0, as: UTF8.self) }
    }

    enum Level: Int, Encodable { case low = 1 }

    struct Scalars: Encodable, Sendable {
        var a = Int8(-1)
        var b = UInt64.max
        var c = Int128(7)
        var d = Float(0.1)
        var e = Decimal(string: "1.10")
        var f = URL(string: "http://b.example/?c")
        var g = UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF")
        var h = Level.low
        var i: JSONValue = ["x": [1, nil, true]]
        var j = UInt128(8)
        var k = 1e20
    }

    @Test func valuesOfEveryKindAreWrittenAsInParameters() throws {
        try expectEqual(
            body(Scalars()),
            "a=-1&b=18446744073709551615&c=7&d=0.1&e=1.1&f=http%3A//b.example/?c"
                + "&g=01234567-89AB-CDEF-0123-456789ABCDEF&h=1&i%5Bx%5D%5B%5D=1&i%5Bx%5D%5B%5D=1&j=8&k=1e%2B20")
    }

    struct Nils: Encodable, Sendable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encodeNil(forKey: Key("a"))
            try container.encode(Int?.none, forKey: Key("b"))
            try container.encode([1, nil], forKey: Key("c"))
        }
    }

    @Test func nullsAreWrittenAsTheEncodingSays() throws {
        try expectEqual(body(Nils(), URLEncoding(destination: .httpBody)), "c%5B%5D=1")
        try expectEqual(
            body(Nils(), URLEncoding(destination: .httpBody, arrayEncoding: .noBrackets, nilEncoding: .null)),
            "a=null&b=null&c=1&c=null")
    }

    struct ByClass: Encodable, Sendable {
        func encode(to encoder: any Encoder) throws { try Derived().encode(to: encoder) }
    }

    class Base: Encodable {
        let a = 1
    }

    final class Derived: Base {
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try super.encode(to: container.superEncoder())
            try super.encode(to: container.superEncoder(forKey: Key("named")))
            var first = container.nestedContainer(keyedBy: Key.self, forKey: Key("n"))
            var second = container.nestedContainer(keyedBy: Key.self, forKey: Key("n"))
            try first.encode(1, forKey: Key("x"))
            try second.encode(2, forKey: Key("y"))
            var list = container.nestedUnkeyedContainer(forKey: Key("l"))
            try list.encode(Int128(1))
            try list.encode(["k": 2])
            var inner = list.nestedContainer(keyedBy: Key.self)
            try list.encode(4)
            try inner.encode(3, forKey: Key("z"))
            var innermost = list.nestedUnkeyedContainer()
            try innermost.encode(5)
            try super.encode(to: list.superEncoder())
        }
    }

    @Test func containersAreFilledInAnyOrder() throws {
        let encoding = URLEncoding(destination: .httpBody, arrayEncoding: .indexInBrackets, keyPathEncoding: .dots)
        try expectEqual(
            body(ByClass(), encoding)?.removingPercentEncoding,
            "a=1&l[0]=1&l[1].k=2&l[2].z=3&l[3]=4&l[4][0]=5&l[5].a=1&n.x=1&n.y=2&named.a=1&super.a=1")
    }

    struct Several: Encodable, Sendable {
        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            _ = list.superEncoder()
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: Key("0"))
            _ = list.superEncoder()
        }
    }

    @Test func containersOfSeveralKindsAreNoCrash() throws {
        try expectEqual(body(Several()), "0=1")
    }

    struct Nothing: Encodable, Sendable {
        func encode(to encoder: any Encoder) {}
    }

    @Test func aValueThatEncodesNothingHasNoMembers() throws {
        #expect(throws: MoyaError.self) { try body(Nothing()) }
        #expect(try body(["a": Nothing()]) == nil)
    }

    @Test func aMemberThatCannotBeSentIsNamed() {
        let error = #expect(throws: MoyaError.self) { try body(["a": ["b": [0.5, .nan]]]) }
        #expect(error?.description.contains("the parameter a.b[1] is nan, which is not a finite number") == true)
    }

    struct Endless: Encodable, Sendable {
        var usesSingleValue: Bool

        func encode(to encoder: any Encoder) throws {
            if usesSingleValue {
                var container = encoder.singleValueContainer()
                try container.encode(self)
            } else {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(self, forKey: Key("a"))
            }
        }
    }

    @Test("a value of infinite depth is an error and does not crash", arguments: [true, false])
    func endless(_ usesSingleValue: Bool) {
        let error = #expect(throws: MoyaError.self) { try body(["a": Endless(usesSingleValue: usesSingleValue)]) }
        #expect(error?.description.contains("nested deeper than 100 levels") == true)
    }

    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    @Test(
        "the query is appended to the existing one, before the fragment",
        arguments: [
            ("http://a.example", "http://a.example?b=1"), ("http://a.example/?", "http://a.example/?b=1"),
            ("http://a.example/?x?", "http://a.example/?x?&b=1"),
            ("http://a.example/#f?g", "http://a.example/?b=1#f?g"),
            ("http://a.example/p?x=%20#f", "http://a.example/p?x=%20&b=1#f"),
        ])
    func placeOfTheQuery(_ url: String, _ expected: String) throws {
        let request = URLRequest(url: try #require(URL(string: url)))
        try expectEqual(URLEncoding.queryString.encode(request, with: ["b": 1]).url?.absoluteString, expected)
    }
}
