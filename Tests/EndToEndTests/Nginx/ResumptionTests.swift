import Foundation
import MoyaStreams
import TestSupport
import Testing

/// Interrupted downloads, and content of unknown length.
@Suite(.enabled(if: address("MOYA_HTTP") != nil), .queued, .timeLimit(.minutes(10)))
struct ResumptionTests {
    private static let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
    private static let otherContent = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 11) })

    private func put(_ content: Data, _ name: String, _ provider: MoyaProvider<MultiTarget>) async throws {
        let page = Page(path: "/put/\(name)", method: .put, task: .requestData(content))
        _ = try await provider.response(page).filterSuccessfulStatusCodes()
    }

    /// Interrupts a download, calls `change`, and downloads again.
    private func resume(
        _ kind: TransportKind, _ server: String, after change: (String, MoyaProvider<MultiTarget>) async throws -> Void
    ) async throws -> (response: Response, content: Data) {
        try await withFolder { folder in
            let provider = try kind.provider(server)
            let name = "\(UUID().uuidString).bin"
            try await put(Self.content, name, provider)
            let place = folder.appending(path: "whole")
            let task = RequestTask.downloadDestination(
                { _, _ in (place, []) }, partialFile: folder.appending(path: "part"))
            let (reports, report) = AsyncStream<Int64>.makeStream()
            let interrupted = Task {
                await errorKind { () throws(MoyaError) in
                    _ = try await provider.response(Page(path: "/slowly/\(name)", task: task)) {
                        report.yield($0.completedUnitCount)
                    }
                }
            }
            for await bytes in reports where bytes >= 5000 { break }
            interrupted.cancel()
            await expectEqual(interrupted.value, .cancelled)
            try await change(name, provider)
            let response = try await provider.response(Page(path: "/put/\(name)", task: task))
            return (response, try Data(contentsOf: place))
        }
    }

    private func goesOn(_ kind: TransportKind, _ server: String) async throws {
        let whole = try await resume(kind, server) { _, _ in }
        expectEqual(whole.response.statusCode, 206)
        let isUnharmed = whole.content == Self.content
        #expect(isUnharmed)
        let changed = try await resume(kind, server) { name, provider in
            try await put(Self.otherContent, name, provider)
        }
        expectEqual(changed.response.statusCode, 200)
        let isTheOther = changed.content == Self.otherContent
        #expect(isTheOther)
    }

    @Test(
        "an interrupted download is resumed, or starts over if the file has changed", arguments: TransportKind.allCases)
    func resumption(_ kind: TransportKind) async throws {
        try await goesOn(kind, "MOYA_HTTP")
    }

    @Test(
        "an interrupted download by HTTP/2 is resumed, or starts over if the file has changed",
        arguments: TransportKind.with(.ownAuthorities))
    func resumptionByHTTP2(_ kind: TransportKind) async throws {
        try await goesOn(kind, "MOYA_TLS_GOOD")
    }

    private struct Pieces: BodyReader {
        var left = 100

        mutating func read(upTo count: Int) -> BodyPart {
            guard left > 0 else { return .end }
            left -= 1
            return .data(Data(repeating: UInt8(ascii: "x"), count: min(count, 1000)))
        }
    }

    private func unknownLength(_ kind: TransportKind, _ server: String) async throws {
        let provider = try kind.provider(server)
        let stream = RequestBody.stream(length: nil) { _ in Pieces() }
        let form = MultipartFormData(parts: [MultipartFormBodyPart(provider: stream, name: "pieces")])
        let path = "/put/\(UUID().uuidString).txt"
        let page = Page(path: path, method: .put, task: .uploadMultipartFormData(form))
        try await expectEqual(provider.response(page).statusCode, 201)
        let stored = try await provider.response(Page(path: path)).data
        expectEqual(stored.count { $0 == UInt8(ascii: "x") }, 100_000)
    }

    @Test("content of unknown length is sent completely", arguments: TransportKind.allCases)
    func unknownLength(_ kind: TransportKind) async throws {
        try await unknownLength(kind, "MOYA_HTTP")
    }

    @Test("content of unknown length is sent completely by HTTP/2", arguments: TransportKind.with(.ownAuthorities))
    func unknownLengthByHTTP2(_ kind: TransportKind) async throws {
        try await unknownLength(kind, "MOYA_TLS_GOOD")
    }
}
