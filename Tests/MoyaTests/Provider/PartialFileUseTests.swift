import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct PartialFileUseTests {
    @Test("a partial file that another download is writing is refused, and remains intact")
    func twoDownloads() async throws {
        let folder = try TemporaryFolder()
        let partial = folder.url.appending(path: "partial")
        let (isReleased, begun) = (Box(false), Promise<Void>())
        let server = try LoopbackServer { _ in
            LoopbackReply([
                .send(LoopbackReply.head(200, ["Content-Length": "10", "ETag": "\"1\""])), .send(Data("0123".utf8)),
                .waitUntil { isReleased.value }, .send(Data("456789".utf8)),
            ])
        }
        defer { server.stop() }
        let provider = MoyaProvider<Local>()
        @Sendable func target(_ name: String) -> Local {
            let place = folder.url.appending(path: name)
            return Local(server, task: .downloadDestination({ _, _ in (place, []) }, partialFile: partial))
        }
        let first = Promise<URL?>()
        provider.request(target("first"), progress: { _ in begun.fulfill(()) }) { result in
            first.fulfill((try? result.get())?.fileURL)
        }
        try await begun.value()
        let error = await #expect(throws: MoyaError.self) { try await provider.response(target("second")) }
        #expect(error?.description.contains("another download of this process is writing") == true)
        expectEqual(text(partial), "0123")
        isReleased.value = true
        expectEqual(text(try await first.value()), "0123456789")
        #expect(!FileManager.default.fileExists(atPath: partial.path))
        // The end of a download frees the partial file.
        expectEqual(text(try await provider.response(target("third")).fileURL), "0123456789")
    }

    @Test(
        "a download that is resumed while the cancelled one writes its last bytes continues, unless the content changed",
        arguments: ["\"1\"", "\"2\""])
    func resumedAtOnce(version: String) async throws {
        let folder = try TemporaryFolder()
        let (partial, place) = (folder.url.appending(path: "partial"), folder.url.appending(path: "place"))
        try Data("0123".utf8).write(to: partial)
        try Data("\"1\"".utf8).write(to: partial.appendingPathExtension("version"))
        let server = try LoopbackServer { request in
            try? Data("012345".utf8).write(to: partial)
            try? Data(version.utf8).write(to: partial.appendingPathExtension("version"))
            let headers: HTTPHeaders = ["Content-Range": "bytes 4-9/10", "ETag": "\"1\""]
            return .status(206, headers: headers, body: Data("456789".utf8))
        }
        defer { server.stop() }
        let target = Local(server, task: .downloadDestination({ _, _ in (place, []) }, partialFile: partial))
        let response = try? await MoyaProvider<Local>().response(target)
        let isUnchanged = version == "\"1\""
        expectEqual(text(response?.fileURL), isUnchanged ? "0123456789" : nil)
        expectEqual(text(partial), isUnchanged ? nil : "012345")
    }

    @Test("a cancelled download can be resumed while one of its callbacks runs")
    func resumedWhileACallbackRuns() async throws {
        let folder = try TemporaryFolder()
        let (partial, place) = (folder.url.appending(path: "partial"), folder.url.appending(path: "place"))
        let server = try LoopbackServer { request in
            guard request.headers["Range"] == nil else {
                let headers: HTTPHeaders = ["Content-Range": "bytes 4-9/10", "ETag": "\"1\""]
                return .status(206, headers: headers, body: Data("456789".utf8))
            }
            let head = LoopbackReply.head(200, ["Content-Length": "10", "ETag": "\"1\""])
            return LoopbackReply([.send(head), .send(Data("0123".utf8)), .wait(.seconds(60))])
        }
        defer { server.stop() }
        let target = Local(server, task: .downloadDestination({ _, _ in (place, []) }, partialFile: partial))
        let (begun, resumed, end) = (Promise<Void>(), DispatchSemaphore(value: 0), Promise<Void>())
        let hasReported = OneShotFlag()
        #if os(Linux)
            let transport = try CurlTransport(threads: 1)
        #else
            let transport = URLSessionTransport()
        #endif
        let first = MoyaProvider<Local>(transport: transport)
        let call = first.request(
            target,
            progress: { progress in
                guard progress.completedUnitCount == 4, hasReported.setIfUnset() else { return }
                begun.fulfill(())
                _ = resumed.wait(timeout: .now() + 60)
            }, completion: { _ in end.fulfill(()) })
        try await begun.value()
        call.cancel()
        let response = try await MoyaProvider<Local>().response(target)
        expectEqual(text(response.fileURL), "0123456789")
        resumed.signal()
        try await end.value()
        expectEqual(text(place), "0123456789")
    }

    private func text(_ file: URL?) -> String? { file.flatMap { try? String(contentsOf: $0, encoding: .utf8) } }
}
