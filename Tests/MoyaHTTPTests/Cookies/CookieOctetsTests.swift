import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if os(Linux)
    /// Cookies that are not UTF-8, which servers get back as they have sent them.
    ///
    /// The loopback server replaces each byte that is not UTF-8 with U+FFFD, so that a byte in Latin-1 differs from the
    /// same character in UTF-8.
    @Suite(.queued, .timeLimit(.minutes(10))) struct CookieOctetsTests {
        private let jar = CookieJar()
        private let eAcute: [UInt8] = [0xe9]

        private func line(_ parts: [UInt8]...) -> Data { Data(parts.joined()) + Data("\r\n".utf8) }
        private func line(_ text: String) -> Data { Data(text.utf8) + Data("\r\n".utf8) }

        /// Starts a server whose response to `/login` has the given lines, and which echoes `Cookie` elsewhere.
        private func server(_ lines: [Data]) throws -> LoopbackServer {
            let head = [line("HTTP/1.1 200 OK"), line("Content-Length: 0")] + lines + [line("")]
            return try LoopbackServer { request in
                request.path == "/login"
                    ? LoopbackReply([.send(Data(head.joined()))]) : .text(request.headers["Cookie"] ?? "none")
            }
        }

        private func cookies(_ lines: Data...) async throws -> String {
            let server = try server(lines)
            defer { server.stop() }
            let provider = MoyaProvider<Local>(transport: try CurlTransport(), cookies: jar)
            _ = try await provider.response(Local(server, "/login"))
            return try await provider.response(Local(server)).mapString()
        }

        @Test("a cookie in Latin-1 is sent back with the bytes that the server has set")
        func latin1() async throws {
            let field = line(Array("Set-Cookie: name=caf".utf8), eAcute, Array("; Path=/".utf8))
            try await expectEqual(cookies(field), "name=caf\u{FFFD}")
            expectEqual(jar.cookies.map(\.value), ["café"])
        }

        @Test("cookies in Latin-1 and in UTF-8 are sent in one field, each with its bytes")
        func mixed() async throws {
            let latin1 = line(Array("Set-Cookie: a=".utf8), eAcute, [0xff])
            let utf8 = line("Set-Cookie: b=é漢")
            let ascii = line("Set-Cookie: c=3")
            try await expectEqual(cookies(latin1, utf8, ascii), "a=\u{FFFD}\u{FFFD}; b=é漢; c=3")
        }

        @Test("names with different bytes are different cookies, even if they are the same text")
        func names() async throws {
            let latin1 = line(Array("Set-Cookie: ".utf8), eAcute, Array("=1".utf8))
            try await expectEqual(cookies(latin1, line("Set-Cookie: é=2"), latin1), "\u{FFFD}=1; é=2")
            expectEqual(jar.cookies.count, 2)
        }

        @Test("a folded line keeps the bytes of a cookie")
        func folded() async throws {
            let start = line("Set-Cookie: a=é")
            let rest = line(Array(" b".utf8), eAcute)
            try await expectEqual(cookies(start, rest, line(" é")), "a=é b\u{FFFD} é")
        }

        @Test("after a redirect, a cookie is sent with its bytes, too")
        func redirect() async throws {
            let field = line(Array("Set-Cookie: a=".utf8), eAcute)
            let head = [line("HTTP/1.1 302 Found"), line("Content-Length: 0"), line("Location: /end"), field, line("")]
            let server = try LoopbackServer { request in
                request.path == "/login"
                    ? LoopbackReply([.send(Data(head.joined()))]) : .text(request.headers["Cookie"] ?? "none")
            }
            defer { server.stop() }
            let provider = MoyaProvider<Local>(transport: try CurlTransport(), cookies: jar)
            try await expectEqual(provider.response(Local(server, "/login")).mapString(), "a=\u{FFFD}")
        }

        @Test("a value that is canonically equal to the previous one is sent with its own bytes")
        func canonicallyEqual() async throws {
            let server = try LoopbackServer { .text($0.headers["X-Name"] ?? "none") }
            defer { server.stop() }
            let provider = MoyaProvider<Local>(transport: try CurlTransport(threads: 1))
            for name in ["\u{E9}", "e\u{301}", "\u{E9}"] {
                let text = try await provider.response(Local(server, headers: ["X-Name": name])).mapString()
                #expect(text.unicodeScalars.elementsEqual(name.unicodeScalars))
            }
        }
    }
#endif
