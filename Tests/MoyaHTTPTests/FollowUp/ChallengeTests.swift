import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct ChallengeTests {
    @Test(
        "RFC 9110, 11.6.1: fields with several challenges, quotes and commas are parsed",
        arguments: [
            ([#"Basic realm="a, b""#], [("basic", ["realm": "a, b"])]),
            (
                [#"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#],
                [
                    ("newauth", ["realm": "apps", "type": "1", "title": #"Login to "apps""#]),
                    ("basic", ["realm": "simple"]),
                ]
            ),
            (
                ["Negotiate", "Digest nonce = \"n\" , qop=auth"],
                [("negotiate", [:]), ("digest", ["nonce": "n", "qop": "auth"])]
            ),
            ([""], []), ([" , ,"], []), (["=\"x"], []), (["Basic realm=\"open"], [("basic", ["realm": "open"])]),
            (["Basic realm=\"\\"], [("basic", ["realm": "\\"])]),
            (["Negotiate YII==, Basic realm=x"], [("negotiate", ["yii": ""]), ("basic", ["realm": "x"])]),
            (["NTLM abc=,Basic realm=x"], [("ntlm", ["abc": ""]), ("basic", ["realm": "x"])]),
        ] as [([String], [(String, [String: String])])])
    func parses(_ values: [String], _ expected: [(String, [String: String])]) {
        expectEqual(Challenge.parse(values), expected.map { Challenge(scheme: $0.0, parameters: $0.1) })
    }

    @Test("random fields are parsed without a crash or a hang")
    func randomFields() {
        var generator = SeededGenerator(seed: 3)
        let alphabet = Array("ab,= \t\"\\é\u{0}")
        for _ in 0..<5000 {
            let length = Int.random(in: 0...20, using: &generator)
            let value = String((0..<length).compactMap { _ in alphabet.randomElement(using: &generator) })
            #expect(Challenge.parse([value]).count <= value.count)
        }
    }

    private func digest(_ field: String) throws -> DigestChallenge {
        try #require(Challenge.parse([field]).first.flatMap(DigestChallenge.init))
    }

    private func authorization(_ field: String) throws -> String {
        let url = try #require(URL(string: "http://www.example.org/dir/index.html"))
        return try digest(field).response(
            user: "Mufasa", password: "Circle of Life", method: .get, url: url,
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", count: 1)
    }

    @Test("RFC 7616, 3.9.1: the responses equal the examples of the document")
    func digestExamples() throws {
        let rest =
            #"realm="http-auth@example.org", qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", "#
            + #"opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
        let md5 = try authorization("Digest \(rest), algorithm=MD5")
        #expect(md5.contains(#"response="8ca523f5e9506fed4657c9700eebdbec""#))
        let sha = try authorization("Digest \(rest), algorithm=SHA-256")
        #expect(sha.contains(#"response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1""#))
        #expect(sha.contains("algorithm=SHA-256"))
        #expect(sha.contains("qop=auth, nc=00000001"))
        #expect(sha.contains(#"opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#))
    }

    @Test("RFC 7616, 3.9.2, with erratum 4897: the response equals the example of the document")
    func digestExampleWithHashOfUser() throws {
        let field =
            #"Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, "#
            + #"nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", charset=UTF-8, userhash=true"#
        let url = try #require(URL(string: "http://api.example.org/doe.json"))
        let authorization = try digest(field).response(
            user: "J\u{e4}s\u{f8}n Doe", password: "Secret, or not?", method: .get, url: url,
            clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v", count: 1)
        let response = #"response="3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5""#
        #expect(authorization.contains(response))
    }

    @Test("RFC 7616, 3.4.4: a server that asks for a hash of the user name receives no user name")
    func hashOfUser() async throws {
        let server = try LoopbackServer { request in
            request.headers["Authorization"] == nil
                ? .status(
                    401,
                    headers: [
                        "WWW-Authenticate":
                            #"Digest realm="api@example.org", qop="auth", nonce="n", algorithm=SHA-512-256, userhash=true"#
                    ])
                : .text("in")
        }
        defer { server.stop() }
        let plugin = CredentialsPlugin { _ in
            URLCredential(user: "J\u{e4}s\u{f8}n Doe", password: "Secret, or not?", persistence: .none)
        }
        let response = try await MoyaProvider<Local>(plugins: [plugin]).response(Local(server))
        try expectEqual(response.mapString(), "in")
        let given = server.requests.last?.headers["Authorization"] ?? ""
        #expect(given.contains(#"username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b""#))
        #expect(given.contains("userhash=true"))
        #expect(given.contains("algorithm=SHA-512-256"))
    }

    @Test("a server that requires auth-int is an error that names it, unless it accepts Basic, too")
    func contentHash() async throws {
        let digest = #"Digest realm="r", nonce="n", qop="auth-int""#
        let strict = try LoopbackServer { _ in .status(401, headers: ["WWW-Authenticate": digest]) }
        defer { strict.stop() }
        let error = await #expect(throws: MoyaError.self) {
            try await provider(TransportKind.allCases[0]).response(Local(strict))
        }
        #expect(error?.description.contains("auth-int") == true)
        expectEqual(strict.requests.count, 1)
        // Without a credential, the challenge is the response.
        try await expectEqual(MoyaProvider<Local>().response(Local(strict)).statusCode, 401)
        let lenient = try LoopbackServer { request in
            request.headers["Authorization"] == "Basic YXNoOnBpa2E="
                ? .text("in") : .status(401, headers: ["WWW-Authenticate": digest + #", Basic realm="r""#])
        }
        defer { lenient.stop() }
        let response = try await provider(TransportKind.allCases[0]).response(Local(lenient))
        try expectEqual(response.mapString(), "in")
    }

    @Test("Digest signs the target that is sent, also without dot segments", arguments: TransportKind.allCases)
    func dotSegments(_ kind: TransportKind) async throws {
        struct Dotted: TargetType {
            let baseURL: URL
            let path = "/c"
        }
        let server = try LoopbackServer { request in
            let given = request.headers["Authorization"] ?? ""
            return given.contains("uri=\"\(request.target)\"")
                ? .text(request.target)
                : .status(401, headers: ["WWW-Authenticate": #"Digest realm="r", qop="auth", nonce="n""#])
        }
        defer { server.stop() }
        let plugin = CredentialsPlugin { _ in URLCredential(user: "ash", password: "pika", persistence: .none) }
        let provider = MoyaProvider<Dotted>(transport: try kind.make(), plugins: [plugin])
        let base = try #require(URL(string: "\(server.url.absoluteString)/a/../b"))
        try await expectEqual(provider.response(Dotted(baseURL: base)).mapString(), "/b/c")
    }

    @Test("RFC 2069: without a quality of protection, the older form is used")
    func oldDigest() throws {
        let field = #"Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#
        let url = try #require(URL(string: "http://a.example/dir/index.html"))
        let authorization = try digest(field).response(
            user: "Mufasa", password: "CircleOfLife", method: .get, url: url, clientNonce: "x", count: 1)
        #expect(authorization.contains(#"response="1949323746fe6a43ef61f9606e7febea""#))
        #expect(!authorization.contains("qop"))
    }

    @Test(
        "a challenge without a matching credential is the response",
        arguments: [
            #"Digest realm="a""#, #"Digest nonce="n", algorithm=SHA-1"#, #"Digest nonce="n", qop="auth-int""#,
            "Basic realm=a",
        ])
    func unknown(_ field: String) {
        #expect(Challenge.parse([field]).compactMap(DigestChallenge.init).isEmpty)
    }

    private func provider(
        _ kind: TransportKind, _ asked: Box<Int> = Box(0), redirects: RedirectPolicy = .follow
    ) throws -> MoyaProvider<Local> {
        MoyaProvider<Local>(
            transport: try kind.make(),
            plugins: [
                CredentialsPlugin { _ in
                    asked.change { $0 += 1 }
                    return URLCredential(user: "ash", password: "pika", persistence: .none)
                }
            ], redirects: redirects)
    }

    @Test("RFC 7617: credentials are sent after a Basic challenge", arguments: TransportKind.allCases)
    func basic(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { request in
            request.headers["Authorization"] == "Basic YXNoOnBpa2E="
                ? .echo(request) : .status(401, headers: ["WWW-Authenticate": #"Basic realm="r""#])
        }
        defer { server.stop() }
        let asked = Box(0)
        let task = RequestTask.requestData(Data("again".utf8))
        let response = try await provider(kind, asked).response(Local(server, "/a", method: .post, task: task))
        try expectEqual(response.mapString(), "again")
        expectEqual(server.requests.count, 2)
        expectEqual(asked.value, 1)
    }

    @Test("Digest is preferred to Basic, and a stale nonce is retried once", arguments: TransportKind.allCases)
    func digestOverTheWire(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { request in
            let given = request.headers["Authorization"] ?? ""
            guard given.contains("nonce=\"2\""), given.contains(#"uri="/a?q=1""#) else {
                let (nonce, stale) = given.isEmpty ? ("1", "false") : ("2", "true")
                let digest = #"Digest realm="r", qop="auth", nonce="\#(nonce)", stale=\#(stale)"#
                return .status(401, headers: ["WWW-Authenticate": #"Basic realm="r", "# + digest])
            }
            return .text("in")
        }
        defer { server.stop() }
        let task = RequestTask.requestParameters(parameters: ["q": 1], encoding: URLEncoding.default)
        let response = try await provider(kind).response(Local(server, "/a", task: task))
        try expectEqual(response.mapString(), "in")
        expectEqual(server.requests.count, 3)
    }

    @Test("refused credentials are not sent again, so that there is no loop", arguments: TransportKind.allCases)
    func refused(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in .status(401, headers: ["WWW-Authenticate": #"Basic realm="r""#]) }
        defer { server.stop() }
        let response = try await provider(kind).response(Local(server))
        expectEqual(response.statusCode, 401)
        expectEqual(server.requests.count, 2)
    }

    @Test("another origin receives no credentials", arguments: TransportKind.allCases)
    func otherOrigin(_ kind: TransportKind) async throws {
        let other = try LoopbackServer { _ in .status(401, headers: ["WWW-Authenticate": #"Basic realm="r""#]) }
        defer { other.stop() }
        let server = try LoopbackServer { _ in .status(302, headers: ["Location": other.url.absoluteString]) }
        defer { server.stop() }
        let response = try await provider(kind).response(Local(server))
        expectEqual(response.statusCode, 401)
        expectEqual(other.requests.count, 1)
        #expect(other.requests.allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test("without a credential, the challenge is the response, also with a stub")
    func none() async throws {
        let server = try LoopbackServer { _ in .status(401, headers: ["WWW-Authenticate": "Basic realm=r"]) }
        defer { server.stop() }
        let asked = Box(0)
        let plugin = CredentialsPlugin { _ in
            asked.change { $0 += 1 }
            return nil
        }
        try await expectEqual(MoyaProvider<Local>(plugins: [plugin]).response(Local(server)).statusCode, 401)
        let stub = MoyaProvider<Local>(stubClosure: MoyaProvider.immediatelyStub, plugins: [plugin])
        _ = try await stub.response(Local(server))
        expectEqual(asked.value, 2)
        expectEqual(server.requests.count, 1)
    }

    @Test(
        "a response to a digest challenge is valid for its request only, and is computed again after a redirect",
        arguments: TransportKind.allCases)
    func digestAndRedirect(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { request in
            let given = request.headers["Authorization"] ?? ""
            guard given.contains("uri=\"\(request.target)\"") else {
                return .status(401, headers: ["WWW-Authenticate": #"Digest realm="r", qop="auth", nonce="n""#])
            }
            return request.path == "/a" ? .status(302, headers: ["Location": "/b"]) : .text("in")
        }
        defer { server.stop() }
        let response = try await provider(kind).response(Local(server, "/a"))
        try expectEqual(response.mapString(), "in")
        expectEqual(server.requests.map(\.path), ["/a", "/a", "/b", "/b"])
    }

    @Test(
        "a user name that would break the message is not sent",
        arguments: [#"Basic realm="r""#, #"Digest nonce="n", realm="r""#])
    func hostileName(_ challenge: String) async throws {
        let server = try LoopbackServer { _ in .status(401, headers: ["WWW-Authenticate": challenge]) }
        defer { server.stop() }
        let plugin = CredentialsPlugin { _ in
            URLCredential(user: "u\r\nX-Evil: yes", password: "p", persistence: .none)
        }
        let error = await #expect(throws: MoyaError.self) {
            try await MoyaProvider<Local>(plugins: [plugin]).response(Local(server))
        }
        expectEqual(error?.kind, .request)
        #expect(error?.description.contains("control character") == true)
        expectEqual(server.requests.count, 1)
    }

    @Test("RFC 7617, 2: a user name with a colon is refused for Basic, and sent for Digest")
    func colon() async throws {
        let plugin = CredentialsPlugin { _ in URLCredential(user: "a:b", password: "p", persistence: .none) }
        let basic = try LoopbackServer { _ in .status(401, headers: ["WWW-Authenticate": #"Basic realm="r""#]) }
        defer { basic.stop() }
        let error = await #expect(throws: MoyaError.self) {
            try await MoyaProvider<Local>(plugins: [plugin]).response(Local(basic))
        }
        expectEqual(error?.kind, .request)
        #expect(error?.description.contains("colon") == true)
        expectEqual(basic.requests.count, 1)
        let digest = try LoopbackServer { request in
            request.headers["Authorization"]?.contains(#"username="a:b""#) == true
                ? .text("in") : .status(401, headers: ["WWW-Authenticate": #"Digest nonce="n", qop="auth""#])
        }
        defer { digest.stop() }
        try await expectEqual(MoyaProvider<Local>(plugins: [plugin]).response(Local(digest)).mapString(), "in")
    }

    @Test("RFC 7616, 3.4: the count of a nonce increases with each use, for all requests of a provider")
    func nonceCount() async throws {
        let server = try LoopbackServer { request in
            request.headers["Authorization"] == nil
                ? .status(401, headers: ["WWW-Authenticate": #"Digest nonce="n", qop="auth""#]) : .text("in")
        }
        defer { server.stop() }
        let provider = try provider(TransportKind.allCases[0])
        for _ in 0..<11 { _ = try await provider.response(Local(server)) }
        let counts = server.requests.compactMap { $0.headers["Authorization"]?.firstMatch(of: /nc=([0-9a-f]{8})/)?.1 }
        expectEqual(counts.map { Int($0, radix: 16) }, Array(1...11))
        let nonces = NonceCounts()
        for number in 0..<1000 { expectEqual(nonces.next("\(number)"), 1) }
    }

    @Test("a quote with a combining mark is parsed as a quote")
    func quotes() throws {
        let url = try #require(URL(string: "http://a.example/"))
        let authorization = try digest(#"Digest nonce="n""#).response(
            user: "a\"\u{301}b", password: "", method: .get, url: url, clientNonce: "x", count: 1)
        #expect(authorization.hasPrefix("Digest username=\"a\\\"\u{301}b\""))
    }
}
