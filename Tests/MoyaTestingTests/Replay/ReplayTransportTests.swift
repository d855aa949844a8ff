import Foundation
import TestSupport
import Testing

@testable import Moya
@testable import MoyaTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The numbers are those of the design's edge cases.
@Suite(.queued, .timeLimit(.minutes(10))) struct ReplayTransportTests {
    private static let url = "https://a.example/b"

    /// Responds with the number of the request.
    private static func counter() -> ScriptedTransport {
        let count = Box(0)
        return ScriptedTransport { _ in
            count.change { $0 += 1 }
            return .text("\(count.value)")
        }
    }

    /// Records what `body` sends.
    private static func recorded(
        from origin: some Transport = counter(), redaction: RecordingRedaction = .secretNames,
        _ body: (any Transport) throws -> Void
    ) throws -> HAR {
        let recorder = HARRecorder(redaction: redaction)
        try body(origin.recording(recorder))
        return try HAR(data: recorder.archive().data())
    }

    private static func error(_ batches: [TransportEvents]) -> String? {
        (batches.outcome?.failure as? ReplayError)?.description
    }

    @Test("1: the same request receives the recorded responses in order, then an error or the last one again")
    func replaysInOrder() throws {
        let archive = try Self.recorded { transport in
            for _ in 0..<2 { _ = try transport.batches(.get, Self.url) }
        }
        let once = ReplayTransport(archive)
        try expectEqual((0..<2).map { _ in try once.batches(.get, Self.url).text }, ["1", "2"])
        let error = try #require(Self.error(try once.batches(.get, Self.url)))
        #expect(error.contains("recorded 2 times") && error.contains(Self.url) && error.contains("lastAgain"))
        #expect(throws: ReplayError.self) { try once.finish() }
        var options = ReplayOptions()
        options.repeats = .lastAgain
        let again = ReplayTransport(archive, options: options)
        try expectEqual((0..<4).map { _ in try again.batches(.get, Self.url).text }, ["1", "2", "2", "2"])
        try again.finish()
    }

    @Test("a 304 that was recorded with a cache answers no request without a precondition")
    func answersPreconditions() throws {
        let origin = ScriptedTransport { _ in .response(304, "") }
        let archive = try Self.recorded(from: origin) { transport in
            _ = try transport.batches(.get, Self.url, headers: ["If-None-Match": "\"1\""])
        }
        let transport = ReplayTransport(archive)
        let error = try #require(Self.error(try transport.batches(.get, Self.url)))
        #expect(error.contains("which has a 304 for it, recorded with a cache that was not empty: record again"))
        let conditional = try transport.batches(.get, Self.url, headers: ["If-None-Match": "\"2\""])
        expectEqual(conditional.head?.statusCode, 304)
    }

    @Test("2: different requests match in any order; of equal ones in flight at once, each receives its own")
    func replaysInAnyOrder() async throws {
        let archive = try Self.recorded { transport in
            for path in 0..<20 { _ = try transport.batches(.get, "https://a.example/\(path % 10)") }
        }
        let transport = ReplayTransport(archive)
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for path in (0..<20).reversed() {
                group.addTask { try transport.batches(.get, "https://a.example/\(path % 10)").text }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        expectEqual(Set(texts), Set((1...20).map(String.init)))
        try transport.finish()
    }

    @Test("3: a replay with other secrets matches: header, cookie, query, form, JSON, path, basic authentication")
    func matchesRedactedRequests() throws {
        let redaction = { (value: String) in RecordingRedaction.secretNames(values: ["path\(value)"]) }
        func send(_ value: String, on transport: any Transport) throws -> [String] {
            let form: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
            let json: HTTPHeaders = ["Content-Type": "application/json"]
            let basic = Data("ann:password\(value)".utf8).base64EncodedString()
            return try [
                transport.batches(
                    .get, "\(Self.url)?api_key=key\(value)&a=1", headers: ["Authorization": "Bearer t\(value)"]),
                transport.batches(
                    .get, "https://a.example/path\(value)/b", headers: ["Authorization": "Basic \(basic)"]),
                transport.batches(.post, Self.url, headers: form, body: .data(Data("password=p\(value)&a=1".utf8))),
                transport.batches(.post, Self.url, headers: json, body: .data(Data(#"{"token":"t\#(value)"}"#.utf8))),
                transport.batches(.get, "\(Self.url)/c", headers: ["Cookie": "sid=cookie\(value)"]),
            ].map(\.text)
        }
        let archive = try Self.recorded(redaction: redaction("one12345")) { _ = try send("one12345", on: $0) }
        #expect(try String(decoding: archive.data(), as: UTF8.self).contains("one12345") == false)
        var options = ReplayOptions()
        options.redaction = redaction("two")
        options.matching = .default.including(headers: ["Authorization", "Cookie"])
        let transport = ReplayTransport(archive, options: options)
        try expectEqual(send("two", on: transport), ["1", "2", "3", "4", "5"])
        try transport.finish()
    }

    @Test("3: a value that a later message names as secret matches in a path, a query, a form, JSON and a header")
    func matchesSecretsOfLaterMessages() throws {
        let origin = ScriptedTransport { request in
            request.url.path == "/login" ? .json(#"{"session":"octocat7"}"#) : .text(request.url.path)
        }
        func send(on transport: any Transport) throws -> [String] {
            try [
                transport.batches(.get, "https://a.example/users/octocat7/keys"),
                transport.batches(.get, "https://a.example/users/ann/keys"),
                transport.batches(.get, "\(Self.url)?q=user:octocat7&q=b"),
                transport.batches(
                    .post, Self.url, headers: ["Content-Type": "application/x-www-form-urlencoded"],
                    body: .data(Data("a=octocat7".utf8))),
                transport.batches(.post, Self.url, body: .data(Data(#"{"a":["octocat7"],"b":1}"#.utf8))),
                transport.batches(
                    .post, Self.url, headers: ["Content-Type": "text/plain"], body: .data(Data("I am octocat7.".utf8))),
                transport.batches(.get, "\(Self.url)/c", headers: ["X-User": "octocat7"]),
                transport.batches(.get, "https://a.example/login"),
            ].map(\.text)
        }
        let archive = try Self.recorded(from: origin) { _ = try send(on: $0) }
        #expect(try String(decoding: archive.data(), as: UTF8.self).contains("octocat7") == false)
        var options = ReplayOptions()
        options.matching = .default.including(headers: ["X-User"])
        let transport = ReplayTransport(archive, options: options)
        let texts = try send(on: transport)
        expectEqual(texts.count, 8)
        try transport.finish()
        let other = ReplayTransport(archive)
        let error = Self.error(try other.batches(.get, "https://a.example/users/octocat7/stars"))
        #expect(error?.contains("the path is /users/octocat7/stars instead of /users/***/keys") == true)
    }

    @Test("3: of entries with another path, an error names one with the same method and the longest equal start")
    func namesTheNearestEntry() throws {
        let archive = try Self.recorded { transport in
            _ = try transport.batches(.post, "https://a.example/users/9")
            for path in ["login", "users/1/stars", "users/1"] {
                _ = try transport.batches(.get, "https://a.example/\(path)")
            }
        }
        let error = Self.error(try ReplayTransport(archive).batches(.get, "https://a.example/users/1/keys"))
        #expect(error?.contains("in entry 3, GET https://a.example/users/1/stars, the path is /users/1/keys") == true)
    }

    @Test("3: only text stands for a secret: a recorded 0 equals no other number")
    func comparesNumbers() throws {
        func send(_ page: Int, on transport: any Transport) throws -> [TransportEvents] {
            try transport.batches(.post, Self.url, body: .data(Data(#"{"page":\#(page)}"#.utf8)))
        }
        let archive = try Self.recorded { _ = try send(0, on: $0) }
        let error = Self.error(try send(1, on: ReplayTransport(archive)))
        #expect(error?.contains("/page of the content is 1 instead of 0") == true)
    }

    @Test("3: an equal entry is preferred to one with a placeholder")
    func prefersEqualEntries() throws {
        let origin = ScriptedTransport { request in
            request.url.path == "/login" ? .json(#"{"session":"octocat7"}"#) : .text(request.url.path)
        }
        let archive = try Self.recorded(from: origin) { transport in
            for path in ["users/octocat7", "users/ann", "login"] {
                _ = try transport.batches(.get, "https://a.example/\(path)")
            }
        }
        let transport = ReplayTransport(archive)
        for path in ["/users/ann", "/users/octocat7"] {
            let text = try transport.batches(.get, "https://a.example\(path)").text
            expectEqual(text, path.replacingOccurrences(of: "octocat7", with: "***1"))
        }
    }

    @Test("3: a replay without credentials, or with empty ones, matches", arguments: [nil, ""])
    func matchesWithoutCredentials(_ value: String?) throws {
        func send(_ value: String?, on transport: any Transport) throws {
            let query = value.map { "?api_key=\($0)" } ?? ""
            let json = value.map { #"{"password":"\#($0)","a":1}"# } ?? #"{"a":1}"#
            _ = try transport.batches(
                .post, Self.url + query, headers: ["Content-Type": "application/json"], body: .data(Data(json.utf8)))
            let form = value.map { "a=1&password=\($0)" } ?? "a=1"
            _ = try transport.batches(
                .post, Self.url, headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: .data(Data(form.utf8)))
        }
        let archive = try Self.recorded { try send("secret12345", on: $0) }
        let transport = ReplayTransport(archive)
        try send(value, on: transport)
        try transport.finish()
    }

    @Test("3, 4: the token of a login is equal to that of the next request")
    func keepsTokens() throws {
        let origin = ScriptedTransport { request in
            request.url.path == "/login"
                ? .json(#"{"access_token":"abcdefg8"}"#) : .text("for \(request.headers["Authorization"] ?? "")")
        }
        func send(on transport: any Transport) throws -> (token: String?, text: String) {
            let login = try transport.batches(.post, "https://a.example/login").content
            let token = try JSONValue(data: login)["access_token"]?.string
            return (
                token, try transport.batches(.get, Self.url, headers: ["Authorization": "Bearer \(token ?? "")"]).text
            )
        }
        let archive = try Self.recorded(from: origin) { _ = try send(on: $0) }
        var options = ReplayOptions()
        options.matching = .default.including(headers: ["Authorization"])
        let replayed = try send(on: ReplayTransport(archive, options: options))
        #expect(replayed.token == "***1" && replayed.text == "for Bearer ***1")
    }

    @Test("5, 19, 20: content, version, repeated fields and trailers are those of the recording")
    func replaysEverything() throws {
        let content = Data([0xff, 0, 0x80])
        let headers: HTTPHeaders = ["A": "1", "a": "2", "X-Empty": ""]
        let origin = ScriptedTransport { _ in
            .response(418, version: "HTTP/2", headers: headers, trailers: ["X-Sum": "42"], content)
        }
        let archive = try Self.recorded(from: origin) { _ = try $0.batches(.get, Self.url) }
        let batches = try ReplayTransport(archive).batches(.get, Self.url)
        #expect(batches.count == 1 && batches.content == content && batches.outcome?.trailers == ["X-Sum": "42"])
        expectEqual(batches.head, ResponseHead(statusCode: 418, version: "HTTP/2", headers: headers))
    }

    @Test("8: attempts are replayed, or only the last one for a call without retries")
    func replaysAttempts() throws {
        let count = Box(0)
        let origin = ScriptedTransport { _ in
            count.change { $0 += 1 }
            return count.value < 3 ? .response(503, "busy") : .text("done")
        }
        let archive = try Self.recorded(from: origin) { for _ in 0..<3 { _ = try $0.batches(.get, Self.url) } }
        let all = ReplayTransport(archive)
        try expectEqual((0..<3).map { _ in try all.batches(.get, Self.url).head?.statusCode }, [503, 503, 200])
        var options = ReplayOptions()
        options.replaysAttempts = false
        let last = ReplayTransport(archive, options: options)
        try expectEqual(last.batches(.get, Self.url).text, "done")
        try last.finish()
    }

    @Test(
        "9: failures are replayed with their kind",
        arguments: [
            .timedOut, .networkConnectionLost, .serverCertificateUntrusted, .cannotFindHost, .badServerResponse,
        ]
            as [URLError.Code])
    func replaysFailures(_ code: URLError.Code) throws {
        let archive = try Self.recorded(from: ScriptedTransport { _ in .failure(code) }) {
            _ = try $0.batches(.get, Self.url)
        }
        let error = try #require(ReplayTransport(archive).batches(.get, Self.url).outcome?.error)
        #expect(
            error.code == code
                && MoyaError.underlying(error, nil).kind == MoyaError.underlying(URLError(code), nil).kind)
    }

    @Test("9: a provider receives the error of a request that was not recorded")
    func failsInProvider() async throws {
        let provider = MoyaProvider<Zen>(transport: ReplayTransport(HAR()))
        let error = await #expect(throws: MoyaError.self) { try await provider.response(.zen) }
        #expect(error?.underlyingError is ReplayError && error?.kind == .other)
        #expect(error?.description.contains("GET https://a.example/zen") == true)
    }

    @Test("the requests that were not recorded are an archive for a report, without secrets")
    func unmatchedRequests() throws {
        let archive = try Self.recorded { transport in _ = try transport.batches(.get, Self.url) }
        let transport = ReplayTransport(archive)
        #expect(try transport.unmatched().entries.isEmpty)
        _ = try transport.batches(.get, Self.url)
        for _ in 0..<2 { _ = try transport.batches(.get, Self.url + "?access_token=hunter22") }
        _ = try transport.batches(.get, Self.url)
        let unmatched = try transport.unmatched()
        expectEqual(unmatched.entries.map(\.request.url.absoluteString).last, Self.url)
        #expect(unmatched.entries.count == 3 && unmatched.entries.allSatisfy { $0.response == nil })
        #expect(!String(decoding: try unmatched.data(), as: UTF8.self).contains("hunter22"))
        try expectEqual(HAR(data: unmatched.data()).entries.map(\.request), unmatched.entries.map(\.request))
    }

    @Test("15: the error names the nearest entry and the first difference; no request is sent")
    func namesTheDifference() throws {
        let folder = try TemporaryFolder()
        let archive = try Self.recorded { transport in
            _ = try transport.batches(.get, "https://b.example/")
            _ = try transport.batches(
                .post, "\(Self.url)?page=1", headers: ["Content-Type": "application/json", "X-A": "1"],
                body: .data(Data(#"{"a":[{"b":1}]}"#.utf8)))
        }
        try archive.write(to: folder.file("a.har"))
        let failing = ScriptedTransport { request in
            Issue.record("a request was sent to \(request.url)")
            return .failure(.notConnectedToInternet)
        }
        var options = ReplayOptions()
        options.matching = .default.including(headers: ["X-A"])
        let transport = try ReplayTransport(folder.file("a.har"), mode: .replay, over: failing, options: options)
        func difference(
            _ method: HTTPMethod = .post, _ url: String = "\(Self.url)?page=1", _ value: String = "1",
            _ json: String = "{}"
        ) throws -> String {
            let headers: HTTPHeaders = ["Content-Type": "application/json", "X-A": value]
            let body = RequestBody.data(Data(json.utf8))
            return Self.error(try transport.batches(method, url, headers: headers, body: body)) ?? ""
        }
        let texts = try [
            (difference(.put), "the method is PUT instead of POST"),
            (difference(.post, "https://a.example/c"), "the path is /c instead of /b"),
            (difference(.post, "\(Self.url)?page=2"), #"the query parameter "page" is "2" instead of "1""#),
            (difference(.post, Self.url), #"the query parameter "page" is missing instead of "1""#),
            (difference(.post, "\(Self.url)?page=1", "2"), #"the header x-a is "2" instead of "1""#),
            (difference(), "/a is missing in the content"),
            (
                difference(.post, "\(Self.url)?page=1", "1", #"{"a":[{"b":2}]}"#),
                "/a/0/b of the content is 2 instead of 1"
            ),
        ]
        for (text, expected) in texts {
            #expect(text.contains("entry 2, POST https://a.example/b?page=1, \(expected); "), "\(text)")
        }
    }

    @Test("20: a Digest challenge is replayed for other credentials; the field with the credentials is redacted")
    func replaysDigest() async throws {
        let challenge = "Digest realm=\"a\", nonce=\"b\", qop=\"auth\", algorithm=MD5"
        let origin = ScriptedTransport { request in
            request.headers["Authorization"] == nil
                ? .response(401, headers: ["WWW-Authenticate": challenge], "") : .text("welcome")
        }
        func send(_ password: String, on transport: any Transport) async throws -> String {
            let plugin = CredentialsPlugin { _ in URLCredential(user: "ann", password: password, persistence: .none) }
            return try await MoyaProvider<Zen>(transport: transport, plugins: [plugin]).response(.zen).mapString()
        }
        let recorder = HARRecorder()
        try await expectEqual(send("first", on: origin.recording(recorder)), "welcome")
        let archive = try recorder.archive()
        expectEqual(archive.entries.map { $0.response?.statusCode }, [401, 200])
        expectEqual(archive.entries.map { $0.request.headers["Authorization"] }, [nil, "Digest ***1"])
        expectEqual(archive.entries[0].response?.headers["WWW-Authenticate"], challenge)
        let replay = ReplayTransport(archive)
        try await expectEqual(send("second", on: replay), "welcome")
        try replay.finish()
    }

    @Test("15: a missing file is an error that names it")
    func namesTheMissingFile() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: ReplayError.self) { try ReplayTransport(folder.file("none.har"), mode: .replay) }
        #expect(
            error?.description.contains("none.har") == true && error?.description.contains("MOYA_REPLAY=record") == true
        )
    }

    @Test("16: entries that were not requested are an error at the end, unless they may be")
    func namesUnusedEntries() throws {
        let archive = try Self.recorded { transport in
            for path in 0..<2 { _ = try transport.batches(.get, "https://a.example/\(path)") }
        }
        let transport = ReplayTransport(archive)
        _ = try transport.batches(.get, "https://a.example/1")
        expectEqual(transport.unused.map(\.request.url.path), ["/0"])
        let error = #expect(throws: ReplayError.self) { try transport.finish() }
        #expect(error?.description.contains("GET https://a.example/0 of the recording was not requested") == true)
        var options = ReplayOptions()
        options.requiresAllEntries = false
        try ReplayTransport(archive, options: options).finish()
    }

    @Test("7: content that a browser has left out is an error when it is requested")
    func refusesMissingContent() throws {
        var archive = try Self.recorded { _ = try $0.batches(.get, Self.url) }
        archive.entries[0].response?.content = HAR.Content(unrecorded: 99)
        let error = Self.error(try ReplayTransport(archive).batches(.get, Self.url))
        #expect(error?.contains("99 bytes") == true)
    }
}

private enum Zen: TargetType {
    case zen
    // swift-format-ignore: NeverForceUnwrap
    var baseURL: URL { URL(string: "https://a.example")! }
    var path: String { "/zen" }
}
