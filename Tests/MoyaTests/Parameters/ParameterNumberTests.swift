import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Numbers of every type, in JSON and in queries.
@Suite(.queued, .timeLimit(.minutes(10))) struct ParameterNumberTests {
    struct Row: CustomTestStringConvertible {
        let value: any Sendable
        /// The text in JSON and in a query.
        let json: String
        let query: String
        var testDescription: String { "\(type(of: value)) \(value)" }

        init(_ value: any Sendable, _ json: String, _ query: String? = nil) {
            self.value = value
            self.json = json
            self.query = query ?? json
        }
    }

    static let rows = [
        Row(true, "true", "1"), Row(false, "false", "0"), Row(NSNumber(value: true), "true", "1"),
        Row(NSNumber(value: false), "false", "0"), Row(NSNumber(value: 1), "1"), Row(NSNumber(value: 0), "0"),
        Row(NSNumber(value: -1), "-1"), Row(NSNumber(value: Int8(1)), "1"), Row(NSNumber(value: UInt8(1)), "1"),
        Row(NSNumber(value: Int16(-300)), "-300"), Row(NSNumber(value: UInt32.max), "4294967295"),
        Row(NSNumber(value: Int64.min), "-9223372036854775808"),
        Row(NSNumber(value: UInt64.max), "18446744073709551615"), Row(NSNumber(value: 1.5), "1.5"),
        Row(NSNumber(value: Float(0.1)), "0.1"), Row(NSDecimalNumber(string: "1.10"), "1.1"),
        Row(NSDecimalNumber(string: "12345678901234567890.5"), "12345678901234567890.5"),
        Row(1, "1"), Row(Int8(1), "1"), Row(UInt8(1), "1"), Row(UInt64.max, "18446744073709551615"),
        Row(Int128(7), "7"), Row(1.5, "1.5"), Row(Float(0.1), "0.1"), Row(Float16(1.5), "1.5"),
        Row(Decimal(string: "0.1") ?? 0, "0.1"), Row(JSONValue.int(1), "1"), Row(JSONValue.bool(true), "true", "1"),
        Row(Optional<NSNumber>.some(1), "1"),
    ]

    private static let request = URLRequest(url: URL(string: "http://a.example/") ?? URL(filePath: "/"))

    @Test("a number is sent without a change of its value", arguments: rows)
    func numbers(_ row: Row) throws {
        let json = try JSONEncoding.default.encode(Self.request, with: ["a": row.value]).httpBody
        expectEqual(json.map { String(decoding: $0, as: UTF8.self) }, #"{"a":\#(row.json)}"#)
        let query = try URLEncoding.queryString.encode(Self.request, with: ["a": row.value]).url?.query()
        expectEqual(query, "a=\(row.query)")
    }

    @Test(
        "a number that is not finite is refused, with its key path",
        arguments: [
            Double.nan, Double.infinity, -Float.infinity, Decimal.nan, NSDecimalNumber.notANumber,
            NSNumber(value: Double.nan), NSNumber(value: Double.infinity), NSNumber(value: Float.nan),
            JSONValue.double(.nan), JSONValue.decimal(.nan), Date(timeIntervalSince1970: .infinity),
        ] as [any Sendable])
    func notFinite(_ value: any Sendable) {
        let parameters: [String: any Sendable] = ["a": ["b": [1, value] as [any Sendable]] as [String: any Sendable]]
        for encoding in [JSONEncoding.default, URLEncoding.default, PropertyListEncoding.xml] as [any ParameterEncoding]
        {
            #expect {
                try encoding.encode(Self.request, with: parameters)
            } throws: { error in
                error.localizedDescription.contains("a.b[1]")
                    && error.localizedDescription.contains("not a finite number")
            }
        }
    }

    @Test("a whole double is sent as an integer, as far as a double has all integers")
    func wholeDoubles() throws {
        let values: [String: any Sendable] = ["a": 1764155000123456.0, "b": 0x1p53, "c": 1e17, "d": -3.0, "e": 0.5]
        let request = try URLEncoding.queryString.encode(
            URLRequest(url: #require(URL(string: "http://a.example/"))), with: values)
        expectEqual(request.url?.query(), "a=1764155000123456&b=9007199254740992&c=1e%2B17&d=-3&e=0.5")
    }
}
