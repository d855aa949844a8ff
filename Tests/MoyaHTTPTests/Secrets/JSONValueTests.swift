import Foundation
import Moya
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct JSONValueTests {
    @Test(
        "each value is decoded unchanged",
        arguments: [
            ("true", .bool(true)), ("false", .bool(false)), ("1", .int(1)), ("0", .int(0)), ("null", .null),
            ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)), ("1.5", .double(1.5)),
            ("13.404953999999975", .double(13.404953999999975)), ("1e3", .double(1000)), (#""x""#, .string("x")),
            ("[]", .array([])), ("{}", .object([:])),
            (#"{"a":[1,{"b":null}]}"#, ["a": [1, ["b": nil]]]),
        ] as [(String, JSONValue)])
    func parses(_ text: String, _ expected: JSONValue) throws {
        try expectEqual(JSONValue(data: Data(text.utf8)), expected)
    }

    @Test func manyDigitsAreKept() throws {
        let value = try JSONValue(data: Data("18446744073709551615".utf8))
        expectEqual(value, .decimal(Decimal(string: "18446744073709551615") ?? 0))
        #expect(value.int == nil)
    }

    @Test func membersAndElementsAreReachedWithoutCrashing() throws {
        let json = try JSONValue(data: Data(#"{"users": [{"name": "Harry", "age": 17, "wizard": true}]}"#.utf8))
        expectEqual(json["users"]?[0]?["name"]?.string, "Harry")
        expectEqual(json["users"]?[0]?["age"]?.int, 17)
        expectEqual(json["users"]?[0]?["age"]?.double, 17)
        #expect(json["users"]?[0]?["wizard"]?.bool == true)
        #expect(json["users"]?[0]?["wizard"]?.int == nil)
        #expect(json["users"]?[1] == nil)
        #expect(json["users"]?[-1] == nil)
        #expect(json["users"]?["name"] == nil)
        #expect(json[0] == nil)
    }

    @Test(
        "invalid JSON is an error",
        arguments: ["", "{", "[1,,2]", "nul", "\"\u{1}\""])
    func refuses(_ text: String) {
        #expect(throws: (any Error).self) { try JSONValue(data: Data(text.utf8)) }
    }

    @Test func deepNestingIsAnErrorAndNoCrash() {
        #expect(throws: (any Error).self) { try JSONValue(data: Data(repeating: UInt8(ascii: "["), count: 100_000)) }
    }

    @Test("a value is encoded and decoded unchanged")
    func coding() throws {
        let json: JSONValue = ["a": [1, 0.5, "x", nil, true, [:], []], "b": ["c": -7]]
        let data = try JSONEncoder().encode(json)
        try expectEqual(JSONDecoder().decode(JSONValue.self, from: data), json)
        try expectEqual(JSONValue(data: data), json)
    }

    @Test(
        "a number is decoded by JSONDecoder as by init(data:)",
        arguments: [
            "0", "-1", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
            "-9223372036854775808", "-9223372036854775809", "123456789012345678901234567890",
            "12345678901234567890123456789012345678", "123456789012345678901234567890123456789012345678", "0.1",
            "-2.5", "1.5e-7", "1e40", "1e300", "0.12345678901234567890123", "12345678901234567890.5",
            "13.404953999999975", "-179.99999999999997",
            "123456789012345680000",
        ])
    func numbers(_ text: String) throws {
        let decoded = try JSONDecoder().decode([JSONValue].self, from: Data("[\(text)]".utf8))
        try expectEqual(decoded, [JSONValue(data: Data(text.utf8))])
        let encoded = try JSONEncoder().encode(decoded)
        try expectEqual(JSONDecoder().decode([JSONValue].self, from: encoded), decoded)
    }

    @Test("integers of more than 64 bits keep their digits in either way")
    func digits() throws {
        let decoded = try JSONDecoder().decode(
            [JSONValue].self, from: Data("[18446744073709551615, 18446744073709551616]".utf8))
        expectEqual(
            decoded,
            [
                .decimal(Decimal(UInt64.max)), .decimal(try #require(Decimal(string: "18446744073709551616"))),
            ])
    }

    @Test(
        "a decimal is rounded to the nearest Double",
        arguments: ["-122.41941550000000001", "0.12345678901234567890", "2.718281828459045235360287"])
    func nearestDouble(_ text: String) throws {
        try expectEqual(JSONValue(data: Data(text.utf8)).double, Double(text))
    }

    @Test("a property list is decoded without decimals")
    func propertyList() throws {
        let data = try PropertyListEncoder().encode(["a": [0.5, 2], "b": [1e20]])
        try expectEqual(PropertyListDecoder().decode(JSONValue.self, from: data), ["a": [0.5, 2], "b": [1e20]])
    }

    @Test("deep nesting is refused and does not crash", arguments: [99, 101, 500])
    func deepCoding(_ depth: Int) throws {
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let json = try JSONValue(data: Data(text.utf8))
        expectEqual((try? JSONEncoder().encode(json)) == nil, depth > 100)
        #expect(((try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))) == nil) == (depth > 100))
    }
}
