import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct CookieJarTests {
    private let jar = CookieJar()

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func set(_ field: String, from text: String) throws {
        let head = ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: ["Set-Cookie": field])
        jar.store(head, from: try url(text))
    }

    private func sent(to text: String) throws -> String? { jar.field(for: try url(text))?.value }

    @Test("RFC 6265, 5.1.3: a cookie is for its host, or for all hosts of the domain that it names")
    func domains() throws {
        try set("own=1", from: "https://shop.example.com/")
        try set("all=2; Domain=example.com", from: "https://shop.example.com/")
        try expectEqual(sent(to: "https://shop.example.com/"), "own=1; all=2")
        try expectEqual(sent(to: "https://example.com/"), "all=2")
        try expectEqual(sent(to: "https://other.example.com/"), "all=2")
        #expect(try sent(to: "https://notexample.com/") == nil)
        #expect(try sent(to: "https://shop.example.com.evil.net/") == nil)
    }

    @Test("cookies never make a request too long: those beyond 64 KiB are not sent")
    func manyLongCookies() throws {
        try set("short=1", from: "https://shop.example/")
        for number in 0..<100 {
            try set("c\(number)=" + String(repeating: "x", count: 4000), from: "https://shop.example/")
        }
        let field = try #require(try sent(to: "https://shop.example/"))
        #expect(field.hasPrefix("short=1; c0="))
        #expect((60 << 10...64 << 10).contains(field.utf8.count), "\(field.utf8.count) bytes")
    }

    @Test(
        "cookies that a server may not set are ignored",
        arguments: [
            ("a=1; Domain=other.com", "https://shop.example.com/"), ("a=1; Domain=com", "https://shop.example.com/"),
            ("a=1; Domain=deep.shop.example.com", "https://shop.example.com/"),
            ("a=1; Secure", "http://shop.example.com/"),
            ("a=\(String(repeating: "x", count: 5000))", "https://shop.example.com/"),
            ("a=1; Max-Age=0", "https://shop.example.com/"),
            ("a=1; Expires=Sun, 06 Nov 1994 08:49:37 GMT", "https://shop.example.com/"),
            ("", "https://shop.example.com/"),
            ("a=1; Domain=.0.0.1", "http://127.0.0.1/"),
        ])
    func refuses(_ field: String, _ origin: String) throws {
        try set(field, from: origin)
        #expect(jar.cookies.isEmpty)
    }

    @Test("a Secure cookie is sent over TLS only, to any host")
    func secure() throws {
        try set("s=1; Secure", from: "https://a.example.com/")
        try expectEqual(sent(to: "https://a.example.com/"), "s=1")
        #expect(try sent(to: "http://a.example.com/") == nil)
    }

    @Test("RFC 6265, 5.1.4 and 5.4: cookies for longer paths are sent first")
    func paths() throws {
        try set("root=1; Path=/", from: "https://a.example.com/")
        try set("deep=2; Path=/docs", from: "https://a.example.com/")
        try expectEqual(sent(to: "https://a.example.com/docs"), "deep=2; root=1")
        try expectEqual(sent(to: "https://a.example.com/docs/web"), "deep=2; root=1")
        try expectEqual(sent(to: "https://a.example.com/docsets"), "root=1")
    }

    @Test func aCookieIsReplacedRemovedAndForgotten() throws {
        try set("a=1; Path=/", from: "https://a.example.com/")
        try set("a=2; Path=/", from: "https://a.example.com/")
        try expectEqual(sent(to: "https://a.example.com/"), "a=2")
        try set("a=; Path=/; Max-Age=0", from: "https://a.example.com/")
        #expect(jar.cookies.isEmpty)
        try set("b=1", from: "https://a.example.com/")
        jar.removeAll()
        #expect(try sent(to: "https://a.example.com/") == nil)
    }

    @Test("a comma in a value is part of the value")
    func commas() throws {
        try set("lang=en,session=evil; Path=/", from: "https://a.example.com/")
        try expectEqual(sent(to: "https://a.example.com/"), "lang=en,session=evil")
    }

    @Test(
        "several fields of one response are several cookies; Max-Age takes precedence over Expires",
        arguments: TransportKind.allCases)
    func severalFields(_ kind: TransportKind) async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let server = try LoopbackServer { request in
            guard request.path == "/login" else { return .text(request.headers["Cookie"] ?? "none") }
            var headers: HTTPHeaders = ["Set-Cookie": "a=1; Path=/; Expires=\(date); Max-Age=6000"]
            headers.add("Set-Cookie", "b=2; Path=/; Expires=\(date)")
            headers.add("Set-Cookie", "c=3; Path=/; Max-Age=99999999999")
            return .status(200, headers: headers)
        }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(transport: try kind.make(), cookies: jar)
        _ = try await provider.response(Local(server, "/login"))
        try await expectEqual(provider.response(Local(server)).mapString(), "a=1; c=3")
    }

    @Test("a cookie that has expired is neither sent nor listed")
    func expires() throws {
        let now = Box(Date(timeIntervalSince1970: 0))
        let jar = CookieJar { now.value }
        let head = ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: ["Set-Cookie": "a=1; Max-Age=60"])
        jar.store(head, from: try url("https://a.example.com/"))
        expectEqual(jar.cookies.map(\.name), ["a"])
        now.value = Date(timeIntervalSince1970: 60)
        #expect(jar.cookies.isEmpty)
        #expect(jar.field(for: try url("https://a.example.com/")) == nil)
    }

    @Test("an expired Secure cookie protects no name, and displaces no cookie")
    func expiredCookiesAreRemoved() throws {
        let now = Box(Date(timeIntervalSince1970: 0))
        let jar = CookieJar { now.value }
        func set(_ field: String, from text: String) throws {
            let head = ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: ["Set-Cookie": field])
            jar.store(head, from: try url(text))
        }
        try set("sid=1; Secure; Max-Age=10", from: "https://a.example.com/")
        try set("keep=1", from: "https://a.example.com/")
        for number in 0..<170 { try set("c\(number)=1; Max-Age=10", from: "https://a.example.com/") }
        now.value = Date(timeIntervalSince1970: 60)
        try set("sid=2", from: "http://a.example.com/")
        for number in 0..<100 { try set("d\(number)=1", from: "https://a.example.com/") }
        expectEqual(jar.cookies.count, 102)
        #expect(jar.field(for: try url("http://a.example.com/"))?.value.hasPrefix("keep=1; sid=2") == true)
    }

    @Test("a cookie is equal after a conversion to Foundation's type and back")
    func foundation() throws {
        for cookie in [
            Cookie(name: "a", value: "1", domain: "a.example.com"),
            Cookie(name: "b", value: "2", domain: "Example.com", isHostOnly: false, path: "/x", isSecure: true),
            Cookie(name: "d", value: "4", domain: "a.example", isHTTPOnly: true),
            Cookie(name: "c", value: "3", domain: "a.example", expires: Date(timeIntervalSince1970: 4_000_000_000)),
        ] {
            expectEqual(Cookie(try #require(cookie.httpCookie)), cookie)
        }
        jar.store(Cookie(name: "d", value: "4", domain: "a.example.com"))
        try expectEqual(sent(to: "http://a.example.com/x"), "d=4")
        expectEqual("\(jar.cookies)", "[d for a.example.com/]")
    }

    @Test("a server cannot exhaust the memory")
    func limits() throws {
        for number in 0..<400 { try set("c\(number)=1", from: "https://a.example.com/") }
        expectEqual(jar.cookies.count, 180)
        #expect(try sent(to: "https://a.example.com/")?.contains("c399=1") == true)
    }

    @Test("with a jar, a session continues over redirects and requests", arguments: TransportKind.allCases)
    func overTheWire(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/login": .status(302, headers: ["Set-Cookie": "session=ash; Path=/", "Location": "/home"])
            default: .text(request.headers["Cookie"] ?? "no session")
            }
        }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(transport: try kind.make(), cookies: jar)
        try await expectEqual(provider.response(Local(server, "/login")).mapString(), "session=ash")
        try await expectEqual(provider.response(Local(server, "/other")).mapString(), "session=ash")
        let own = Local(server, headers: ["Cookie": "mine=1"])
        try await expectEqual(provider.response(own).mapString(), "mine=1")
        let without = MoyaProvider<Local>(transport: try kind.make())
        try await expectEqual(without.response(Local(server, "/login")).mapString(), "no session")
        let shared = MoyaProvider<Local>(transport: try kind.make(), cookies: jar)
        try await expectEqual(shared.response(Local(server)).mapString(), "session=ash")
    }
}
