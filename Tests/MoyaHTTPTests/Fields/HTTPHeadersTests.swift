import Foundation
import Moya
import TestSupport
import Testing

@testable import MoyaCaching

@Suite(.queued, .timeLimit(.minutes(10))) struct HTTPHeadersTests {
    @Test("names are compared without regard to case, values with regard to it; the order is significant")
    func equality() {
        let one: HTTPHeaders = ["Accept": "a", "X-Id": "1"]
        let other: HTTPHeaders = ["accept": "a", "x-ID": "1"]
        expectEqual(one, other)
        expectEqual(one.hashValue, other.hashValue)
        #expect(one != ["Accept": "A", "X-Id": "1"])
        #expect(one != ["X-Id": "1", "Accept": "a"])
        #expect(HTTPHeaders.Field(name: "É", value: "") != HTTPHeaders.Field(name: "é", value: ""))
    }

    @Test(
        "RFC 9110, 5.5: control characters other than a tab are refused in values", arguments: Array(0..<0x21) + [0x7f])
    func controls(_ code: Int) throws {
        let scalar = try #require(Unicode.Scalar(code))
        let headers: HTTPHeaders = ["X-A": "a\(Character(scalar))b"]
        if code == 9 || code == 0x20 {
            #expect(throws: Never.self) { try headers.validate() }
        } else {
            #expect(throws: TransportError.self) { try headers.validate() }
        }
    }

    @Test func namesAreComparedWithoutRegardToCase() {
        var headers: HTTPHeaders = ["Content-Type": "a"]
        expectEqual(headers["content-TYPE"], "a")
        headers["CONTENT-TYPE"] = "b"
        expectEqual(headers.fields, [.init(name: "CONTENT-TYPE", value: "b")])
        headers["content-type"] = nil
        #expect(headers.fields.isEmpty)
    }

    @Test func repeatedFieldsAreKeptApartAndReadTogether() {
        var headers = HTTPHeaders()
        headers.add("Via", "a")
        headers.add("X", "y")
        headers.add("via", "b")
        expectEqual(headers["Via"], "a, b")
        expectEqual(headers.values(for: "VIA"), ["a", "b"])
        expectEqual(headers.dictionary, ["Via": "a, b", "X": "y"])
        headers["via"] = "c"
        expectEqual(headers.fields.map(\.value), ["c", "y"])
    }

    @Test func mergingReplacesByName() {
        let merged = HTTPHeaders(["a": "1", "b": "2"]).merging(["A": "3"])
        expectEqual(merged["a"], "3")
        expectEqual(merged["b"], "2")
        expectEqual(merged.fields.count, 2)
    }

    @Test func aDictionaryWithTwoSpellingsGivesOneField() {
        expectEqual(HTTPHeaders(["content-type": "a", "Content-Type": "b"]).fields.count, 1)
    }

    @Test(
        "RFC 9110, 5.1: a name that is not a token is refused",
        arguments: ["", "a b", "a:", "a\r\nb", "ä", "a\0", "(a)"])
    func refusesNames(_ name: String) {
        let headers = HTTPHeaders(fields: [.init(name: name, value: "v")])
        let error = #expect(throws: TransportError.self) { try headers.validate() }
        #expect(error?.description.contains("is not a header name") == true)
    }

    @Test(
        "RFC 9110, 5.5: a value with a line break or NUL is refused, and not shown",
        arguments: ["\r", "\n", "\r\n", "\0"])
    func refusesValues(_ text: String) {
        let headers = HTTPHeaders(fields: [.init(name: "Authorization", value: "secret\(text)X: y")])
        let error = #expect(throws: TransportError.self) { try headers.validate() }
        #expect(error?.description.contains("Authorization") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test func itsDescriptionShowsNoValues() {
        expectEqual("\(["Authorization": "secret", "Accept": "a"] as HTTPHeaders)", "Authorization, Accept")
        expectEqual("\([HTTPHeaders.Field(name: "Authorization", value: "secret")])", "[Authorization]")
    }

    @Test("RFC 9113, 8.2.3: fields with the name Cookie are joined by a semicolon, as one list of cookies")
    func cookies() {
        var headers: HTTPHeaders = ["Cookie": "a=1"]
        headers.add("cookie", "b=2; c=3")
        headers.add("Cookie", "d=4")
        expectEqual(headers["Cookie"], "a=1; b=2; c=3; d=4")
        expectEqual(headers.dictionary, ["Cookie": "a=1; b=2; c=3; d=4"])
        expectEqual(headers.values(for: "Cookie").count, 3)
    }

    // With 50,000 fields, code that compares each field with each other one needs minutes.

    private static let count = 25_000
    private static let many = HTTPHeaders(fields: (0..<count).map { .init(name: "X-\($0)", value: "\($0)") })

    @Test("lists of many fields are merged without comparing each field with each other one")
    func mergingManyFields() {
        let merged = Self.many.merging(HTTPHeaders(fields: Self.many.fields.reversed()))
        expectEqual(merged.fields, Self.many.fields.reversed())
    }

    @Test("a dictionary with many names becomes a list without comparing each with each")
    func manyNames() {
        expectEqual(HTTPHeaders(Self.many.dictionary).fields.count, Self.count)
    }

    @Test("many values of one name are joined without copying all for each")
    func manyValues() {
        let value = String(repeating: "v", count: 30)
        let headers = HTTPHeaders(fields: Array(repeating: .init(name: "A", value: value), count: 100_000))
        expectEqual(headers["a"]?.utf8.count, 3_199_998)
        expectEqual(headers.dictionary["A"]?.utf8.count, 3_199_998)
    }

    @Test("a request with many fields is prepared and redirected without that, too")
    func manyFieldsOfARequest() async throws {
        let requests = Box<[TransportRequest]>([])
        let origin = ScriptedTransport { request in
            requests.change { $0.append(request) }
            return request.url.host() == "a.test"
                ? .response(303, headers: ["Location": "https://b.test/"], "") : .text("")
        }
        let provider = MoyaProvider<Page>(transport: origin, defaultHeaders: Self.many)
        let own = Dictionary(uniqueKeysWithValues: (0..<Self.count).map { ("Content-\($0)", "1") })
        _ = try await provider.response(Page(method: .post, headers: own))
        expectEqual(requests.value.map(\.headers.fields.count), [2 * Self.count, 0])
    }

    @Test("many directives are read without copying all for each")
    func manyDirectives() throws {
        let directives = String(repeating: "no-cache=\"a\", ", count: 50_000) + "max-age=60"
        let origin = ScriptedTransport { _ in .text("content", headers: ["Cache-Control": directives]) }
        try expectEqual(origin.caching(in: HTTPCache()).batches(.get, "https://a.test/").text, "content")
    }
}
