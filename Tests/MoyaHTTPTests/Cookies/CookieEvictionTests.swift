import Foundation
import Moya
import TestSupport
import Testing

/// What a jar does when servers set more cookies than it stores.
@Suite(.queued, .timeLimit(.minutes(10))) struct CookieEvictionTests {
    private let jar = CookieJar()

    /// Receives a response that sets the cookies.
    private func receive(_ fields: [String], from url: String) throws {
        let headers = HTTPHeaders(fields: fields.map { .init(name: "Set-Cookie", value: $0) })
        let origin = ScriptedTransport { _ in .text("", headers: headers) }
        _ = try FollowUpTransport(above: origin, cookies: jar).batches(.get, url)
    }

    /// Returns the cookies that a request is sent with.
    private func sent(to url: String) throws -> [String] {
        let field = Box<String?>(nil)
        let origin = ScriptedTransport { request in
            field.value = request.headers["Cookie"]
            return .text("")
        }
        _ = try FollowUpTransport(above: origin, cookies: jar).batches(.get, url)
        return field.value?.components(separatedBy: "; ") ?? []
    }

    /// Fills the jar with 3000 Secure cookies of 20 hosts.
    private func fill(_ attributes: String) throws {
        for host in 0..<20 {
            try receive((0..<150).map { "c\($0)=1\(attributes)" }, from: "https://host\(host).example/")
        }
    }

    @Test("bis 5.7: responses over http displace no Secure cookie, so that they cannot set its name either")
    func fixation() throws {
        try receive(["sid=good; Secure"], from: "https://shop.example/")
        for number in 0..<270 { try receive(["c\(number)=1"], from: "http://shop.example/") }
        try receive(["sid=evil"], from: "http://shop.example/")
        try expectEqual(sent(to: "https://shop.example/").filter { $0.hasPrefix("sid") }, ["sid=good"])
        #expect(try sent(to: "http://shop.example/").contains { $0.hasPrefix("sid") } == false)
        expectEqual(jar.cookies.count, 180)
    }

    @Test("bis 5.7: one response over http with many cookies displaces no Secure cookie")
    func fixationAtOnce() throws {
        try receive(["sid=good; Secure"], from: "https://shop.example/")
        try receive((0..<270).map { "c\($0)=1" } + ["sid=evil"], from: "http://shop.example/")
        try expectEqual(sent(to: "https://shop.example/").filter { $0.hasPrefix("sid") }, ["sid=good"])
    }

    @Test("bis 5.7: a cookie of http for a parent domain displaces and shadows no Secure cookie")
    func parentDomain() throws {
        try receive(["sid=good; Secure; Domain=shop.example"], from: "https://www.shop.example/")
        try receive(
            (0..<270).map { "c\($0)=1; Domain=shop.example" } + ["sid=evil; Domain=shop.example"],
            from: "http://cdn.shop.example/")
        try receive(["sid=evil"], from: "http://www.shop.example/")
        try expectEqual(sent(to: "https://www.shop.example/").filter { $0.hasPrefix("sid") }, ["sid=good"])
    }

    @Test("bis 5.7: a domain full of Secure cookies stores no cookie that is not Secure")
    func secureOnly() throws {
        try receive((0..<180).map { "s\($0)=1; Secure" }, from: "https://shop.example/")
        try receive(["a=1"], from: "http://shop.example/")
        try receive(["b=1"], from: "https://shop.example/")
        expectEqual(jar.cookies.count, 180)
        #expect(jar.cookies.allSatisfy { $0.name.hasPrefix("s") })
        try receive(["s180=1; Secure"], from: "https://shop.example/")
        expectEqual(jar.cookies.count, 180)
        #expect(Set(jar.cookies.map(\.name)).symmetricDifference((1...180).map { "s\($0)" }).isEmpty)
    }

    @Test("bis 5.7: among equals, the cookie that was sent or stored the longest ago is displaced first")
    func lastAccess() throws {
        try receive(
            ["sent=1; Path=/sent", "renewed=1; Path=/other"] + (0..<178).map { "c\($0)=1; Path=/other" },
            from: "http://shop.example/")
        try receive(["renewed=2; Path=/other"], from: "http://shop.example/")
        try expectEqual(sent(to: "http://shop.example/sent"), ["sent=1"])
        try receive(["new0=1", "new1=1"], from: "http://shop.example/")
        let expected = ["sent", "renewed", "new0", "new1"] + (2..<178).map { "c\($0)" }
        #expect(Set(jar.cookies.map(\.name)).symmetricDifference(expected).isEmpty)
    }

    @Test("a full jar keeps Secure cookies when other hosts set cookies over http")
    func fullJar() throws {
        try fill("; Secure")
        for host in 0..<5 { try receive((0..<100).map { "d\($0)=1" }, from: "http://other\(host).example/") }
        expectEqual(jar.cookies.count, 3000)
        #expect(!jar.cookies.contains { !$0.isSecure })
        try receive(["new=1; Secure"], from: "https://other.example/")
        expectEqual(jar.cookies.count, 3000)
        try expectEqual(sent(to: "https://other.example/"), ["new=1"])
        try expectEqual(sent(to: "https://host0.example/").count, 149)
    }

    @Test("a head with 300 KB of cookies does not occupy a thread of the transport")
    func longHead() throws {
        try fill("; Secure")
        for origin in ["http://shop.example/", "https://shop.example/", "http://host7.example/"] {
            try receive((0..<18_000).map { "c\($0)=1" }, from: origin)
        }
        expectEqual(jar.cookies.count, 3000)
        try expectEqual(sent(to: "https://host7.example/").count, 150)
    }

    @Test("a host with many labels does not occupy a thread of the transport")
    func longHost() throws {
        let host = String(repeating: "a.", count: 100_000) + "example"
        #expect(jar.cookies(for: try #require(URL(string: "http://\(host)/"))).isEmpty)
    }
}
