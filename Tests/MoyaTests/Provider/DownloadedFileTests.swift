import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

/// The files of downloads, and files that are left from other times.
@Suite(.serialized, .queued, .timeLimit(.minutes(10))) struct DownloadedFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func download(
        _ server: LoopbackServer, _ kind: TransportKind = TransportKind.allCases[0],
        options: DownloadOptions = [.createIntermediateDirectories], to name: String = "place", partialFile: URL? = nil
    ) async throws -> Response {
        let place = folder.file(name)
        let task = RequestTask.downloadDestination({ _, _ in (place, options) }, partialFile: partialFile)
        let provider = MoyaProvider<Local>(transport: try kind.make())
        return try await provider.response(Local(server, "/file", task: task))
    }

    private func mode(_ file: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
    }

    /// Texts that are no validator of a version.
    private static let unusable: [Data] = [
        Data(), Data("\n".utf8), Data("\"1\"\n".utf8), Data("\"1\"\r\nX-Other: 1".utf8), Data(count: 3),
        Data([0xff, 0xfe, 0x22]), Data("W/\"1\"".utf8), Data(repeating: UInt8(ascii: "a"), count: 1 << 20),
    ]

    @Test("a version file that cannot be used starts the download again", arguments: TransportKind.allCases, unusable)
    func unusableVersion(_ kind: TransportKind, _ version: Data) async throws {
        let server = try LoopbackServer { request in
            guard request.headers["Range"] == nil else { return .status(400) }
            return .status(200, headers: ["ETag": "\"1\""], body: Data("0123456789".utf8))
        }
        defer { server.stop() }
        let partial = folder.file("partial")
        try Data("0123".utf8).write(to: partial)
        try version.write(to: folder.file("partial.version"))
        let response = try await download(server, kind, partialFile: partial)
        expectEqual(response.statusCode, 200)
        try expectEqual(String(contentsOf: folder.file("place"), encoding: .utf8), "0123456789")
        #expect(folder.names == ["place"] && server.requests.count == 1)
    }

    @Test("content that is compressed although it was not to be is decoded", arguments: TransportKind.allCases)
    func unrequestedCoding(_ kind: TransportKind) async throws {
        let gzip = try #require(Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJVyjPL8pJAQCFEUoNCwAAAA=="))
        let server = try LoopbackServer { _ in
            .status(200, headers: ["Content-Encoding": "gzip", "ETag": "\"1\""], body: gzip)
        }
        defer { server.stop() }
        for isResumed in [false, true] {
            if isResumed {
                try Data("old".utf8).write(to: folder.file("partial"))
                try Data("\"0\"".utf8).write(to: folder.file("partial.version"))
            }
            let response = try await download(
                server, kind, options: [.removePreviousFile], partialFile: folder.file("partial"))
            expectEqual(response.statusCode, 200)
            try expectEqual(String(contentsOf: folder.file("place"), encoding: .utf8), "hello world")
        }
        expectEqual(server.requests.map { $0.headers["Range"] != nil }, [false, true])
    }

    @Test("a destination that is no regular file is kept, and the error names it")
    func pipe() async throws {
        let server = try LoopbackServer { _ in .text("content") }
        defer { server.stop() }
        let pipe = folder.file("pipe")
        expectEqual(unsafe mkfifo(pipe.path, 0o600), 0)
        let error = await #expect(throws: MoyaError.self) {
            try await download(server, options: [.removePreviousFile], to: "pipe")
        }
        #expect(error.map { "\($0)".contains("\(pipe.path): it is a directory, or not a regular file") } == true)
        let type = try FileManager.default.attributesOfItem(atPath: pipe.path)[.type] as? FileAttributeType
        #expect(type != .typeRegular)
        let other = await #expect(throws: MoyaError.self) {
            try await download(server, options: [], to: "none/file")
        }
        #expect(
            other.map { "\($0)".contains("the file cannot be saved as \(folder.file("none/file").path): ") } == true)
    }

    @Test("a partial file that is a directory is refused, and stays", arguments: ["partial", "partial.version"])
    func partialDirectory(_ name: String) async throws {
        let server = try LoopbackServer { _ in .status(200, headers: ["ETag": "\"1\""], body: Data("new".utf8)) }
        defer { server.stop() }
        let precious = folder.file(name).appending(path: "precious")
        try FileManager.default.createDirectory(at: precious, withIntermediateDirectories: true)
        let error = await #expect(throws: MoyaError.self) {
            try await download(server, partialFile: folder.file("partial"))
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("GET http") && text.contains("\(name) is not a regular file"), "\(text)")
        #expect(FileManager.default.fileExists(atPath: precious.path))
    }

    @Test("RFC 9110, 15.3.7: a part that was not requested is no file", arguments: TransportKind.allCases)
    func unrequestedPart(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in
            .status(206, headers: ["Content-Range": "bytes 4-9/10"], body: Data("456789".utf8))
        }
        defer { server.stop() }
        let error = await #expect(throws: MoyaError.self) { try await download(server, kind) }
        expectEqual(error?.kind, .badResponse)
        #expect(folder.names.isEmpty)
    }

    @Test("a part that answers a former request of a resumed download is no file", arguments: TransportKind.allCases)
    func unrequestedPartAfterRestart(_ kind: TransportKind) async throws {
        let server = try LoopbackServer(replies: [
            LoopbackReply([
                .send(Data("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 10\r\n\r\n0123".utf8)), .close,
            ]),
            .status(416),
            .status(206, headers: ["Content-Range": "bytes 4-9/10"], body: Data("456789".utf8)),
        ])
        defer { server.stop() }
        let partial = folder.file("partial")
        await #expect(throws: MoyaError.self) { try await download(server, kind, partialFile: partial) }
        let error = await #expect(throws: MoyaError.self) { try await download(server, kind, partialFile: partial) }
        expectEqual(server.requests.map { $0.headers["Range"] }, [nil, "bytes=4-", nil])
        expectEqual(error?.kind, .badResponse)
        #expect(!folder.names.contains("place"))
    }

    @Test("a partial file may be in a directory that does not exist")
    func missingDirectory() async throws {
        let server = try LoopbackServer { _ in .status(200, headers: ["ETag": "\"1\""], body: Data("new".utf8)) }
        defer { server.stop() }
        _ = try await download(server, partialFile: folder.file("new").appending(path: "partial"))
        try expectEqual(String(contentsOf: folder.file("place"), encoding: .utf8), "new")
    }

    @Test("a downloaded file has the mode that the umask of the process gives", arguments: [false, true])
    func usesUmask(_ isPartial: Bool) async throws {
        let server = try LoopbackServer { _ in .text("new") }
        defer { server.stop() }
        let other = folder.file("other")
        #expect(FileManager.default.createFile(atPath: other.path, contents: Data()))
        let expected = try mode(other)
        let partial = isPartial ? folder.file("partial") : nil
        _ = try await download(server, partialFile: partial)
        try expectEqual(mode(folder.file("place")), expected)
        // A file that is replaced does not pass its mode on.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.file("place").path)
        _ = try await download(server, options: .removePreviousFile, partialFile: partial)
        try expectEqual(mode(folder.file("place")), expected)
        _ = try await download(server, to: "a/b", partialFile: partial)
        try expectEqual(mode(folder.file("a/b")), expected)
        expectEqual(folder.names, ["a", "other", "place"])
    }

    // The thread sanitizer takes seconds for each process.
    #if !MOYA_SANITIZER
        @Test("an umask that lets a group read lets only the group read a download, too")
        func otherUmask() async {
            await #expect(processExitsWith: .exitCode(42)) {
                umask(0o027)
                let folder = try TemporaryFolder()
                let place = folder.file("place")
                let server = try LoopbackServer { _ in .text("new") }
                let target = Local(server, "/file", task: .download(to: place))
                _ = try await MoyaProvider<Local>().response(target)
                let attributes = try FileManager.default.attributesOfItem(atPath: place.path)
                exit((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640 ? 42 : 1)
            }
        }
    #endif

    @Test("download(to:) takes parameters and a partial file, and sends the parameters")
    func parametersAndPartialFile() async throws {
        let server = try LoopbackServer { request in .text(request.target) }
        defer { server.stop() }
        let place = folder.file("place")
        let task = RequestTask.download(to: place, parameters: ["a": 1], partialFile: folder.file("part"))
        guard case .downloadParameters(_, _, _, let partialFile?) = task else {
            Issue.record("no partial file")
            return
        }
        expectEqual(partialFile, folder.file("part"))
        _ = try await MoyaProvider<Local>().response(Local(server, "/file", task: task))
        try expectEqual(String(contentsOf: place, encoding: .utf8), "/file?a=1")
        expectEqual(folder.names, ["place"])
        guard case .downloadDestination(_, nil) = RequestTask.download(to: place) else {
            Issue.record("a download without parameters")
            return
        }
    }

    @Test("the file of an interrupted download is private")
    func partialFile() async throws {
        let server = try LoopbackServer { _ in
            LoopbackReply([.send(LoopbackReply.head(200, ["Content-Length": "10"])), .send(Data("0123".utf8)), .close])
        }
        defer { server.stop() }
        let partial = folder.file("partial")
        await #expect(throws: MoyaError.self) { try await download(server, partialFile: partial) }
        try expectEqual(mode(partial), 0o600)
    }

    @Test("an error of decoding a downloaded response says where its content is")
    func decodesNoFile() async throws {
        let server = try LoopbackServer { _ in .json("[1]") }
        defer { server.stop() }
        let response = try await download(server)
        for decode in [{ _ = try $0.mapJSON() }, { _ = try $0.map([Int].self) }] as [(Response) throws -> Void] {
            let error = #expect(throws: MoyaError.self) { try decode(response) }
            #expect(error?.description.hasSuffix("status 200: the response body was saved to a file") == true)
            #expect(error?.recoverySuggestion?.contains("fileURL") == true)
        }
    }
}
