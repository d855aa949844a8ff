import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct PathTemplateTests {
    struct Show: TargetType {
        var baseURL = URL(string: "http://a.example/v1?k=1") ?? URL(filePath: "/")
        var path = "/user/{id}"
        var id: String?
        var parameters: [String: any Sendable]? { nil }
    }

    private func url(_ target: some TargetType) throws -> String? {
        try MoyaProvider().endpoint(target).urlRequest().url?.absoluteString
    }

    @Test(
        "a value is encoded as one segment",
        arguments: [
            ("7", "7"), ("a/b?c%20 é", "a%2Fb%3Fc%2520%20%C3%A9"), ("#;=&", "%23%3B%3D%26"), ("...", "..."),
            ("{id}", "%7Bid%7D"),
            ("..%2f", "..%252f"),
        ])
    func encodesValues(_ value: String, _ segment: String) throws {
        try expectEqual(url(Show(id: value)), "http://a.example/v1/user/\(segment)?k=1")
    }

    @Test("random values do not change the number of segments")
    func randomValues() throws {
        var generator = SplitMixGenerator(seed: 7)
        let alphabet = Array("aZ09/\\.%?#&=+ :;@{}\"'<>|^`~é漢\u{0}\u{7f}\n\r\t")
        for _ in 0..<2000 {
            let length = Int.random(in: 1...8, using: &generator)
            let value = String((0..<length).compactMap { _ in alphabet.randomElement(using: &generator) })
            guard ![".", ".."].contains(value) else { continue }
            let whole = try #require(try url(Show(id: value)))
            let rest = whole.dropFirst("http://a.example/v1/user/".count).dropLast("?k=1".count)
            #expect(!rest.contains { "/?#".contains($0) })
            expectEqual(String(rest).removingPercentEncoding, value)
        }
    }

    @Test("a value that would change the path is refused, and so is a missing value", arguments: [".", "..", "", nil])
    func refusesValues(_ value: String?) {
        let error = #expect(throws: MoyaError.self) { try url(Show(id: value)) }
        #expect(error?.description.contains(#"path "/user/{id}" needs a value for {id}, but Show has"#) == true)
    }

    @Test(
        "a path with a dot segment is refused, also if a value or an encoded dot completes it",
        arguments: [
            ("/a/../b", RequestOptions.PathMode.literal), ("..", .literal), ("/a/..", .literal), ("/./a", .literal),
            ("/a/.{id}", .literal), ("/a/..?b", .allowingQuery), ("/a/%2e%2E/b", .preEncoded), ("/a/.%2e", .preEncoded),
        ])
    func refusesDotSegments(_ path: String, _ mode: RequestOptions.PathMode) {
        struct Dotted: TargetType {
            var baseURL = URL(string: "http://a.example/v1") ?? URL(filePath: "/")
            var path: String
            var id = "."
            var options: RequestOptions
        }
        let target = Dotted(path: path, options: RequestOptions(pathMode: mode))
        let error = #expect(throws: MoyaError.self) { try url(target) }
        #expect(error?.description.contains("would name another path") == true)
    }

    @Test(
        "dots in other segments and in the query are kept",
        arguments: ["/.well-known/a", "/a..b/...", "/a.", "/a?b=/../"])
    func keepsDots(_ path: String) throws {
        struct Dotted: TargetType {
            var baseURL = URL(string: "http://a.example") ?? URL(filePath: "/")
            var path: String
            let options = RequestOptions(pathMode: .allowingQuery)
        }
        try expectEqual(url(Dotted(path: path)), "http://a.example\(path)")
    }

    @Test func aPlaceholderWithoutAPropertyNamesTypeAndPlaceholder() {
        let error = #expect(throws: MoyaError.self) { try url(Show(path: "/a/{other}", id: "1")) }
        let reason = #"path "/a/{other}" needs a value for {other}, but Show has no stored property "other""#
        #expect(error?.description.contains(reason) == true)
    }

    @Test(
        "the query of a path follows that of the base URL and precedes its fragment",
        arguments: [
            ("http://a.example/v1#f?g", "http://a.example/v1/users?q=1#f?g"),
            ("http://a.example/v1/?k=1#f", "http://a.example/v1/users?k=1&q=1#f"),
            ("http://a.example?k=1", "http://a.example/users?k=1&q=1"),
        ])
    func placeOfTheQuery(_ base: String, _ expected: String) throws {
        struct Search: TargetType {
            let baseURL: URL
            let path = "users?q=1"
            let options = RequestOptions(pathMode: .allowingQuery)
        }
        try expectEqual(url(Search(baseURL: try #require(URL(string: base)))), expected)
    }

    @Test(
        "the rest of the path is encoded once, and joined with one slash",
        arguments: [
            ("/zen", "http://a.example/v1/zen?k=1"), ("zen", "http://a.example/v1/zen?k=1"),
            ("", "http://a.example/v1?k=1"),
            ("/a b/c?d", "http://a.example/v1/a%20b/c%3Fd?k=1"), ("/a/", "http://a.example/v1/a/?k=1"),
            ("/a%20b", "http://a.example/v1/a%2520b?k=1"),
        ])
    func joinsPaths(_ path: String, _ expected: String) throws {
        try expectEqual(url(Show(path: path)), expected)
    }

    @Test func bracesInAnEnumsPathAreText() throws {
        enum Service: TargetType {
            case user(String)
            var baseURL: URL { URL(string: "http://a.example/") ?? URL(filePath: "/") }
            var path: String { if case .user(let name) = self { "/\(name)" } else { "" } }
        }
        try expectEqual(url(Service.user("{id}")), "http://a.example/%7Bid%7D")
    }

    @Test func theProvidersBaseURLServesTargetsWithoutOne() throws {
        struct Relative: RelativeTarget {
            let path = "/user/{id}"
            let id: Int
        }
        let base = URL(string: "http://b.example/v2")
        let provider = MoyaProvider<MultiTarget>(baseURL: base)
        try expectEqual(
            provider.endpoint(MultiTarget(Relative(id: 1))).urlRequest().url?.absoluteString,
            "http://b.example/v2/user/1")
        try expectEqual(
            provider.endpoint(MultiTarget(Show(id: "1"))).urlRequest().url?.absoluteString,
            "http://a.example/v1/user/1?k=1")
        let homeless = MoyaProvider<Relative>().endpoint(Relative(id: 1))
        #expect(throws: MoyaError.self) { try homeless.urlRequest() }
    }

    private struct SplitMixGenerator: RandomNumberGenerator {
        var seed: UInt64

        mutating func next() -> UInt64 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return seed ^ (seed >> 29)
        }
    }
}
