import Foundation
import MoyaStreams
import Testing

/// Calls as they are written for Moya's `mapJSON()`, which returned `Any`.
private protocol JSONHabits {
    func data(_ json: JSONValue) throws -> Data
    func isValid(_ json: JSONValue) -> Bool
}

private struct DeprecatedCalls: JSONHabits {
    @available(*, deprecated, message: "hides the warning of the call")
    func data(_ json: JSONValue) throws -> Data {
        try JSONSerialization.data(withJSONObject: json, options: .sortedKeys)
    }

    @available(*, deprecated, message: "hides the warning of the call")
    func isValid(_ json: JSONValue) -> Bool { JSONSerialization.isValidJSONObject(json) }
}

@Suite(.timeLimit(.minutes(10))) struct MappedJSONTests {
    private let habits: any JSONHabits = DeprecatedCalls()

    private func response(_ json: String) -> Response { Response(statusCode: 200, data: Data(json.utf8)) }

    @Test(
        "JSONSerialization writes a mapped JSON of any shape",
        arguments: [
            #"{"a":[1,0.5,"x",null,true],"b":{"c":-7}}"#, "[]", "{}", #""text""#, "7", "true", "null",
            #"{"id":18446744073709551615}"#,
        ])
    func writes(_ json: String) throws {
        #expect(try String(decoding: habits.data(response(json).mapJSON()), as: UTF8.self) == json)
    }

    @Test("a number that is not finite is an error")
    func refusesNumbers() {
        #expect(throws: EncodingError.self) { try habits.data([.double(.infinity)]) }
    }

    @Test("isValidJSONObject answers for the mapped JSON as for Foundation's objects")
    func validity() throws {
        #expect(try habits.isValid(response("[1]").mapJSON()))
        #expect(try habits.isValid(response("{}").mapJSON()))
        #expect(try !habits.isValid(response("1").mapJSON()))
    }

    @Test("mapJSONObject returns Foundation's objects")
    func foundationObjects() throws {
        let user = try #require(
            try response(#"{"id": 7, "tags": ["a"], "none": null}"#).mapJSONObject() as? [String: Any])
        #expect(user["id"] as? Int == 7)
        #expect(user["tags"] as? [String] == ["a"])
        #expect(user["none"] is NSNull)
        #expect(JSONSerialization.isValidJSONObject(user))
        #expect(try response("true").mapJSONObject() as? Bool == true)
        #expect(try response("").mapJSONObject(failsOnEmptyData: false) is NSNull)
        for invalid in ["", "{"] {
            guard
                case .jsonMapping(let refused) = #expect(
                    throws: MoyaError.self, performing: { try response(invalid).mapJSONObject() })
            else { Issue.record("expected jsonMapping"); continue }
            #expect(refused.data == Data(invalid.utf8))
        }
    }

    @Test("no overload covers a JSONValue inside Any: only its foundationObject is an object of Foundation")
    func erased() throws {
        let json = try response(#"{"id": 7}"#).mapJSON()
        #expect(!JSONSerialization.isValidJSONObject(["user": json] as [String: Any]))
        #expect(!JSONSerialization.isValidJSONObject(json as Any))
        #expect(JSONSerialization.isValidJSONObject(["user": json.foundationObject]))
    }
}
