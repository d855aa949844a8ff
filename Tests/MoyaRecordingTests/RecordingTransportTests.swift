import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@testable import MoyaRecording

/// The numbers are those of the design's edge cases.
@Suite(.queued, .timeLimit(.minutes(10))) struct RecordingTransportTests {
    /// Reads the content of each request once, and echoes it.
    private struct Echo: Transport {
        var capabilities: TransportCapabilities { [] }

        func start(
            _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
        ) -> any TransportExchange {
            ScriptedTransport { request in
                do {
                    var content = Data()
                    var reader = try request.body.open {}
                    while case .data(let part) = try reader.read(upTo: 3) { content += part }
                    return .response(200, content)
                } catch {
                    return .failure(.requestBodyStreamExhausted)
                }
            }.start(request, receive: receive)
        }
    }

    @Test("5, 12: content of each kind is recorded; a stream is opened once")
    func recordsContent() throws {
        let folder = try TemporaryFolder()
        try Data("of a file".utf8).write(to: folder.file("a"))
        let opened = Box(0)
        let stream = RequestBody.stream(length: nil) { _ in
            opened.change { $0 += 1 }
            guard opened.value == 1 else { throw Failure() }
            return TextReader(data: Data("of a stream".utf8))
        }
        let recorder = HARRecorder()
        let transport = Echo().recording(recorder)
        for body in [.none, .data(Data()), .data(Data("of data".utf8)), .file(folder.file("a")), stream]
            as [RequestBody]
        {
            _ = try transport.batches(.post, "https://a.example/", body: body)
        }
        let archive = try recorder.archive()
        let texts = archive.entries.map { $0.request.content?.data.map { String(decoding: $0, as: UTF8.self) } }
        expectEqual(texts, [nil, "", "of data", "of a file", "of a stream"])
        expectEqual(archive.entries.map { $0.response?.content.data?.count }, [0, 0, 7, 9, 11])
        expectEqual(opened.value, 1)
    }

    @Test("12: content that was not sent completely is not recorded")
    func marksIncompleteContent() throws {
        let recorder = HARRecorder()
        let unread = ScriptedTransport { _ in .failure(.timedOut) }.recording(recorder)
        let stream = RequestBody.stream(length: 3) { _ in TextReader(data: Data("abc".utf8)) }
        _ = try unread.batches(.post, "https://a.example/", body: stream)
        _ = try unread.batches(.post, "https://a.example/", body: .file(URL(filePath: "/none/there")))
        try expectEqual(
            recorder.archive().entries.map(\.request.content),
            [
                HAR.Content(unrecorded: 0), HAR.Content(unrecorded: 0),
            ])
    }

    @Test("13: content above the limit is counted and not recorded")
    func limitsContent() throws {
        let recorder = HARRecorder(largestBody: 4)
        let transport = Echo().recording(recorder)
        let stream = RequestBody.stream(length: nil) { _ in TextReader(data: Data("abcdefg".utf8)) }
        for body in [.data(Data("abcde".utf8)), stream, .data(Data("abcd".utf8))] as [RequestBody] {
            _ = try transport.batches(.post, "https://a.example/", body: body)
        }
        let entries = try recorder.archive().entries
        expectEqual(entries.map { $0.request.content?.data?.count }, [nil, nil, 4])
        expectEqual(entries.map { $0.request.content?.size }, [5, 7, 4])
        expectEqual(entries.map { $0.response?.content.data?.count }, [nil, nil, 4])
        expectEqual(entries.map { $0.response?.content.size }, [5, 7, 4])
    }

    @Test("8: a repeated request after a failure is the next attempt, after a success it is not")
    func numbersAttempts() throws {
        let count = Box(0)
        let recorder = HARRecorder()
        let transport = ScriptedTransport { request in
            count.change { $0 += 1 }
            return switch count.value {
            case 1: .failure(.timedOut)
            case 2: .response(503, "busy")
            default: .text("done")
            }
        }.recording(recorder)
        for _ in 0..<4 { _ = try transport.batches(.get, "https://a.example/", headers: ["X-Time": "\(count.value)"]) }
        let archive = try recorder.archive()
        expectEqual(archive.entries.map(\.attempt), [1, 2, 3, 1])
        expectEqual(archive.lastAttempts().entries.map { $0.response?.statusCode }, [200, 200])
        expectEqual(archive.lastAttempts().entries.map(\.attempt), [3, 1])
    }

    @Test("8: each of two equal requests at once has attempts of its own")
    func numbersAttemptsAtOnce() throws {
        let time = VirtualTime()
        let recorder = HARRecorder(scheduler: time) { Date(timeIntervalSince1970: time.elapsed / .seconds(1)) }
        let count = Box(0)
        let transport = ScriptedTransport { _ in
            count.change { $0 += 1 }
            return count.value <= 2 ? .response(503, "busy") : .text("done")
        }.throttled(to: NetworkConditions(roundTrip: .milliseconds(50)), on: time).recording(recorder)
        let request = try TransportRequest(method: .get, url: try #require(URL(string: "https://a.example/")))
        for _ in 0..<2 {
            for _ in 0..<2 { _ = transport.start(request) { _ in } }
            time.advance(by: .milliseconds(100))
        }
        let archive = try recorder.archive()
        expectEqual(archive.entries.map(\.attempt), [1, 1, 2, 2])
        expectEqual(archive.lastAttempts().entries.map { $0.response?.statusCode }, [200, 200])
    }

    @Test("8: a request for the rest of a response is no attempt", arguments: ["Range", "Last-Event-ID"])
    func numbersNoRest(_ field: String) throws {
        let recorder = HARRecorder()
        let transport = ScriptedTransport { _ in .failure(.networkConnectionLost) }.recording(recorder)
        for value in ["a", "b", "b"] { _ = try transport.batches(.get, "https://a.example/", headers: [field: value]) }
        try expectEqual(recorder.archive().entries.map(\.attempt), [1, 1, 2])
        try expectEqual(recorder.archive().lastAttempts().entries.count, 2)
    }

    @Test("8: attempts of a multipart form are equal, although each has a boundary of its own")
    func numbersFormAttempts() throws {
        let count = Box(0)
        let recorder = HARRecorder()
        let transport = ScriptedTransport { _ in
            count.change { $0 += 1 }
            return count.value == 1 ? .response(503, "busy") : .text("done")
        }.recording(recorder)
        for value in ["1", "1", "2"] {
            let boundary = "b\(count.value)"
            let head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n"
            let field = "\(head)\(value)\r\n--\(boundary)--\r\n"
            _ = try transport.batches(
                .post, "https://a.example/", headers: ["Content-Type": "multipart/form-data; boundary=\(boundary)"],
                body: .data(Data(field.utf8)))
        }
        let archive = try recorder.archive()
        expectEqual(archive.entries.map(\.attempt), [1, 2, 1])
        expectEqual(archive.lastAttempts().entries.map { $0.response?.statusCode }, [200, 200])
    }

    @Test("9: failures are recorded with what was received")
    func recordsFailures() throws {
        let recorder = HARRecorder()
        let transport = ScriptedTransport { _ in
            [
                TransportEvents(head: ResponseHead(statusCode: 200, version: "HTTP/2", headers: [:])),
                TransportEvents(chunks: [Data("ab".utf8), Data("c".utf8)]),
                TransportEvents(outcome: TransportOutcome(error: URLError(.networkConnectionLost))),
            ]
        }.recording(recorder)
        _ = try transport.batches(.get, "https://a.example/a?b#c", delivery: .chunks(window: nil))
        let entry = try #require(try recorder.archive().entries.first)
        expectEqual(entry.failure?.code, URLError.Code.networkConnectionLost.rawValue)
        #expect(entry.failure?.description.isEmpty == false && entry.failure?.isCancel == false)
        #expect(entry.response?.content.data == Data("abc".utf8) && entry.response?.chunks.map(\.offset) == [0, 2])
        #expect(entry.request.url.absoluteString == "https://a.example/a?b" && entry.request.version == "HTTP/2")
    }

    @Test("11: the times are those of the recorder's clock, or of the transport's metrics")
    func recordsTimes() throws {
        let time = VirtualTime()
        let metrics = Box(TransportMetrics())
        let recorder = HARRecorder(scheduler: time) { Date(timeIntervalSince1970: 1000.0004) }
        let transport = ScriptedTransport { _ in
            time.advance(by: .milliseconds(30))
            var batches = [TransportEvents].text("abc")
            batches[0].outcome = TransportOutcome(error: nil, metrics: metrics.value)
            return batches
        }.recording(recorder)
        _ = try transport.batches(.get, "https://a.example/1")
        metrics.change { metrics in
            metrics.nameLookup = .milliseconds(1)
            metrics.connect = .milliseconds(3)
            metrics.secureConnect = .milliseconds(7)
            metrics.firstByte = .milliseconds(20)
            metrics.total = .milliseconds(29)
        }
        _ = try transport.batches(.get, "https://a.example/2")
        let entries = try recorder.archive().entries
        expectEqual(entries[0].start, Date(timeIntervalSince1970: 1000))
        #expect(entries[0].timings.wait == .milliseconds(30) && entries[0].timings.total == .milliseconds(30))
        let timings = entries[1].timings
        #expect(
            timings.dns == .milliseconds(1) && timings.connect == .milliseconds(6) && timings.ssl == .milliseconds(4))
        #expect(timings.firstByte == .milliseconds(20) && timings.total == .milliseconds(30))
    }

    @Test("20: each hop of a redirect is an entry, in the order of the start")
    func recordsHops() async throws {
        let recorder = HARRecorder()
        let origin = ScriptedTransport { request in
            request.url.path == "/a" ? .response(302, headers: ["Location": "/b"], "") : .text("end")
        }
        let provider = MoyaProvider<Hop>(transport: origin.recording(recorder))
        try await expectEqual(provider.response(.first).mapString(), "end")
        let entries = try recorder.archive().entries
        expectEqual(entries.map(\.request.url.path), ["/a", "/b"])
        expectEqual(entries.map { $0.response?.statusCode }, [302, 200])
    }

    @Test("13: above the size of all content, the oldest entries lose their content and keep its length")
    func limitsTotalSize() throws {
        let recorder = HARRecorder(maximumSize: 25)
        for _ in 0..<4 {
            _ = try Echo().recording(recorder)
                .batches(.post, "https://a.example/", body: .data(Data("12345".utf8)))
        }
        let entries = try recorder.archive().entries
        expectEqual(entries.map { $0.request.content?.data?.count }, [nil, nil, 5, 5])
        expectEqual(entries.map { $0.response?.content.data?.count }, [nil, nil, 5, 5])
        expectEqual(entries.map { $0.response?.content.size }, [5, 5, 5, 5])
        try expectEqual(HAR(data: recorder.archive().data()).entries.map { $0.request.content?.size }, [5, 5, 5, 5])
        recorder.removeAll()
        _ = try Echo().recording(recorder).batches(.post, "https://a.example/", body: .data(Data("12345".utf8)))
        try expectEqual(recorder.archive().entries[0].request.content?.data?.count, 5)
    }

    @Test("13: by default, 32 MiB of content are retained")
    func limitsTotalSizeByDefault() throws {
        let recorder = HARRecorder(redaction: .nothing)
        let content = Data(repeating: 7, count: 1 << 20)
        let transport = ScriptedTransport { _ in .response(200, headers: ["Content-Type": "image/png"], content) }
        for _ in 0..<40 { _ = try transport.recording(recorder).batches(.get, "https://a.example/") }
        let entries = try recorder.archive().entries
        expectEqual(entries.filter { $0.response?.content.data != nil }.count, 32)
        #expect(entries.allSatisfy { $0.response?.content.size == 1 << 20 })
    }

    @Test("The oldest entries are removed; the order is that of the start")
    func isBounded() throws {
        let recorder = HARRecorder(limit: 2)
        let transport = ScriptedTransport { _ in .text("") }.recording(recorder)
        for path in 0..<4 { _ = try transport.batches(.get, "https://a.example/\(path)") }
        try expectEqual(recorder.archive().entries.map(\.request.url.lastPathComponent), ["2", "3"])
        recorder.removeAll()
        #expect(try recorder.archive().entries.isEmpty)
    }
}

private enum Hop: TargetType {
    case first
    // swift-format-ignore: NeverForceUnwrap
    var baseURL: URL { URL(string: "https://a.example")! }
    var path: String { "/a" }
}

/// A reader of content in memory.
private struct TextReader: BodyReader {
    var data: Data

    mutating func read(upTo count: Int) -> BodyPart {
        guard !data.isEmpty else { return .end }
        defer { data = data.dropFirst(count) }
        return .data(data.prefix(count))
    }
}
