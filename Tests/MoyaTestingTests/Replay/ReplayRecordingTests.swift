import Foundation
import Moya
import TestSupport
import Testing

@testable import MoyaTesting

/// The numbers are those of the design's edge cases.
@Suite(.queued, .timeLimit(.minutes(10))) struct ReplayRecordingTests {
    private let folder: TemporaryFolder
    private let file: URL
    private let sent = Log()

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("a.har")
    }

    private var origin: ScriptedTransport {
        ScriptedTransport { [sent] request in
            sent.add(request.url.path)
            return .text("\(sent.entries.count)")
        }
    }

    private func run(
        _ mode: ReplayTransport.Mode, _ paths: [String], _ options: ReplayOptions = ReplayOptions()
    ) throws -> [String] {
        let transport = try ReplayTransport(file, mode: mode, over: origin, options: options)
        let texts = try paths.map { try transport.batches(.get, "https://a.example\($0)").text }
        try transport.finish()
        return texts
    }

    @Test("Modes: record replaces the file, replay sends nothing, live writes nothing")
    func supportsModes() throws {
        #expect(try run(.live, ["/a"]) == ["1"] && folder.names.isEmpty)
        try expectEqual(run(.record, ["/a", "/b"]), ["2", "3"])
        try expectEqual(run(.replay, ["/b", "/a"]), ["3", "2"])
        #expect(try run(.record, ["/c"]) == ["4"] && HAR(contentsOf: file).entries.map(\.request.url.path) == ["/c"])
        expectEqual(sent.entries, ["/a", "/a", "/b", "/c"])
    }

    @Test("an exchange that is running when the recording ends has an entry with what has arrived")
    func recordsRunning() throws {
        struct Pausing: Transport {
            var capabilities: TransportCapabilities { [] }
            func start(
                _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
            ) -> any TransportExchange {
                let head = ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: [:])
                receive(TransportEvents(head: head, chunks: [Data("first".utf8)]))
                return EndedExchange()
            }
        }
        let transport = try ReplayTransport(file, mode: .record, over: Pausing())
        let url = try #require(URL(string: "https://a.example/a"))
        _ = transport.start(try TransportRequest(method: .get, url: url)) { _ in }
        try transport.finish()
        let entry = try #require(try HAR(contentsOf: file).entries.first)
        expectEqual(entry.response?.content.data, Data("first".utf8))
        expectEqual(entry.failure?.code, URLError.Code.cancelled.rawValue)
    }

    /// A server with a log-in, whose token the other paths require.
    private struct Guarded: RelativeTarget {
        let path: String
        var token: String?
        var headers: [String: String]? { token.map { ["Authorization": "Bearer \($0)"] } }
        var method = HTTPMethod.get
        var task = RequestTask.requestPlain
    }

    private func withSession(
        _ mode: ReplayTransport.Mode, _ calls: @Sendable (MoyaProvider<Guarded>, String) async throws -> Void
    ) async throws {
        let origin = StubTransport { request in
            request.url.path == "/login"
                ? .status(200, Data(#"{"access_token":"real-token-12345"}"#.utf8))
                : .status(request.headers["Authorization"] == "Bearer real-token-12345" ? 200 : 401)
        }
        let transport = try ReplayTransport(file, mode: mode, over: origin)
        let provider = MoyaProvider<Guarded>(baseURL: URL(string: "https://a.example"), transport: transport)
        let token = try await provider.response(Guarded(path: "/login")).mapString(atKeyPath: "access_token")
        try await calls(provider, token)
        try transport.finish()
    }

    @Test("recordMissing sends no placeholder of a recorded secret to the server")
    func placeholders() async throws {
        try await withSession(.record) { provider, token in
            try await expectEqual(provider.response(Guarded(path: "/a", token: token)).statusCode, 200)
        }
        let error = await #expect(throws: ReplayError.self) {
            try await withSession(.recordMissing) { provider, token in
                try await expectEqual(provider.response(Guarded(path: "/a", token: token)).statusCode, 200)
                _ = try? await provider.response(Guarded(path: "/b", token: token))
            }
        }
        #expect(error?.description.contains("/b is not in a.har, and contains the placeholder of a secret") == true)
    }

    @Test("a form with an image and a secret is replayed")
    func binaryForm() async throws {
        let form: MultipartFormData = [
            MultipartFormBodyPart(
                provider: .data(Data([0xff, 0xd8])), name: "photo", fileName: "p.jpg", mimeType: "image/jpeg"),
            MultipartFormBodyPart(provider: .data(Data("hunter22".utf8)), name: "password"),
        ]
        for mode in [ReplayTransport.Mode.record, .replay] {
            try await withSession(mode) { provider, token in
                let upload = Guarded(path: "/form", token: token, method: .post, task: .uploadMultipartFormData(form))
                try await expectEqual(provider.response(upload).statusCode, 200)
            }
        }
    }

    @Test("a redirect whose content was cancelled is followed in a replay, too")
    func followsACancelledRedirect() async throws {
        let server = try LoopbackServer { request in
            guard request.path != "/b" else { return .text("b") }
            let head = LoopbackReply.head(302, ["Location": "/b", "Content-Length": "400000"])
            return LoopbackReply([.send(head), .send(Data(count: 100_000)), .wait(.seconds(3600))])
        }
        defer { server.stop() }
        let recorder = HARRecorder()
        let live = MoyaProvider<Local>(transport: try TransportKind.allCases[0].make().recording(recorder))
        try await expectEqual(live.response(Local(server, "/a")).mapString(), "b")
        let replay = MoyaProvider<Local>(transport: ReplayTransport(try recorder.archive()))
        try await expectEqual(replay.response(Local(server, "/a")).mapString(), "b")
    }

    @Test("functions that differ in their parameters, and names that differ in parentheses, have a recording each")
    func namesFiles() async throws {
        let names = [
            "load()", "load(_:)", "load(user:id:)", "load(user:)", "load(_:) page=1", "load(_:) page=2", "a(1)",
        ]
        for name in names {
            try await withReplay(name, mode: .record, over: origin, file: folder.file("UserTests.swift").path) { live in
                _ = try live.batches(.get, "https://a.example/\(names.firstIndex(of: name) ?? 0)")
            }
        }
        let recorded = try FileManager.default.contentsOfDirectory(
            atPath: folder.file("Recordings/UserTests").path
        ).sorted()
        expectEqual(
            recorded,
            [
                "a(1).har", "load(_) page=1.har", "load(_) page=2.har", "load(_).har", "load(user).har",
                "load(user,id).har", "load.har",
            ])
        for name in names {
            try await withReplay(name, mode: .replay, file: folder.file("UserTests.swift").path) { replay in
                _ = try replay.batches(.get, "https://a.example/\(names.firstIndex(of: name) ?? 0)")
            }
        }
    }

    @Test("16: recordMissing sends what was not recorded, and drops what is not used")
    func recordsMissing() throws {
        _ = try run(.recordMissing, ["/a", "/b"])
        try expectEqual(run(.recordMissing, ["/b", "/c", "/c"]), ["2", "3", "4"])
        try expectEqual(HAR(contentsOf: file).entries.map(\.request.url.path), ["/b", "/c", "/c"])
        let former = try Data(contentsOf: file)
        try expectEqual(run(.recordMissing, ["/c", "/b", "/c"]), ["3", "2", "4"])
        try expectEqual(Data(contentsOf: file), former)
        expectEqual(sent.entries, ["/a", "/b", "/c", "/c"])
    }

    @Test("The environment names the mode; a build server does not record what is missing")
    func readsEnvironment() {
        expectEqual(ReplayTransport.Mode(environment: [:]), .replay)
        expectEqual(ReplayTransport.Mode(environment: ["MOYA_REPLAY": "unknown"]), .replay)
        for mode in ReplayTransport.Mode.allCases {
            expectEqual(ReplayTransport.Mode(environment: ["MOYA_REPLAY": mode.rawValue, "CI": "false"]), mode)
        }
        expectEqual(ReplayTransport.Mode(environment: ["MOYA_REPLAY": "recordMissing", "CI": "true"]), .replay)
        expectEqual(ReplayTransport.Mode(environment: ["MOYA_REPLAY": "record", "CI": "1"]), .record)
    }

    @Test("14: an entry that is too old fails, is replayed with a warning, or is recorded again")
    func expires() throws {
        var options = ReplayOptions()
        options.now = { Date(timeIntervalSince1970: 1000) }
        _ = try run(.record, ["/a", "/b"], options)
        options.maximumAge = .seconds(60)
        options.now = { Date(timeIntervalSince1970: 1060) }
        try expectEqual(run(.replay, ["/a", "/b"], options), ["1", "2"])
        options.now = { Date(timeIntervalSince1970: 1061) }
        let error = #expect(throws: ReplayError.self) { try run(.replay, ["/a", "/b"], options) }
        #expect(error?.description.contains("1970-01-01T00:16:40Z") == true)
        #expect(error?.description.contains("was not requested") == false)
        options.onExpiration = .record
        #expect(throws: ReplayError.self) { try run(.replay, ["/a", "/b"], options) }
        try expectEqual(run(.recordMissing, ["/a", "/b"], options), ["3", "4"])
        try expectEqual(HAR(contentsOf: file).entries.map(\.start.timeIntervalSince1970), [1061, 1061])
        options.onExpiration = .warn
        options.now = { Date(timeIntervalSince1970: 5000) }
        let transport = try ReplayTransport(file, mode: .replay, options: options)
        try expectEqual(transport.batches(.get, "https://a.example/b").text, "4")
        expectEqual(transport.expired.map(\.request.url.path), ["/b"])
    }

    @Test("12: a streamed request is read once, also if it is not recorded and is sent then")
    func readsStreamsOnce() async throws {
        let opened = Box(0)
        let resumed = Box(false)
        let body = RequestBody.stream(length: 6) { resume in
            opened.change { $0 += 1 }
            return PendingReader(isReady: resumed, resume: resume)
        }
        let echo = LoopbackEcho()
        for mode in [ReplayTransport.Mode.recordMissing, .replay] {
            resumed.value = false
            let transport = try ReplayTransport(file, mode: mode, over: echo)
            let url = try #require(URL(string: "https://a.example/"))
            let result = try await transport.outcome(of: TransportRequest(method: .post, url: url, body: body))
            #expect(result.text == "abcdef" && result.error == nil)
            try transport.finish()
        }
        #expect(opened.value == 2 && echo.count.value == 1)
    }

    @Test("12: content of a request that cannot be read is the error of the replay")
    func failsForUnreadableContent() async throws {
        let url = try #require(URL(string: "https://a.example/"))
        let body = RequestBody.stream(length: nil) { _ in throw CocoaError(.fileReadNoPermission) }
        let error = try await ReplayTransport(HAR()).outcome(
            of: TransportRequest(method: .post, url: url, body: body)
        ).error
        expectEqual(error?.code, .requestBodyStreamExhausted)
    }

    @Test("12: a cancel while the content of a request is read gives one outcome")
    func cancelsReading() async throws {
        let transport = ReplayTransport(HAR())
        let url = try #require(URL(string: "https://a.example/"))
        let body = RequestBody.stream(length: nil) { _ in PendingReader(isReady: Box(false), resume: {}) }
        let trace = try TransportTrace(TransportRequest(method: .post, url: url, body: body), on: transport)
        trace.cancel()
        trace.cancel()
        try await expectEqual(trace.finished().error?.code, .cancelled)
    }

    @Test("13: longer content is in a file of its own, which a replay needs")
    func attachesContent() throws {
        var options = ReplayOptions()
        options.largestEmbeddedContent = 100
        let large = ScriptedTransport { _ in .text(String(repeating: "a", count: 101)) }
        let transport = try ReplayTransport(file, mode: .record, over: large, options: options)
        _ = try transport.batches(.get, "https://a.example/")
        try transport.finish()
        expectEqual(folder.names.count, 2)
        let replay = try ReplayTransport(file, mode: .replay)
        try expectEqual(replay.batches(.get, "https://a.example/").content.count, 101)
        try FileManager.default.removeItem(at: folder.file(folder.names[0]))
        #expect(throws: HARError.self) { try ReplayTransport(file, mode: .replay) }
    }

    @Test("18: two recordings of the same exchanges are the same bytes, without times")
    func isStable() throws {
        var options = ReplayOptions()
        options.recordsTimes = false
        let files = try (0..<2).map { number in
            let transport = try ReplayTransport(
                folder.file("\(number).har"), mode: .record,
                over: ScriptedTransport { .text($0.url.path, headers: ["X-Token": "secret-1", "B": "2"]) },
                options: options)
            for path in ["/a", "/b"] {
                _ = try transport.batches(
                    .get, "https://a.example\(path)?token=abcdefg8", headers: ["A": "1", "C": "abcdefg8"])
            }
            try transport.finish()
            return try Data(contentsOf: folder.file("\(number).har"))
        }
        expectEqual(files[0], files[1])
    }

    @Test("an id in a list of sessions leads to the same request in the replay")
    func replaysIDs() throws {
        let origin = ScriptedTransport { request in
            request.url.path == "/sessions" ? .json(#"{"sessions":[{"id":7}]}"#) : .text(request.url.path)
        }
        for mode in [ReplayTransport.Mode.record, .replay] {
            let transport = try ReplayTransport(file, mode: mode, over: origin)
            let list = try JSONValue(data: transport.batches(.get, "https://a.example/sessions").content)
            let id = try #require(list["sessions"]?[0]?["id"]?.int)
            try expectEqual(transport.batches(.get, "https://a.example/sessions/\(id)").text, "/sessions/7")
            try transport.finish()
        }
    }

    @Test("4: a recording with a secret that cannot be replaced is not written")
    func refusesSecrets() throws {
        let binary = ScriptedTransport { _ in .text("\u{1}abcdefg8", headers: ["Content-Type": "image/png"]) }
        let transport = try ReplayTransport(file, mode: .record, over: binary)
        _ = try transport.batches(.get, "https://a.example/", headers: ["Authorization": "Bearer abcdefg8"])
        #expect(throws: HARError.self) { try transport.finish() }
        #expect(folder.names.isEmpty)
    }

    @Test("withReplay records and replays under the name of the test; a test that fails writes nothing")
    func runsBodies() async throws {
        let test = folder.file("UserTests.swift").path
        await #expect(throws: Failure.self) {
            try await withReplay(mode: .record, over: origin, file: test) { transport in
                _ = try transport.batches(.get, "https://a.example/a")
                throw Failure()
            }
        }
        #expect(folder.names.isEmpty)
        for mode in [ReplayTransport.Mode.record, .replay] {
            let text = try await withReplay("shows(_:)", mode: mode, over: origin, file: test) { transport in
                try transport.batches(.get, "https://a.example/a").text
            }
            expectEqual(text, "2")
        }
        #expect(FileManager.default.fileExists(atPath: folder.file("Recordings/UserTests/shows(_).har").path))
        await #expect(throws: ReplayError.self) {
            try await withReplay("shows(_:)", mode: .replay, over: origin, file: test) { _ in }
        }
    }
}

/// Reads the content of each request once, and sends it back.
private struct LoopbackEcho: Transport {
    let count = Box(0)
    var capabilities: TransportCapabilities { [] }

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        count.change { $0 += 1 }
        return ScriptedTransport { request in
            var content = Data()
            guard var reader = try? request.body.open(resume: {}) else { return .failure(.requestBodyStreamExhausted) }
            while case .data(let part) = try? reader.read(upTo: 2) { content += part }
            return .response(200, content)
        }.start(request, receive: receive)
    }
}

/// A reader that is pending first.
private struct PendingReader: BodyReader {
    let isReady: Box<Bool>
    let resume: @Sendable () -> Void
    private var rest = Data("abcdef".utf8)

    init(isReady: Box<Bool>, resume: @escaping @Sendable () -> Void) {
        self.isReady = isReady
        self.resume = resume
    }

    mutating func read(upTo count: Int) -> BodyPart {
        guard isReady.value else {
            isReady.value = true
            resume()
            return .pending
        }
        guard !rest.isEmpty else { return .end }
        defer { rest = rest.dropFirst(4) }
        return .data(rest.prefix(4))
    }
}
