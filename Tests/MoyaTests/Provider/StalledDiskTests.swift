#if os(Linux)
    import Foundation
    @testable import Moya
    import MoyaTesting
    import TestSupport
    import Testing

    @Suite(.queued, .timeLimit(.minutes(10))) struct StalledDiskTests {
        /// The partial file is a pipe without a reader: opening it blocks, as writing to a stalled disk does.
        @Test("a stalled disk delays only its own download: other timers and requests continue")
        func stalledDisk() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "moya-tests-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let (pipe, partial) = (folder.appending(path: "pipe"), folder.appending(path: "partial"))
            let place = folder.appending(path: "place")
            expectEqual(unsafe mkfifo(pipe.path, 0o600), 0)
            try FileManager.default.createSymbolicLink(at: partial, withDestinationURL: pipe)
            let length = (try FileManager.default.attributesOfItem(atPath: partial.path))[.size] as? Int ?? 0
            try Data("\"1\"".utf8).write(to: partial.appendingPathExtension("version"))
            let server = try LoopbackServer { request in
                guard request.path == "/file" else { return .text("alive") }
                let headers: HTTPHeaders = [
                    "Content-Range": "bytes \(length)-\(length + 3)/\(length + 4)", "ETag": "\"1\"",
                ]
                return .status(206, headers: headers, body: Data("rest".utf8))
            }
            defer { server.stop() }
            let task = RequestTask.downloadDestination({ _, _ in (place, []) }, partialFile: partial)
            let time = VirtualTime()
            let provider = MoyaProvider<Local>(timeouts: Timeouts(total: .seconds(3)), scheduler: time)
            let outcome = Promise<Result<Response, MoyaError>>()
            provider.request(Local(server, "/file", task: task)) { outcome.fulfill($0) }
            try await until {
                DownloadFile.partialFilesInUse.withLock { $0.contains(partial.standardizedFileURL.path) }
            }
            let advanced = Promise<Void>()
            DispatchQueue.global().async {
                time.advance(by: .seconds(4))
                advanced.fulfill(())
            }
            try await advanced.value(within: .seconds(60))
            #expect(!outcome.isFulfilled)
            let other = MoyaProvider<Local>(timeouts: Timeouts(total: .seconds(60)))
            try await expectEqual(other.response(Local(server, "/other")).mapString(), "alive")
            let reader = try FileHandle(forUpdating: pipe)
            let result = try await outcome.value()
            #expect(throws: MoyaError.self) { try result.get() }
            try reader.close()
        }
    }
#endif
