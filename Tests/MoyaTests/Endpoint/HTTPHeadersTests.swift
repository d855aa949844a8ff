import Moya
import Testing

@Suite struct HTTPHeadersTests {
    @Test("names are compared without regard to case, values with regard to it; the order is significant")
    func equality() {
        let one: HTTPHeaders = ["Accept": "a", "X-Id": "1"]
        let other: HTTPHeaders = ["accept": "a", "x-ID": "1"]
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
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
            #expect(throws: MoyaError.self) { try headers.validate() }
        }
    }

    @Test func namesAreComparedWithoutRegardToCase() {
        var headers: HTTPHeaders = ["Content-Type": "a"]
        #expect(headers["content-TYPE"] == "a")
        headers["CONTENT-TYPE"] = "b"
        #expect(headers.fields == [.init(name: "CONTENT-TYPE", value: "b")])
        headers["content-type"] = nil
        #expect(headers.fields.isEmpty)
    }

    @Test func repeatedFieldsAreKeptApartAndReadTogether() {
        var headers = HTTPHeaders()
        headers.add("Via", "a")
        headers.add("X", "y")
        headers.add("via", "b")
        #expect(headers["Via"] == "a, b")
        #expect(headers.values(for: "VIA") == ["a", "b"])
        #expect(headers.dictionary == ["Via": "a, b", "X": "y"])
        headers["via"] = "c"
        #expect(headers.fields.map(\.value) == ["c", "y"])
    }

    @Test func mergingReplacesByName() {
        let merged = HTTPHeaders(["a": "1", "b": "2"]).merging(["A": "3"])
        #expect(merged["a"] == "3")
        #expect(merged["b"] == "2")
        #expect(merged.fields.count == 2)
    }

    @Test func aDictionaryWithTwoSpellingsGivesOneField() {
        #expect(HTTPHeaders(["content-type": "a", "Content-Type": "b"]).fields.count == 1)
    }

    @Test(
        "RFC 9110, 5.1: a name that is not a token is refused",
        arguments: ["", "a b", "a:", "a\r\nb", "ä", "a\0", "(a)"])
    func refusesNames(_ name: String) {
        let headers = HTTPHeaders(fields: [.init(name: name, value: "v")])
        let error = #expect(throws: MoyaError.self) { try headers.validate() }
        #expect(error?.description.contains("is not a header name") == true)
    }

    @Test(
        "RFC 9110, 5.5: a value with a line break or NUL is refused, and not shown",
        arguments: ["\r", "\n", "\r\n", "\0"])
    func refusesValues(_ text: String) {
        let headers = HTTPHeaders(fields: [.init(name: "Authorization", value: "secret\(text)X: y")])
        let error = #expect(throws: MoyaError.self) { try headers.validate() }
        #expect(error?.description.contains("Authorization") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test func itsDescriptionShowsNoValues() {
        #expect("\(["Authorization": "secret", "Accept": "a"] as HTTPHeaders)" == "Authorization, Accept")
    }
}
