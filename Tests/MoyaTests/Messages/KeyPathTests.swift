import Foundation
import Moya
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct KeyPathTests {
    private struct User: Decodable, Equatable {
        var name: String?
    }

    private func response(_ json: String) -> Response { Response(statusCode: 200, data: Data(json.utf8)) }

    private let nested =
        #"{"a": {"b": {"name": "Ash", "n": 12345678901234567, "d": 0.1, "t": true, "list": ["x", "y"]}}}"#

    @Test(
        "a key path has the names of the JSON, whatever the key strategy of the decoder is",
        arguments: ["user_profile.first_name", "userProfile.firstName"])
    func keyStrategies(_ path: String) throws {
        let response = response(#"{"user_profile": {"first_name": "Ash", "last": {"badge_count": 8}}}"#)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        try expectEqual(response.map(String.self, atKeyPath: path, using: decoder), "Ash")
        struct Last: Decodable { var badgeCount: Int }
        try expectEqual(response.map(Last.self, atKeyPath: "user_profile.last", using: decoder).badgeCount, 8)
        let upper = JSONDecoder()
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        upper.keyDecodingStrategy = .custom { path in
            Key(stringValue: path.count == 1 ? "top" : path[path.count - 1].stringValue.uppercased())
        }
        try expectEqual(response.map(String.self, atKeyPath: "user_profile.first_name", using: upper), "Ash")
        #expect(throws: MoyaError.self) { try response.map(String.self, atKeyPath: "none", using: decoder) }
    }

    @Test func decodesWhatStandsThere() throws {
        let response = response(nested)
        try expectEqual(response.map(User.self, atKeyPath: "a.b"), User(name: "Ash"))
        try expectEqual(response.map([String].self, atKeyPath: "a.b.list"), ["x", "y"])
    }

    @Test("a scalar at a key path is decoded with all its digits, as its own type only")
    func scalars() throws {
        let response = response(nested)
        try expectEqual(response.map(Int.self, atKeyPath: "a.b.n"), 12_345_678_901_234_567)
        try expectEqual(response.map(Decimal.self, atKeyPath: "a.b.d"), Decimal(string: "0.1"))
        #expect(try response.map(Bool.self, atKeyPath: "a.b.t"))
        #expect(throws: MoyaError.self) { try response.map(Int.self, atKeyPath: "a.b.t") }
        #expect(throws: MoyaError.self) { try response.map(Bool.self, atKeyPath: "a.b.n") }
        #expect(throws: MoyaError.self) { try response.map(Int.self, atKeyPath: "a.b.name") }
    }

    @Test(
        "a path without a value, into a string or through an array is an error and does not crash",
        arguments: ["x", "a.x", "a.b.name.length", "a.b.list.0", "", ".", "a..b", "a.b.", "@count", "a.b.@max.self"])
    func leadsNowhere(_ path: String) {
        let error = #expect(throws: MoyaError.self) { try response(nested).map(User.self, atKeyPath: path) }
        if case .jsonMapping? = error {} else { Issue.record("\(String(describing: error))") }
        let text = #expect(throws: MoyaError.self) { try response(nested).mapString(atKeyPath: path) }
        if case .stringMapping? = text {} else { Issue.record("\(String(describing: text))") }
    }

    @Test func stringsAtAKeyPath() throws {
        try expectEqual(response(nested).mapString(atKeyPath: "a.b.name"), "Ash")
        #expect(throws: MoyaError.self) { try response(nested).mapString(atKeyPath: "a.b.n") }
        let error = #expect(throws: MoyaError.self) { try response("no JSON").mapString(atKeyPath: "a") }
        if case .jsonMapping? = error {} else { Issue.record("\(String(describing: error))") }
    }

    @Test("empty content is an error, unless an empty object or array can be decoded")
    func emptyContent() throws {
        #expect(throws: MoyaError.self) { try response("").map(User.self) }
        try expectEqual(response("").map(User.self, failsOnEmptyData: false), User())
        try expectEqual(response("").map([User].self, failsOnEmptyData: false), [User()])
        #expect(throws: MoyaError.self) { try response("").map(Int.self, failsOnEmptyData: false) }
    }
}
