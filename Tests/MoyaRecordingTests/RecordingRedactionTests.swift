import Foundation
import Moya
import TestSupport
import Testing

@testable import MoyaRecording

/// The numbers are those of the design's edge cases.
@Suite(.queued, .timeLimit(.minutes(10))) struct RecordingRedactionTests {
    private static let token = "t0k/en+a=b c"

    static func entry(
        _ url: String = "https://a.example/", headers: HTTPHeaders = [:], content: String? = nil,
        response: HTTPHeaders = [:], _ text: String = ""
    ) throws -> HAR.Entry {
        let request = HAR.Request(
            method: .post, url: try #require(URL(string: url)), headers: headers,
            content: content.map { HAR.Content(Data($0.utf8)) })
        return HAR.Entry(
            start: Date(timeIntervalSince1970: 0), request: request,
            response: HAR.Response(statusCode: 200, headers: response, content: HAR.Content(Data(text.utf8))))
    }

    static func redacted(
        _ entries: [HAR.Entry], _ redaction: RecordingRedaction = .secretNames
    ) throws -> [HAR.Entry] {
        var redactor = Redactor(redaction)
        return try redactor.redact(HAR(entries: entries)).entries
    }

    static func text(_ content: HAR.Content?) -> String? {
        content?.data.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("3: a secret has the same placeholder everywhere, in each encoding, and before it is named")
    func isConsistent() throws {
        let json: HTTPHeaders = ["Content-Type": "application/json"]
        let encoded = Self.token.percentEncoded(allowing: .segment)
        let entries = try [
            Self.entry("https://a.example/before/\(encoded)?q=\(encoded)&r=t0k/en%2Ba=b+c"),
            Self.entry(response: json, #"{"access_token": "\#(Self.token)", "user": "ann"}"#),
            Self.entry("https://a.example/?api_key=\(encoded)", headers: ["Authorization": "Bearer \(Self.token)"]),
            Self.entry(
                headers: json, content: #"{"text": "the token t0k\/en+a=b c is in here", "a": [1, true, null]}"#,
                response: ["X-Echo": Data(Self.token.utf8).base64EncodedString()], "plain \(Self.token)"),
        ]
        let redacted = try Self.redacted(entries)
        expectEqual(redacted[0].request.url.absoluteString, "https://a.example/before/***1?q=***1&r=***1")
        expectEqual(Self.text(redacted[1].response?.content), #"{"access_token":"***1","user":"ann"}"#)
        expectEqual(redacted[2].request.url.query(), "api_key=***1")
        expectEqual(redacted[2].request.headers["Authorization"], "Bearer ***1")
        expectEqual(Self.text(redacted[3].request.content), #"{"a":[1,true,null],"text":"the token ***1 is in here"}"#)
        #expect(
            redacted[3].response?.headers["X-Echo"] == "***1"
                && Self.text(redacted[3].response?.content) == "plain ***1")
    }

    @Test("3: header fields: credentials, cookies, and names that describe secrets only")
    func redactsHeaders() throws {
        let basic = Data("ann:pa55word".utf8).base64EncodedString()
        let entry = try Self.entry(
            headers: [
                "Authorization": "Basic \(basic)", "Cookie": "lang=en; sid=abc", "X-Api-Key": "12345678",
                "X-Other": "pa55word",
                "X-Proxied": "Basic \(basic)",
            ],
            response: [
                "Set-Cookie": "sid=abc; Path=/; HttpOnly", "WWW-Authenticate": "Digest realm=\"a\", nonce=\"b\"",
                "Access-Control-Allow-Credentials": "true",
                "Location": "https://ann:pa55word@b.example/x?token=abc#access_token=d",
            ])
        let redacted = try Self.redacted([entry], .secretNames(keeping: ["lang"]))[0]
        expectEqual(
            redacted.request.headers,
            [
                "Authorization": "Basic ***1", "Cookie": "lang=en; sid=***3", "X-Api-Key": "***4", "X-Other": "***2",
                "X-Proxied": "Basic ***1",
            ])
        expectEqual(
            redacted.response?.headers,
            [
                "Set-Cookie": "sid=***3; Path=/; HttpOnly", "WWW-Authenticate": "Digest realm=\"a\", nonce=\"b\"",
                "Access-Control-Allow-Credentials": "true",
                "Location": "https://b.example/x?token=***3#access_token=***5",
            ])
    }

    @Test("3: forms, parts of forms, and lines of JSON")
    func redactsContent() throws {
        let multipart =
            "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter22\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\nsee hunter22\r\n--b--\r\n"
        let entries = try [
            Self.entry(
                headers: ["Content-Type": "application/x-www-form-urlencoded"], content: "user=a+b&pin=12&x=y%20z"),
            Self.entry(headers: ["Content-Type": "multipart/form-data; boundary=b"], content: multipart),
            Self.entry(
                response: ["Content-Type": "text/event-stream", "Content-Length": "62"],
                "event: a\ndata: {\"token\":\"abcdefg8\"}\n\ndata: abcdefg8 is a token\n\n1234"),
        ]
        let redacted = try Self.redacted(entries)
        expectEqual(Self.text(redacted[0].request.content), "user=a+b&pin=***1&x=y%20z")
        expectEqual(Self.text(redacted[1].request.content), multipart.replacing("hunter22", with: "***2"))
        expectEqual(
            Self.text(redacted[2].response?.content),
            "event: a\ndata:{\"token\":\"***3\"}\n\ndata: ***3 is a token\n\n1234")
    }

    @Test("3: types of JSON values stay: numbers become 0, dates and truth values are left")
    func keepsTypes() throws {
        let entry = try Self.entry(
            response: ["Content-Type": "application/json"],
            #"{"pin":1234,"session":{"id":7654321098,"ok":true,"at":"2026-01-31","none":null},"token_type":"Bearer","#
                + #""x":7654321098,"y":1234,"z":"2026-01-31"}"#)
        expectEqual(
            Self.text(try Self.redacted([entry])[0].response?.content),
            #"{"pin":0,"session":{"at":"***2","id":0,"none":null,"ok":true},"token_type":"Bearer","#
                + #""x":0,"y":1234,"z":"2026-01-31"}"#)
    }

    @Test("3: counts, words and numbers of an object with a sensitive name, and the URLs of a server stay usable")
    func keepsUsableValues() throws {
        let entry = try Self.entry(
            "https://a.example/active/accept?max_tokens=1024",
            response: ["Set-Cookie": "consent=accept; Path=/", "Accept-Ranges": "bytes"],
            #"{"usage":{"total_tokens":46,"details_of_tokens":{"cached":3}},"#
                + #""session":{"status":"active","user_id":42,"expires_in":3600,"key":"k1234567"},"active":true,"#
                + #""end_session_endpoint":"https://a.example/logout?token=t1234567","#
                + #""token_endpoint_auth_methods_supported":["client_secret_basic"]}"#)
        let redacted = try Self.redacted([entry])[0]
        expectEqual(
            Self.text(redacted.response?.content),
            #"{"active":true,"end_session_endpoint":"https://a.example/logout?token=***2","#
                + #""session":{"expires_in":3600,"key":"***3","status":"***4","user_id":42},"#
                + #""token_endpoint_auth_methods_supported":["client_secret_basic"],"#
                + #""usage":{"details_of_tokens":{"cached":3},"total_tokens":46}}"#)
        expectEqual(redacted.response?.headers["Set-Cookie"], "consent=***1; Path=/")
        expectEqual(redacted.response?.headers["Accept-Ranges"], "bytes")
        expectEqual(redacted.request.url.path, "/active/accept")
    }

    @Test(
        "3: a word, or the name of a secret, is replaced under its own name only",
        arguments: [
            ("X-CSRF-Token", "Required", #"{"isRequired":true}"#), ("X-Session-Status", "active", #"{"active":true}"#),
            ("X-Session-Status", "in_progress", "in_progress"), ("X-Session-Host", "a.example", "https://a.example/x"),
            ("X-Password", "password", #"{"password_expired":false}"#), ("X-Token-Name", "X-Api-Key", "X-Api-Key"),
        ])
    func keepsWords(_ name: String, _ value: String, _ text: String) throws {
        let entry = try Self.entry(headers: [name: value], text)
        let redacted = try Self.redacted([entry])[0]
        expectEqual(redacted.request.headers[name], "***1")
        expectEqual(Self.text(redacted.response?.content), text)
        expectEqual(redacted.request.url, entry.request.url)
    }

    @Test("3: counts of secrets stay, in header fields, queries and forms")
    func keepsCounts() throws {
        let entry = try Self.entry(
            "https://a.example/?max_tokens=150000",
            headers: ["Content-Type": "application/x-www-form-urlencoded", "X-Input-Tokens": "150000"],
            content: "max_tokens=150000&tokens=abc150000", #"{"credit":150000,"id":"run-1500001"}"#)
        let redacted = try Self.redacted([entry])[0]
        expectEqual(redacted.request.url, entry.request.url)
        expectEqual(redacted.request.headers, entry.request.headers)
        expectEqual(Self.text(redacted.request.content), "max_tokens=150000&tokens=***1")
        expectEqual(redacted.response?.content, entry.response?.content)
    }

    @Test(
        "3: a number of fewer than ten digits is replaced under its own name only, a longer one everywhere",
        arguments: [
            ("123456789", #"{"a":123456789,"b":"123456789"}"#, #"{"a":123456789,"b":"123456789"}"#),
            ("1234567890", #"{"a":1234567890,"b":123}"#, #"{"a":0,"b":123}"#),
            ("1234567890", "x1234567890y", "x***1y"),
            ("12.345678", #"{"a":12.345678}"#, #"{"a":12.345678}"#),
        ])
    func replacesLongNumbers(_ secret: String, _ text: String, _ expected: String) throws {
        let redacted = try Self.redacted([Self.entry(headers: ["X-Api-Key": secret], text)])[0]
        expectEqual(redacted.request.headers["X-Api-Key"], "***1")
        expectEqual(Self.text(redacted.response?.content), expected)
    }

    @Test("3: a long secret of letters only is replaced everywhere")
    func replacesLongWords() throws {
        let entry = try Self.entry(headers: ["X-Api-Key": "qhZkTtWbRmNcVxLpKjHg"], "see qhZkTtWbRmNcVxLpKjHg")
        expectEqual(Self.text(try Self.redacted([entry])[0].response?.content), "see ***1")
    }

    @Test("3: a form whose password is the name of a field is recorded")
    func redactsNamesAsPasswords() throws {
        let entry = try Self.entry(
            headers: ["Content-Type": "application/x-www-form-urlencoded"],
            content: "grant_type=password&password=password")
        expectEqual(Self.text(try Self.redacted([entry])[0].request.content), "grant_type=password&password=***1")
    }

    @Test(
        "3: metadata of secrets stays, unless its name is passed",
        arguments: [
            #"{"accessTokenExpirationDate":"2026-11-28T04:00:00Z","passwordUpdatedAt":"2026-01-02T03:04:05Z"}"#,
            #"{"cached_token_count":123456,"passwordMinLength":8,"refresh_token_expires_in":15897600}"#,
            #"{"credentials":{"Expiration":"2026-11-28T04:00:00Z"},"session_timeout":1800,"tokens_per_second":33.5}"#,
        ])
    func keepsDescriptions(_ text: String) throws {
        let headers: HTTPHeaders = ["X-RateLimit-Reset-Tokens": "6m0s", "X-Input-RateLimit-Tokens-Limit": "400000"]
        let entry = try Self.entry("https://a.example/?token_type=b7", response: headers, text)
        let redacted = try Self.redacted([entry])[0]
        expectEqual(redacted, entry)
        let all = try Self.redacted([entry], .secretNames(and: ["token_type", "X-RateLimit-Reset-Tokens"]))[0]
        expectEqual(all.response?.headers["X-RateLimit-Reset-Tokens"], "***2")
        expectEqual(all.request.url.query(), "token_type=***1")
    }

    @Test("3: a secret in a header field whose name describes secrets is replaced")
    func redactsDescriptions() throws {
        let headers: HTTPHeaders = ["X-Token-Type": "see hunter22", "X-Api-Key": "hunter22"]
        let redacted = try Self.redacted([Self.entry(headers: headers)])[0]
        expectEqual(redacted.request.headers["X-Token-Type"], "see ***1")
    }

    @Test(
        "of several members with the same name, only the last one is in the archive",
        arguments: [
            (#"{"password":"hunter22","password":null}"#, #"{"password":null}"#),
            (
                #"[{"auth":{"password":"hunter22"},"a":"\":","auth":{"user":"x"}}]"#,
                #"[{"a":"\":","auth":{"user":"***1"}}]"#
            ),
        ])
    func dropsRepeatedMembers(_ text: String, _ expected: String) throws {
        expectEqual(Self.text(try Self.redacted([Self.entry(response: [:], text)])[0].response?.content), expected)
    }

    @Test("3: a short id in an object with a sensitive name stays, because paths contain it")
    func keepsShortIDs() throws {
        let text = #"{"pin":{"id":999999999,"value":7},"sessions":[{"id":7},{"id":"7-b"}]}"#
        let entry = try Self.entry("https://a.example/sessions/7", text)
        let redacted = try Self.redacted([entry])[0]
        expectEqual(redacted.request.url, entry.request.url)
        expectEqual(Self.text(redacted.response?.content), text.replacing(#""value":7"#, with: #""value":0"#))
    }

    @Test("3: a secret in a header field of a part of a form is replaced")
    func redactsFieldsOfParts() throws {
        let form =
            "--b\r\nContent-Disposition: form-data; name=\"x\"\r\nAuthorization: Bearer hunter22\r\n\r\nhello\r\n--b--\r\n"
        let entry = try Self.entry(headers: ["Content-Type": "multipart/form-data; boundary=b"], content: form)
        expectEqual(
            Self.text(try Self.redacted([entry])[0].request.content), form.replacing("hunter22", with: "***1"))
    }

    @Test("3: a URL in a URL in a URL, and so on, takes no stack, and a plural of another name is no count")
    func redactsNestedURLs() throws {
        let url = String(repeating: "https://a.example/?token=", count: 2000) + "abc123def456"
        let entry = try Self.entry(#"https://a.example/"#, #"{"token":"\#(url)","card_digits":42,"tokens":42}"#)
        let redacted = try Self.redacted([entry], .secretNames(and: ["card_digits"]))[0]
        let text = try #require(Self.text(redacted.response?.content))
        #expect(text.contains(#""token":"https://a.example/?token=***"#) && text.hasSuffix(#"","tokens":42}"#))
        #expect(text.hasPrefix(#"{"card_digits":0,"#))
    }

    @Test("3: a folded field of a part is searched")
    func redactsFoldedFields() throws {
        let form = "--b\r\nContent-Disposition: form-data;\r\n name=\"password\"\r\n\r\nhunter22\r\n--b--\r\n"
        let entry = try Self.entry(headers: ["Content-Type": "multipart/form-data; boundary=b"], content: form)
        #expect(try Self.text(Self.redacted([entry])[0].request.content)?.contains("hunter22") == false)
    }

    @Test("3: values without a name are redacted if they are given")
    func redactsGivenValues() throws {
        let entry = try Self.entry("https://a.example/bot77:AB/send", "botty 77:AB")
        let redacted = try Self.redacted([entry], .secretNames(values: ["77:AB"]))[0]
        #expect(redacted.request.url.path == "/bot***1/send" && Self.text(redacted.response?.content) == "botty ***1")
    }

    @Test("Content without secrets is unchanged, byte for byte")
    func leavesOtherContent() throws {
        let text = #"{ "b" : 1.0, "a" : "x", "count": 12345678901234567890 }"#
        let entry = try Self.entry(
            headers: ["Authorization": "Bearer abcdefgh"], response: ["Content-Type": "a/b+json"], text)
        expectEqual(Self.text(try Self.redacted([entry])[0].response?.content), text)
        try expectEqual(Self.redacted([entry], .nothing), [entry])
    }

    @Test("Content-Length and chunks are those of the redacted content")
    func adaptsLength() throws {
        let content = "{\"a\":1}\n{\"token\":\"abcdefghij\"}\n{\"b\":2}\n"
        var entry = try Self.entry(
            response: ["Content-Type": "application/x-ndjson", "Content-Length": "\(content.utf8.count)"], content)
        entry.response?.chunks = [0, 8, 31].map { HAR.Chunk(offset: $0, time: .milliseconds($0)) }
        let response = try #require(try Self.redacted([entry])[0].response)
        let data = try #require(response.content.data)
        expectEqual(String(decoding: data, as: UTF8.self), "{\"a\":1}\n{\"token\":\"***1\"}\n{\"b\":2}\n")
        expectEqual(response.headers["Content-Length"], "\(data.count)")
        expectEqual(response.chunks.map(\.offset), [0, 8, data.count - 8])
        expectEqual(response.chunks.map(\.time), [0, 8, 31].map { .milliseconds($0) })
    }

    @Test("4: a secret in content that is not text is an error, which does not show it")
    func refusesBinarySecrets() throws {
        let entries = try [
            Self.entry(headers: ["Authorization": "Bearer abcdefg8"]),
            Self.entry(response: ["Content-Type": "application/x-protobuf"], "\u{2}abcdefg8"),
        ]
        let error = #expect(throws: HARError.self) { try Self.redacted(entries) }
        #expect(error?.description.contains("entry 2") == true && error?.description.contains("protobuf") == true)
        #expect(error?.description.contains("abcdefg8") == false)
    }

    @Test(
        "content that is not text is left out if it has a sensitive name, in any case and with any punctuation",
        arguments: [
            ("access_Token", false), ("Api-Key", false), ("\u{8}token\u{1}abc", false), ("token_type", false),
            ("token_type token", false), ("PIN", true), ("to ken", true), ("ПАРОЛЬ", false), ("my.Flavor", false),
            ("napkin", true),
        ])
    func namesInBinaryContent(_ text: String, _ isKept: Bool) throws {
        var entry = try Self.entry()
        let bytes = Data([0xff, 0, 1]) + Data(text.utf8) + Data([2, 0, 0xfe])
        entry.response?.content = HAR.Content(bytes, mimeType: "application/x-protobuf")
        let content = try Self.redacted([entry], .secretNames(and: ["пароль", "myflavor"])).first?.response?.content
        expectEqual(content?.data, isKept ? bytes : nil)
    }

    @Test("a secret in a secret in a secret, and so on, takes no stack", arguments: ["token=", "basic ", "a=token="])
    func nestedSecrets(_ piece: String) throws {
        let text = String(repeating: piece, count: 10_000) + "x"
        let json = try String(decoding: JSONEncoder().encode(["token": text]), as: UTF8.self)
        for content in [text, json] { try expectEqual(Self.redacted([Self.entry(response: [:], content)]).count, 1) }
    }

    @Test("a form in a form in a form, and so on, is left out")
    func nestedForms() throws {
        let type = "multipart/x; boundary=b"
        let body = (0..<5000).map { "--b\($0 + 1_000_000)\r\nContent-Type: \(type)\($0 + 1_000_001)\r\n\r\n" }.joined()
        var entry = try Self.entry()
        entry.response?.content = HAR.Content(Data(body.utf8), mimeType: "\(type)1000000")
        let content = try Self.redacted([entry]).first?.response?.content
        #expect(content?.data == nil && content?.size == body.utf8.count)
    }

    @Test("4: content that is compressed because the request asks for it is an error")
    func refusesCompressedContent() throws {
        var entry = try Self.entry(headers: ["Accept-Encoding": "gzip"], response: ["Content-Encoding": "gzip"])
        entry.response?.content = HAR.Content(Data([0x1f, 0x8b, 0x08, 0xff]))
        let error = #expect(throws: HARError.self) { try Self.redacted([entry]) }
        #expect(error?.description.contains("compressed") == true)
        // The transport has decompressed it.
        entry.request.headers = [:]
        try expectEqual(Self.redacted([entry]).count, 1)
    }

    @Test("Many secrets are replaced in many entries; short ones that are given, too")
    func redactsManySecrets() throws {
        let entries = try (0..<100).map { number in
            try Self.entry(headers: ["Cookie": "sid=secret-\(number)-end"], "the secret-\(99 - number)-end of 7Z")
        }
        let redacted = try Self.redacted(entries, .secretNames(values: ["7Z"]))
        for (number, entry) in redacted.enumerated() {
            expectEqual(entry.request.headers["Cookie"], "sid=***\(number + 2)")
            expectEqual(Self.text(entry.response?.content), "the ***\(101 - number) of ***1")
        }
    }

    @Test("Placeholders of a former recording are no secrets; new ones have higher numbers")
    func continuesNumbers() throws {
        let entries = try [
            Self.entry("https://a.example/?token=***7", headers: ["Cookie": "a=***2"]),
            Self.entry(headers: ["Authorization": "Bearer abcdefgh"]),
        ]
        let redacted = try Self.redacted(entries)
        #expect(redacted[0] == entries[0] && redacted[1].request.headers["Authorization"] == "Bearer ***8")
    }

    @Test(
        "Malformed content is no crash", arguments: ["{", "[", "--b", "--b\r\n\r\n\r\n--b", "%", "=&=", "\u{FEFF}{}"])
    func acceptsMalformedContent(_ text: String) throws {
        for type in [
            "application/json", "multipart/form-data; boundary=b", "multipart/form-data",
            "application/x-www-form-urlencoded",
        ] {
            let entry = try Self.entry(headers: ["Content-Type": type], content: text)
            try expectEqual(Self.redacted([entry]).count, 1)
        }
    }
}
