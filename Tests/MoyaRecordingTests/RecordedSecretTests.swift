import Foundation
import Moya
import TestSupport
import Testing

@testable import MoyaRecording

/// Records each shape with the public recorder, and searches the bytes of the archive for the secret.
@Suite(.queued, .timeLimit(.minutes(10))) struct RecordedSecretTests {
    /// One exchange, with ``secret`` in a shape in which clients and servers send secrets.
    struct Shape: Sendable, CustomTestStringConvertible {
        var name: String
        var method: HTTPMethod = .post
        var url = "https://a.example/"
        var headers: HTTPHeaders = [:]
        var body = Data()
        var response: HTTPHeaders = [:]
        var content = Data()
        /// A text that the archive must still have, because it is not secret; empty for content that is left out.
        var kept = ""

        var testDescription: String { name }

        static func response(
            _ name: String, _ type: String?, _ content: String, kept: String = "", encoding: String.Encoding = .utf8
        ) -> Shape {
            Shape(
                name: name, response: type.map { ["Content-Type": $0] } ?? [:],
                content: content.data(using: encoding) ?? Data(), kept: kept)
        }

        static func request(_ name: String, _ type: String?, _ body: String, kept: String = "") -> Shape {
            Shape(
                name: name, headers: type.map { ["Content-Type": $0] } ?? [:], body: Data(body.utf8), kept: kept)
        }

        static func header(_ field: String, _ value: String, kept: String = "") -> Shape {
            Shape(name: "\(field): \(value)", response: [field: value], kept: kept)
        }

        static func url(_ url: String, kept: String = "") -> Shape {
            Shape(name: url, method: .get, url: url, kept: kept)
        }
    }

    /// Has characters that URLs, JSON, HTML and base64url encode.
    private static let secret = "hunter2/9f+q~=z"
    private static let plain = "hunter3-without-a-name"
    private static let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"
    private static let json = "application/json"
    private static let form = "application/x-www-form-urlencoded"
    private static let encoded = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    private static let url = "https://ann:\(encoded)@b.example/x"
    private static let presigned =
        "https://b.example/o?X-Amz-Expires=60&X-Amz-Signature=\(encoded)&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE"

    static let shapes: [Shape] = structured + fields + texts + markup + names

    private static let structured: [Shape] = [
        .response(
            "cut-off JSON", json, #"{"user":"ann","access_token":"\#(secret)","x":{"y"#, kept: #"{"user":"ann","#),
        .response(
            "JSON that is cut off in the secret", json, #"{"user":"ann","access_token":"\#(secret)"#, kept: "ann"),
        .response("cut-off JSON with numbers", json, #"{"a":1,"session":{"id":"\#(secret)","at":[1"#, kept: #""a":1"#),
        .response("cut-off JSON with escapes", json, #"{"a":"b","token":"hunter2\/9f+q~=z","u"#, kept: #""a":"b""#),
        .response("JSON with a mark", json, "\u{FEFF}{\"user\":\"ann\",\"token\":\"\(secret)\"}", kept: "ann"),
        .response("UTF-16", json, #"{"user":"ann","token":"\#(secret)"}"#, kept: "ann", encoding: .utf16),
        .response("UTF-16, big", json, #"{"token":"\#(secret)","a":"ann"}"#, kept: "ann", encoding: .utf16BigEndian),
        .response(
            "UTF-16, little", "application/json; charset=utf-16le", #"{"token":"\#(secret)","a":"ann"}"#, kept: "ann",
            encoding: .utf16LittleEndian),
        .response(
            "JSONP", "application/javascript", #"call({"user":"ann","token":"\#(secret)"});"#, kept: "call({\"user"),
        .response(
            "JSON of another type", "application/octet-stream", #"{"u":"ann","token":"\#(secret)"}"#, kept: "ann"),
        .response("JSON in a string", json, #"{"body":"{\"user\":\"ann\",\"token\":\"\#(secret)\"}"}"#, kept: "ann"),
        .response(
            "cut-off JSON in a string", json, #"{"body":"{\"user\":\"ann\",\"token\":\"\#(secret)\","#, kept: "ann"),
        .response(
            "JSON in a string with escaped quotes", "text/plain",
            #"x {"body":"{\u0022user\u0022:\u0022ann\u0022,\u0022token\u0022:\u0022\#(secret)\u0022}"#, kept: "ann"),
        .response("a presigned URL in JSON", json, #"{"u":"\#(presigned)"}"#, kept: "X-Amz-Expires=60"),
        .response("a URL with a password in JSON", json, #"{"u":"\#(url)"}"#, kept: "b.example/x"),
        .response(
            "a URL with a token as its user", json, #"{"u":"https://\#(encoded)@b.example/x"}"#, kept: "b.example/x"),
        .response(
            "a URL with escaped slashes", "text/plain", #"["https:\/\/\#(encoded)@b.example\/x?"#, kept: "b.example"),
        .response("pairs of names and values", json, #"[{"key":"X-Api-Key","value":"\#(secret)"}]"#, kept: "X-Api-Key"),
        .response("credentials under a name", json, #"{"authorization":"Bearer \#(secret)","x":"\#(secret)"}"#),
        .request("JSON as a form", form, #"{"user":"ann","token":"\#(secret)"}"#, kept: "ann"),
        .request("a form with semicolons", form, "user=ann;token=\(encoded);x=1", kept: "user=ann;"),
        .request("JSON in a form", form, "user=ann&payload=%7B%22token%22%3A%22\(encoded)%22%7D", kept: "user=ann"),
        .request(
            "multipart content that is cut off", "multipart/form-data; boundary=b",
            multipart.replacing("--b--", with: "")),
        .request(
            "multipart content with a preamble", "multipart/form-data; boundary=b", "token: \(secret)\r\n" + multipart),
        .request(
            "a part with a name without quotes", "multipart/form-data; boundary=b", multipart.replacing("\"", with: "")),
        Shape(
            name: "compressed content", headers: ["Content-Type": json, "Content-Encoding": "gzip"],
            body: Data(#"{"token":"\#(secret)"}"#.utf8)),
        .response("MessagePack", "application/msgpack", "\u{2}\u{4}user\u{3}ann\u{5}password\u{f}\(secret)"),
    ]

    private static let multipart =
        "--b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n\(secret)\r\n--b--\r\n"

    private static let fields: [Shape] = [
        .header("Link", "<https://b.example/?page=2&access_token=\(encoded)>; rel=\"next\"", kept: "rel=\\\"next\\\""),
        .header("Refresh", "5; url=\(presigned)", kept: "5; url=https://b.example/o?X-Amz-Expires=60"),
        .header("Report-To", #"{"group":"a","endpoints":[{"url":"\#(presigned)"}]}"#, kept: "endpoints"),
        .header("Reporting-Endpoints", "a=\"\(url)\"", kept: "b.example/x"),
        .header("Content-Location", presigned, kept: "X-Amz-Expires=60"),
        .header("X-Next", "/x?page=2&token=\(encoded)", kept: "page=2"),
        .header("X-Debug", "user=ann; session=\(secret)", kept: "user=ann"),
        .header("Set-Cookie", "\(plain); Path=/", kept: "; Path=/"),
        .header("Set-Cookie", "sid=\"\(secret)\"; Path=/", kept: "; Path=/"),
        .header("X-Trace", jwt),
        Shape(name: "a cookie without a name", headers: ["Cookie": "theme=1; \(plain)"]),
        Shape(name: "a composite credential", headers: ["Authorization": "AWS4 Credential=AKIA, Signature=\(secret)"]),
        .url("https://a.example/x;jsessionid=\(encoded)?page=2", kept: "page=2"),
        .url("https://a.example/?a=1;token=\(encoded);page=2", kept: "page=2"),
        .url("https://a.example/?page=2&next=https%3A%2F%2Fb.example%2F%3Ftoken%3D\(encoded)", kept: "page=2"),
        .url("https://\(encoded)@a.example/?page=2", kept: "page=2"),
        .url("https://\(encoded):x-oauth-basic@a.example/?page=2", kept: "page=2"),
        .url("https://a.example/verify/\(jwt)?page=2", kept: "page=2"),
        .url("https://a.example/callback?code=\(encoded)&page=2", kept: "page=2"),
        .url("https://a.example/?user%5Bpwd%5D=\(encoded)&page=2", kept: "page=2"),
    ]

    private static let texts: [Shape] = [
        .response("a form as text", "text/plain", "user=ann&access_token=\(secret)&scope=x", kept: "user=ann"),
        .response("a form as text, encoded", "text/plain", "user=ann&access_token=\(encoded)&scope=x", kept: "scope=x"),
        .response("YAML", "application/yaml", "user: ann\npassword: \(secret)\nport: 80", kept: "port: 80"),
        .response(
            "several words", "text/plain", "user: ann\npassphrase: correct horse \(secret)\nport: 80", kept: "port"),
        .response("an environment file", "text/plain", "export HOST=a\nexport API_KEY='\(secret)'\n", kept: "HOST=a"),
        .response(
            "a header field in text", "text/plain", "> Authorization: Bearer \(secret)\n> Accept: */*", kept: "Accept"),
        .response("credentials in text", "text/plain", "curl -u - https://ann:\(encoded)@b.example/x", kept: "curl -u"),
        .response("a bearer token in text", "text/plain", "the header is Bearer \(secret) today", kept: "today"),
        .response("a bare JWT", "text/plain", jwt),
        .response("a JWT in JSON", json, #"{"user":"ann","data":["\#(jwt)"]}"#, kept: "ann"),
        .response("a JWT that is cut off", "text/plain", String(jwt.prefix(48))),
        .response("two words as a name", "text/plain", "your api key: \(secret), ann", kept: "your api key"),
        .response(
            "Latin-1", "text/plain; charset=iso-8859-1", "größe=1&token=\(secret)", kept: "1", encoding: .isoLatin1),
        .response(
            "server-sent events", "text/event-stream", "id: 1\ndata: token=\(secret)\n\ndata: ok\n\n", kept: "data: ok"),
        .request(
            "GraphQL", "application/graphql", #"mutation { login(user: "ann", password: "\#(secret)") }"#, kept: "ann"),
        .request(
            "a GraphQL block", "application/graphql", #"{ a(token: """\#(secret)""", user: "ann") }"#, kept: "ann"),
        .request(
            "a GraphQL object", "application/graphql", #"{ a(auth: {k: "\#(secret)", p: 1}, u: "ann") }"#, kept: "ann"),
        .request(
            "GraphQL in JSON", json, #"{"query":"mutation { login(user: \"ann\", pwd: \"\#(secret)\") }"}"#, kept: "ann"
        ),
    ]

    private static let markup: [Shape] = [
        .response(
            "an element", "application/xml", "<a><user>ann</user><password>\(secret)</password></a>", kept: "ann"),
        .response(
            "SOAP", "application/soap+xml",
            "<s:Body><w:Username>ann</w:Username><w:Password Type=\"#Text\">\n \(secret)\n</w:Password></s:Body>",
            kept: "ann"),
        .response("character data", "text/xml", "<a><token><![CDATA[\(secret)]]></token><u>ann</u></a>", kept: "ann"),
        .response(
            "nested elements", "text/xml", "<credentials><a><b>\(secret)</b></a></credentials><u>ann</u>", kept: "ann"),
        .response("an attribute", "text/xml", "<login user=\"ann\" password=\"\(secret)\"/>", kept: "ann"),
        .response(
            "a named element", "text/xml", "<p name=\"token\">\(secret)</p><p name=\"user\">ann</p>", kept: "ann"),
        .response("an input field", "text/html", "<input name=\"csrf_token\" value=\"\(secret)\"> ann", kept: "ann"),
        .response(
            "a property list", "application/xml",
            "<dict><key>user</key><string>ann</string><key>password</key><string>\(secret)</string></dict>", kept: "ann"
        ),
        .response(
            "XML-RPC", "text/xml",
            "<member><name>password</name><value><string>\(secret)</string></value></member><i>ann</i>", kept: "ann"),
        .response("an element that is cut off", "text/xml", "<a><user>ann</user><password>\(secret)", kept: "ann"),
        .response("an attribute that is cut off", "text/xml", "<a user=\"ann\" password=\"\(secret)", kept: "ann"),
        .response(
            "JSON in an attribute", "text/html", "<a d=\"{&quot;token&quot;:&quot;\(secret)&quot;}\">ann</a>",
            kept: "ann"),
        .response("XML in JSON", json, #"{"xml":"<password>\#(secret)</password><u>ann</u>"}"#, kept: "ann"),
    ]

    /// Each name in a header field, a form and JSON.
    private static let names: [Shape] =
        [
            "Ocp-Apim-Subscription-Key", "X-Auth", "X-Otp-Code", "X-Consumer-Key", "X-Application-Key", "X-User-Pwd",
            "code_verifier", "client_assertion", "SAMLResponse", "subscription-key", "app_key", "otp_code", "pwd_hash",
        ].flatMap { name in
            [
                Shape(name: name, headers: [name: secret]), .request("\(name) in a form", form, "\(name)=\(encoded)"),
                .response("\(name) in JSON", json, #"{"\#(name)":"\#(secret)"}"#),
            ]
        } + [
            .request(
                "code in a form", form, "grant_type=authorization_code&code=\(encoded)", kept: "authorization_code"),
            .request("code in JSON", json, #"{"grant_type":"x","code":"\#(secret)"}"#, kept: "grant_type"),
        ]

    /// The secret in the encodings of URLs, base64, HTML and JSON.
    private static func disguises(_ secret: String) -> [String] {
        let encoded = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let base64 = Data(secret.utf8).base64EncodedString()
        let base64URL = base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return [
            secret, encoded, encoded.lowercased(), secret.replacing("/", with: "\\/"), base64, base64URL,
            base64.replacing("=", with: ""),
        ]
    }

    /// Returns the texts in an archive: the file, without the zeros of UTF-16, and all content.
    private static func texts(of archive: HAR) throws -> [String] {
        let file = String(decoding: try archive.data(), as: UTF8.self)
        let content = archive.entries.flatMap { [$0.request.content?.data, $0.response?.content.data] }
        return [file.replacing("\\u0000", with: "")]
            + content.compactMap(\.self).map { String(decoding: $0.filter { $0 != 0 }, as: UTF8.self) }
    }

    private static func recorded(_ shapes: [Shape]) throws -> HARRecorder {
        let recorder = HARRecorder()
        for shape in shapes {
            let transport = ScriptedTransport { _ in .response(200, headers: shape.response, shape.content) }
            _ = try transport.recording(recorder)
                .batches(shape.method, shape.url, headers: shape.headers, body: .data(shape.body))
        }
        return recorder
    }

    @Test("No shape of a secret is in the archive; the rest of the message is", arguments: shapes)
    func hides(_ shape: Shape) throws {
        let texts = try Self.texts(of: try Self.recorded([shape]).archive())
        let secrets =
            Self.disguises(Self.secret) + [
                Self.plain, String(Self.jwt.suffix(20)), "eyJzdWIi", "AKIAIOSFODNN7EXAMPLE",
            ]
        for secret in secrets { #expect(!texts.contains { $0.contains(secret) }, "\(secret) in \(texts)") }
        #expect(texts.contains { $0.contains(shape.kept) } || shape.kept.isEmpty, "\(texts)")
    }

    @Test("An echo of a secret is replaced in each encoding", arguments: disguises(secret))
    func hidesEchoes(_ echo: String) throws {
        let shapes = [
            Shape(name: "", headers: ["Authorization": "Bearer \(Self.secret)"]),
            .response("", "text/html", "<p>you sent \(echo) here</p>", kept: "you sent ***1 here"),
            .header("X-Echo", "you sent \(echo) here"),
        ]
        let archive = try Self.recorded(shapes).archive()
        let texts = try Self.texts(of: archive)
        for secret in Self.disguises(Self.secret) { #expect(!texts.contains { $0.contains(secret) }) }
        #expect(texts.contains { $0.contains("<p>you sent ***1 here</p>") })
        expectEqual(archive.entries[2].response?.headers["X-Echo"], "you sent ***1 here")
    }

    @Test(
        "An echo of a secret is replaced as HTML escapes it",
        arguments: ["x&lt;y&amp;z&quot;w&#39;v-9", "x&lt;y&amp;z&#34;w&#x27;v-9", "x&lt;y&amp;z&quot;w&apos;v-9"])
    func hidesEscapedEchoes(_ echo: String) throws {
        let shapes = [
            Shape(name: "", headers: ["X-Api-Key": "x<y&z\"w'v-9"]),
            .response("", "text/html", "you sent \(echo) here"),
        ]
        let texts = try Self.texts(of: try Self.recorded(shapes).archive())
        #expect(texts.contains("you sent ***1 here"))
    }

    @Test("A known secret in a method, the name of a field or a media type is replaced")
    func hidesTokens() throws {
        let secret = "hunter2hunter2"
        let shapes = [
            Shape(name: "", headers: ["X-Api-Key": secret]), Shape(name: "", method: HTTPMethod(rawValue: secret)),
            Shape(name: "", headers: [secret: "1"], response: ["X-\(secret)": "1"]),
            .response("", "text/\(secret)", "ok"), .request("", "text/\(secret)", "ok"),
            .response("", "text/plain", String(decoding: Data(secret.utf8).base64EncodedData(), as: UTF8.self)),
        ]
        let texts = try Self.texts(of: try Self.recorded(shapes).archive())
        #expect(!texts.contains { $0.contains(secret) })
    }

    @Test(
        "Content with a known secret in a shape that is not replaced is left out; the other entries remain",
        arguments: [
            "&#104;&#x75;nter2-hunter2", "\\u0068unter2-hunter2", "%68%75nter2-hunter2", "%2568unter2-hunter2",
            Data("xhunter2-hunter2".utf8).base64EncodedString(),
            Data("user:hunter2-hunter2!".utf8).base64EncodedString(),
            "68756e746572322d68756e74657232", "68756E746572322D68756E74657232",
        ])
    func refusesUnknownShapes(_ echo: String) throws {
        let shapes = [
            Shape(name: "", headers: ["X-Api-Key": "hunter2-hunter2"]), .response("", "text/plain", "see \(echo)"),
        ]
        let archive = try Self.recorded(shapes + [.response("", "text/plain", "ok")]).archive()
        let contents = archive.entries.map { $0.response?.content }
        #expect(contents[1]?.data == nil && contents[1]?.size == "see \(echo)".utf8.count)
        expectEqual(contents[2]?.data, Data("ok".utf8))
    }

    @Test("A known secret in a URL that is not replaced there is an error, which does not show it")
    func refusesUnknownShapesInURLs() throws {
        let shapes = [
            Shape(name: "", headers: ["X-Api-Key": "hunter2-hunter2"]),
            .url("https://a.example/68756e746572322d68756e74657232"),
        ]
        let recorder = try Self.recorded(shapes)
        let error = #expect(throws: HARError.self) { try recorder.archive() }
        #expect(error?.description.contains("entry 2") == true && error?.description.contains("hunter2") == false)
    }

    @Test(
        "What looks like a secret and is none stays",
        arguments: [
            #"{"code":"not_found","message":"The token has expired"}"#, #"{"code":404,"error":"invalid_token"}"#,
            #"{"query":"query($password: String!) { login(password: $password) { id } }"}"#,
            #"{"token_type":"Bearer","expires":"Mon, 23 Nov 2026 19:08:23 GMT","url":"https://a.example/?page=2#top"}"#,
            #"{"cursor":"eyJpZCI6MTB9","host":"eyes.are.example.com:8080"}"#, "a < b, c: d; <b>bold</b> & more",
            #"{"zip":"code=12","country_code":"DE","barcode":"4006381333931"}"#, "<code>404</code><p class=\"a\">b</p>",
        ])
    func keepsOtherText(_ text: String) throws {
        let archive = try Self.recorded([.response("", "text/plain", text)]).archive()
        let data = try #require(archive.entries[0].response?.content.data)
        expectEqual(String(decoding: data, as: UTF8.self), text)
    }
}
