import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.serialized, .queued, .timeLimit(.minutes(10))) final class DownloadTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "moya-tests-\(UUID().uuidString)")
    private var place: URL { folder.appending(path: "place") }
    private var partial: URL { folder.appending(path: "partial") }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private func text(_ file: URL?) -> String? {
        file.flatMap { try? String(contentsOf: $0, encoding: .utf8) }
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    private func download(
        _ server: LoopbackServer, _ kind: TransportKind = TransportKind.allCases[0], options: DownloadOptions = [],
        to place: URL? = nil, partialFile: URL? = nil, progress: MoyaProvider<Local>.ProgressBlock? = nil
    ) async throws -> Response {
        let place = place ?? self.place
        let task = RequestTask.downloadDestination({ _, _ in (place, options) }, partialFile: partialFile)
        let provider = MoyaProvider<Local>(transport: try kind.make(), plugins: [])
        return try await provider.response(Local(server, "/file", task: task), progress: progress)
    }

    @Test("the content of a success is in the file, and not in memory", arguments: TransportKind.allCases)
    func success(_ kind: TransportKind) async throws {
        let content = String(repeating: "0123456789", count: 50_000)
        let server = try LoopbackServer { _ in .text(content) }
        defer { server.stop() }
        let counts = Box<[Int64]>([])
        let response = try await download(server, kind) { event in
            counts.change { $0.append(event.completedUnitCount) }
        }
        #expect(response.data.isEmpty)
        expectEqual(response.fileURL, place)
        expectEqual(text(place)?.count, content.count)
        expectEqual(text(place), content)
        expectEqual(counts.value.last, 500_000)
        expectEqual(counts.value, counts.value.sorted())
        expectEqual(names, ["place"])
    }

    @Test(
        "the content of another response is in memory, and the existing file is unchanged",
        arguments: TransportKind.allCases)
    func failure(_ kind: TransportKind) async throws {
        try Data("good".utf8).write(to: place)
        let server = try LoopbackServer { _ in .status(500, body: Data("oops".utf8)) }
        defer { server.stop() }
        let response = try await download(server, kind, options: .removePreviousFile)
        expectEqual(response.statusCode, 500)
        try expectEqual(response.mapString(), "oops")
        #expect(response.fileURL == nil)
        expectEqual(text(place), "good")
        expectEqual(names, ["place"])
    }

    @Test("the response is validated before the file is moved")
    func validation() async throws {
        struct Picky: TargetType {
            var baseURL: URL
            var path = "/"
            var task: RequestTask
            var validationType = ValidationType.customCodes([206])
        }
        let server = try LoopbackServer { _ in .text("refused") }
        defer { server.stop() }
        let place = place
        let target = Picky(baseURL: server.url, task: .downloadDestination { _, _ in (place, []) })
        let error = await #expect(throws: MoyaError.self) { try await MoyaProvider<Picky>().response(target) }
        expectEqual(error?.kind, .http)
        #expect(names.isEmpty)
    }

    @Test("existing files are replaced, and folders are created, only if the destination allows it")
    func options() async throws {
        let server = try LoopbackServer { _ in .text("new") }
        defer { server.stop() }
        try Data("old".utf8).write(to: place)
        let error = await #expect(throws: MoyaError.self) { try await download(server) }
        expectEqual(error?.response?.statusCode, 200)
        expectEqual(text(place), "old")
        _ = try await download(server, options: .removePreviousFile)
        expectEqual(text(place), "new")
        let deep = folder.appending(path: "a/b/c")
        await #expect(throws: MoyaError.self) { try await download(server, to: deep) }
        _ = try await download(server, options: .createIntermediateDirectories, to: deep)
        expectEqual(text(deep), "new")
        expectEqual(names, ["a", "place"])
    }

    @Test func aStubIsStoredToo() async throws {
        struct Stubbed: TargetType {
            var baseURL = URL(string: "http://a.example/") ?? URL(filePath: "/")
            var path = "/"
            var sampleData = Data("sample".utf8)
            var task: RequestTask
        }
        let place = place
        let provider = MoyaProvider<Stubbed>(stubClosure: MoyaProvider.immediatelyStub)
        let response = try await provider.response(Stubbed(task: .downloadDestination { _, _ in (place, []) }))
        expectEqual(text(response.fileURL), "sample")
        #expect(response.data.isEmpty)
    }

    /// Starts a server that supports ranges (RFC 9110, section 14); its first response is incomplete.
    private func rangeServer(_ versions: [String], _ content: String, weak: Bool = false) throws -> LoopbackServer {
        let number = Box(0)
        return try LoopbackServer { request in
            let version = versions[min(number.value, versions.count - 1)]
            number.change { $0 += 1 }
            let tag = (weak ? "W/" : "") + "\"\(version)\""
            let isSame = request.headers["If-Range"] == nil || request.headers["If-Range"] == tag
            if let range = request.headers["Range"], isSame {
                let start = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
                guard start < content.count else {
                    return .status(416, headers: ["Content-Range": "bytes */\(content.count)"])
                }
                return .status(
                    206,
                    headers: ["Content-Range": "bytes \(start)-\(content.count - 1)/\(content.count)", "ETag": tag],
                    body: Data(content.dropFirst(start).utf8))
            }
            let isFirst = number.value == 1
            return LoopbackReply([
                .send(LoopbackReply.head(200, ["Content-Length": "\(content.count)", "ETag": tag])),
                .send(Data((isFirst ? content.prefix(4) : content[...]).utf8)), .close,
            ])
        }
    }

    @Test("RFC 9110, 14.2: an interrupted download is resumed", arguments: TransportKind.allCases)
    func resumes(_ kind: TransportKind) async throws {
        let server = try rangeServer(["1"], "0123456789")
        defer { server.stop() }
        let error = await #expect(throws: MoyaError.self) {
            try await download(server, kind, partialFile: partial)
        }
        expectEqual(error?.kind, .connectionLost)
        expectEqual(text(partial), "0123")
        let counts = Box<[Int64]>([])
        let response = try await download(server, kind, partialFile: partial) { event in
            counts.change { $0.append(event.completedUnitCount) }
        }
        expectEqual(server.requests.last?.headers["Range"], "bytes=4-")
        expectEqual(server.requests.last?.headers["If-Range"], "\"1\"")
        expectEqual(text(response.fileURL), "0123456789")
        expectEqual(counts.value.last, 10)
        #expect(counts.value.allSatisfy { $0 > 4 })
        expectEqual(names, ["place"])
    }

    @Test(
        "a download of another version, or of one without a validator, starts over",
        arguments: [(["1", "2"], false), (["1"], true)])
    func startsOver(_ versions: [String], _ weak: Bool) async throws {
        let server = try rangeServer(versions, "0123456789", weak: weak)
        defer { server.stop() }
        await #expect(throws: MoyaError.self) { try await download(server, partialFile: partial) }
        let response = try await download(server, partialFile: partial)
        expectEqual(text(response.fileURL), "0123456789")
        expectEqual(server.requests.last?.headers["Range"] == nil, weak)
    }

    @Test("after an unsatisfiable range, the whole content is requested", arguments: TransportKind.allCases)
    func unsatisfiable(_ kind: TransportKind) async throws {
        let server = try rangeServer(["1"], "0123456789")
        defer { server.stop() }
        await #expect(throws: MoyaError.self) { try await download(server, kind, partialFile: partial) }
        try Data("far more than the server has".utf8).write(to: partial)
        let response = try await download(server, kind, partialFile: partial)
        expectEqual(text(response.fileURL), "0123456789")
        expectEqual(server.requests.count, 3)
    }

    @Test("a range that differs from the requested one is an error", arguments: TransportKind.allCases)
    func wrongPart(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { request in
            request.headers["Range"] == nil
                ? LoopbackReply([
                    .send(LoopbackReply.head(200, ["Content-Length": "9", "ETag": "\"1\""])), .send(Data("0123".utf8)),
                    .close,
                ]) : .status(206, headers: ["Content-Range": "bytes 2-8/9"], body: Data("2345678".utf8))
        }
        defer { server.stop() }
        await #expect(throws: MoyaError.self) { try await download(server, kind, partialFile: partial) }
        await #expect(throws: MoyaError.self) { try await download(server, kind, partialFile: partial) }
        expectEqual(text(partial), "0123")
        #expect(text(place) == nil)
    }

    @Test("a part of unknown total length is not joined: the download starts over", arguments: TransportKind.allCases)
    func unknownTotal(_ kind: TransportKind) async throws {
        let isCut = Box(true)
        let server = try LoopbackServer { request in
            if request.headers["Range"] != nil {
                return .status(206, headers: ["Content-Range": "bytes 4-5/*", "ETag": "\"1\""], body: Data("45".utf8))
            }
            return LoopbackReply(
                [.send(LoopbackReply.head(200, ["Content-Length": "9", "ETag": "\"1\""])), .send(Data("0123".utf8))]
                    + (isCut.value ? [.close] : [.send(Data("45678".utf8))]))
        }
        defer { server.stop() }
        await #expect(throws: MoyaError.self) { try await download(server, kind, partialFile: partial) }
        isCut.value = false
        let response = try await download(server, kind, partialFile: partial)
        expectEqual(text(response.fileURL), "012345678")
    }

    @Test("a cancelled download leaves only a partial file")
    func cancel() async throws {
        let progressed = Promise<Void>()
        let server = try LoopbackServer { _ in
            LoopbackReply(
                [.send(LoopbackReply.head(200, ["Content-Length": "9"])), .send(Data("0123".utf8))]
                    + LoopbackReply.silence.steps)
        }
        defer { server.stop() }
        let done = Promise<MoyaError.Kind?>()
        let place = place
        let partial = partial
        let target = Local(server, task: .downloadDestination({ _, _ in (place, []) }, partialFile: partial))
        let call = MoyaProvider<Local>().request(target, progress: { _ in progressed.fulfill(()) }) { result in
            if case .failure(let error) = result { done.fulfill(error.kind) } else { done.fulfill(nil) }
        }
        try await progressed.value()
        call.cancel()
        try await expectEqual(done.value(), .cancelled)
        expectEqual(names, ["partial"])
    }

    /// Resumes a partial file of version `v1`; `reply` responds to the request for the rest.
    private func resumed(_ reply: @escaping @Sendable (LoopbackRequest) -> LoopbackReply) async throws -> (
        String?, [LoopbackRequest]
    ) {
        try Data("abc".utf8).write(to: partial)
        try Data("\"v1\"".utf8).write(to: partial.appendingPathExtension("version"))
        let server = try LoopbackServer { request in
            request.headers["Range"] == nil ? .status(200, body: Data("0123456789".utf8)) : reply(request)
        }
        defer { server.stop() }
        let response = try await download(server, partialFile: partial)
        return (text(response.fileURL), server.requests)
    }

    @Test(
        "RFC 9110, 15.3.7.3: parts of different versions or codings are not joined",
        arguments: [["ETag": "\"v2\""], ["ETag": "\"v1\"", "Content-Encoding": "br"]] as [HTTPHeaders])
    func otherVersion(_ headers: HTTPHeaders) async throws {
        let (text, requests) = try await resumed { _ in
            .status(206, headers: headers.merging(["Content-Range": "bytes 3-5/6"]), body: Data("XYZ".utf8))
        }
        expectEqual(text, "0123456789")
        expectEqual(requests.count, 2)
    }

    @Test("a range that is too short is a lost connection")
    func shortPart() async throws {
        let error = await #expect(throws: MoyaError.self) {
            try await resumed { _ in
                .status(206, headers: ["Content-Range": "bytes 3-9/10", "ETag": "\"v1\""], body: Data("XYZ".utf8))
            }
        }
        expectEqual(error?.kind, .connectionLost)
        expectEqual(text(partial), "abcXYZ")
        #expect(text(place) == nil)
    }

    @Test("an excessive length does not crash")
    func hugeLength() async throws {
        let error = await #expect(throws: MoyaError.self) {
            try await resumed { _ in
                let head: HTTPHeaders = [
                    "Content-Range": "bytes 3-9/10", "ETag": "\"v1\"", "Content-Length": "\(Int64.max)",
                ]
                return LoopbackReply([.send(LoopbackReply.head(206, head)), .send(Data("def".utf8)), .close])
            }
        }
        #expect(error != nil)
    }

    @Test("a range that the target itself has requested is the content")
    func ownRange() async throws {
        let server = try LoopbackServer { _ in
            .status(206, headers: ["Content-Range": "bytes 2-3/9"], body: Data("cd".utf8))
        }
        defer { server.stop() }
        let place = place
        let task = RequestTask.downloadDestination { _, _ in (place, []) }
        let target = Local(server, task: task, headers: ["Range": "bytes=2-3"])
        try await expectEqual(text(MoyaProvider<Local>().response(target).fileURL), "cd")
    }

    @Test(
        "a date that does not identify one version is not used to resume",
        arguments: [
            (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:38 GMT"], false),
            (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:59:37 GMT"], true),
            (
                [
                    "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:59:37 GMT",
                    "ETag": "W/\"1\"",
                ], false
            ),
            (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], false),
        ])
    func versionsByDate(_ headers: [String: String], _ isEnough: Bool) async throws {
        let server = try LoopbackServer { _ in
            LoopbackReply([
                .send(LoopbackReply.head(200, HTTPHeaders(headers.merging(["Content-Length": "9"]) { $1 }))),
                .send(Data("abc".utf8)),
                .close,
            ])
        }
        defer { server.stop() }
        for _ in 0..<2 {
            await #expect(throws: MoyaError.self) { try await download(server, partialFile: partial) }
        }
        expectEqual(server.requests.last?.headers["Range"] != nil, isEnough)
    }

    @Test("a folder is not replaced, whatever name a server suggests")
    func folders() async throws {
        let photos = folder.appending(path: "Photos")
        try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
        try Data("dear".utf8).write(to: photos.appending(path: "memory"))
        let server = try LoopbackServer { _ in
            .status(200, headers: ["Content-Disposition": "attachment; filename=Photos"], body: Data("x".utf8))
        }
        defer { server.stop() }
        let destination = RequestTask.suggestedDestination(in: folder, options: .removePreviousFile)
        let target = Local(server, task: .downloadDestination(destination))
        await #expect(throws: MoyaError.self) { try await MoyaProvider<Local>().response(target) }
        expectEqual(text(photos.appending(path: "memory")), "dear")
        expectEqual(names, ["Photos"])
    }

    @Test("a file with a name of maximum length can be replaced, and may be its own destination")
    func places() async throws {
        let server = try LoopbackServer { _ in .text("new") }
        defer { server.stop() }
        let long = folder.appending(path: String(repeating: "x", count: 255))
        try Data("old".utf8).write(to: long)
        _ = try await download(server, options: .removePreviousFile, to: long)
        expectEqual(text(long), "new")
        let task = RequestTask.downloadDestination { temporary, _ in (temporary, []) }
        let response = try await MoyaProvider<Local>().response(Local(server, task: task))
        expectEqual(text(response.fileURL), "new")
        if let file = response.fileURL { try FileManager.default.removeItem(at: file) }
    }

    @Test("a stub does not change a partial file")
    func stubsAndPartialFiles() async throws {
        try Data("abc".utf8).write(to: partial)
        let (place, partial) = (place, partial)
        let server = try LoopbackServer { _ in .text("") }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(stubClosure: MoyaProvider.immediatelyStub)
        let task = RequestTask.downloadDestination({ _, _ in (place, []) }, partialFile: partial)
        _ = try await provider.response(Local(server, task: task))
        expectEqual(text(partial), "abc")
    }

    @Test("download(to:) creates directories and replaces a file; without overwriting, an existing file is an error")
    func downloadTo() async throws {
        let server = try LoopbackServer { _ in .text("new") }
        defer { server.stop() }
        let nested = folder.appending(path: "a/b/photo")
        let provider = MoyaProvider<Local>()
        for _ in 0..<2 {
            let response = try await provider.response(Local(server, "/file", task: .download(to: nested)))
            expectEqual(response.fileURL, nested)
            expectEqual(text(nested), "new")
        }
        await #expect(throws: MoyaError.self) {
            try await provider.response(Local(server, "/file", task: .download(to: nested, overwrite: false)))
        }
        expectEqual(text(nested), "new")
    }
}
