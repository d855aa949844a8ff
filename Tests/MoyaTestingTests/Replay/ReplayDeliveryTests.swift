import Foundation
import Moya
import MoyaScheduling
import MoyaStreams
import TestSupport
import Testing

@testable import MoyaTesting

/// The numbers are those of the design's edge cases.
@Suite(.queued, .timeLimit(.minutes(10))) struct ReplayDeliveryTests {
    private let time = VirtualTime()

    /// An entry with three chunks, at 10, 20 and 40 ms, between the head at 5 ms and the end at 50 ms.
    private static func archive(failure: URLError.Code? = nil, chunks: Bool = true) throws -> HAR {
        var response = HAR.Response(
            statusCode: 200, headers: ["Content-Type": "text/plain"], content: HAR.Content(Data("aabbcc".utf8)))
        if chunks {
            response.chunks = [(0, 10), (2, 20), (4, 40)].map { HAR.Chunk(offset: $0, time: .milliseconds($1)) }
        }
        var entry = HAR.Entry(
            start: Date(timeIntervalSince1970: 0),
            request: HAR.Request(method: .get, url: try #require(URL(string: "https://a.example/"))),
            response: response,
            failure: failure.map { HAR.Failure(code: $0.rawValue, description: "failed") })
        entry.timings.wait = .milliseconds(5)
        entry.timings.receive = .milliseconds(45)
        return try HAR(data: HAR(entries: [entry]).data())
    }

    private struct Page: TargetType {
        let baseURL = URL(string: "https://a.example/") ?? URL(filePath: "/")
        let path = ""
    }

    private func replay(_ archive: HAR, _ timing: ReplayOptions.Timing = .recorded) -> ReplayTransport {
        var options = ReplayOptions()
        options.timing = timing
        options.scheduler = time
        return ReplayTransport(archive, options: options)
    }

    /// Starts the request, and logs its events with their times in milliseconds.
    private func play(
        _ archive: HAR, _ delivery: TransportRequest.Delivery = .chunks(window: nil),
        _ timing: ReplayOptions.Timing = .recorded
    ) throws -> (exchange: any TransportExchange, log: Log) {
        let log = Log()
        let url = try #require(URL(string: "https://a.example/"))
        let request = try TransportRequest(method: .get, url: url, delivery: delivery)
        let exchange = replay(archive, timing).start(request) { [time] batch in
            guard !batch.isProgressOnly else { return }
            var text = ""
            if batch.head != nil { text += "head " }
            for chunk in batch.chunks { text += String(decoding: chunk, as: UTF8.self) + " " }
            if let outcome = batch.outcome { text += outcome.error.map { "\($0.code.rawValue)" } ?? "end" }
            log.add("\(time.elapsed / .milliseconds(1)): \(text.trimmingCharacters(in: .whitespaces))")
        }
        return (exchange, log)
    }

    @Test("11: chunks are delivered at their recorded times")
    func keepsTimes() throws {
        let (_, log) = try play(Self.archive())
        expectEqual(log.entries, [])
        time.run()
        expectEqual(log.entries, ["5.0: head", "10.0: aa", "20.0: bb", "40.0: cc", "50.0: end"])
    }

    @Test("11: times are scaled, or left out")
    func scalesTimes() throws {
        let (_, scaled) = try play(Self.archive(), .chunks(window: nil), .scaled(2))
        time.run()
        expectEqual(scaled.entries, ["10.0: head", "20.0: aa", "40.0: bb", "80.0: cc", "100.0: end"])
        let (_, immediate) = try play(Self.archive(), .chunks(window: nil), .none)
        expectEqual(immediate.entries.map { $0.dropFirst(7) }, ["head", "aa", "bb", "cc", "end"])
    }

    @Test("11: a whole response is one batch at the end")
    func deliversWhole() throws {
        let (_, log) = try play(Self.archive(), .whole)
        time.run()
        expectEqual(log.entries, ["50.0: head aabbcc end"])
    }

    @Test("11: a whole response whose content took minutes is not idle")
    func isNotIdle() throws {
        var archive = try Self.archive()
        archive.entries[0].timings.wait = .seconds(50)
        archive.entries[0].timings.receive = .seconds(150)
        archive.entries[0].response?.chunks = [(0, 100), (2, 150)].map { HAR.Chunk(offset: $0, time: .seconds($1)) }
        let provider = MoyaProvider<Page>(transport: replay(archive), scheduler: time)
        let recording = time.record(provider.request(Page()).mapString())
        time.run()
        expectEqual(recording.elements, ["aabbcc"])
        expectEqual(time.elapsed, .seconds(200))
    }

    @Test("11: a window delays chunks until earlier ones are consumed")
    func honorsWindow() throws {
        let (exchange, log) = try play(Self.archive(), .chunks(window: 3))
        time.advance(by: .milliseconds(100))
        expectEqual(log.entries, ["5.0: head", "10.0: aa", "20.0: bb"])
        exchange.acknowledge(1)
        expectEqual(log.entries.count, 3)
        exchange.acknowledge(2)
        expectEqual(log.entries.suffix(2), ["100.0: cc", "100.0: end"])
    }

    @Test("11: content that was recorded as a whole is delivered in pieces within a window")
    func dividesContent() throws {
        var archive = try Self.archive(chunks: false)
        archive.entries[0].response?.content = HAR.Content(Data(repeating: 65, count: 200_000))
        let (exchange, log) = try play(archive, .chunks(window: 1), .none)
        expectEqual(log.entries.count, 2)
        for _ in 0..<4 { exchange.acknowledge(65_536) }
        #expect(log.entries.count == 6 && log.entries.last == "0.0: end")
    }

    @Test("11: a cancel ends the exchange at any time, with one outcome", arguments: [0, 7, 15, 45])
    func cancels(_ moment: Int) throws {
        let (exchange, log) = try play(Self.archive())
        time.advance(by: .milliseconds(moment))
        let before = log.entries
        exchange.cancel()
        exchange.cancel()
        #expect(log.entries == before + ["\(Double(moment)): -999"] && exchange.isCancelled)
        time.run()
        expectEqual(log.entries.count, before.count + 1)
    }

    @Test("11: a cancel after the end has no effect")
    func ignoresLateCancel() throws {
        let (exchange, log) = try play(Self.archive())
        time.run()
        exchange.cancel()
        #expect(log.entries.count == 5 && !exchange.isCancelled)
    }

    @Test("9: a failure follows what was received")
    func fails() throws {
        let (_, log) = try play(Self.archive(failure: .networkConnectionLost))
        time.run()
        expectEqual(log.entries.suffix(2), ["40.0: cc", "50.0: -1005"])
    }

    @Test("9: an exchange that was cancelled when it was recorded ends when it is cancelled again")
    func waitsForCancel() throws {
        let (exchange, log) = try play(Self.archive(failure: .cancelled))
        time.advance(by: .seconds(60))
        expectEqual(log.entries.last, "40.0: cc")
        exchange.cancel()
        expectEqual(log.entries.last, "60000.0: -999")
    }

    @Test("11: a re-entrant acknowledgement delivers each chunk once, in order")
    func isReentrant() throws {
        var archive = try Self.archive()
        archive.entries[0].response?.content = HAR.Content(Data("abcdef".utf8))
        archive.entries[0].response?.chunks = (0..<6).map { HAR.Chunk(offset: $0, time: .zero) }
        let exchange = Box<(any TransportExchange)?>(nil)
        let log = Log()
        let url = try #require(URL(string: "https://a.example/"))
        let request = try TransportRequest(method: .get, url: url, delivery: .chunks(window: 1))
        let started = ReplayTransport(archive).start(request) { batch in
            for chunk in batch.chunks {
                log.add(String(decoding: chunk, as: UTF8.self))
                exchange.value?.acknowledge(chunk.count)
            }
            if batch.outcome != nil { log.add("end") }
        }
        exchange.value = started
        started.acknowledge(1)
        expectEqual(log.entries, ["a", "b", "c", "d", "e", "f", "end"])
    }

    @Test("11: an event stream that was silent for minutes is replayed as one connection")
    func keepsSilence() throws {
        var archive = try Self.archive()
        archive.entries[0].response?.headers = ["Content-Type": "text/event-stream"]
        archive.entries[0].response?.content = HAR.Content(Data("data: a\n\ndata: b\n\n".utf8))
        archive.entries[0].response?.chunks = [(0, 1), (9, 600)].map { HAR.Chunk(offset: $0, time: .seconds($1)) }
        archive.entries[0].timings.receive = .seconds(601)
        let provider = MoyaProvider<Page>(transport: replay(archive), scheduler: time)
        let recording = time.record(
            provider.serverSentEvents(Page(), reconnecting: .constant(.seconds(1), times: 2), on: time))
        time.advance(by: .seconds(600))
        expectEqual(recording.elements.map(\.data), ["a", "b"])
        #expect(recording.error == nil)
    }

    private struct Upload: TargetType {
        let task: RequestTask
        let method = Moya.Method.post
        let path = ""
        let baseURL: URL
    }

    /// Replays an upload whose content takes two seconds; `stopped` is the time at which its producer stops.
    private static func upload(
        on time: VirtualTime, stopped: Box<Duration?>
    ) throws -> (provider: MoyaProvider<Upload>, target: Upload) {
        let url = try #require(URL(string: "https://a.example/"))
        let request = HAR.Request(
            method: .post, url: url, headers: ["Content-Type": "text/plain"], content: HAR.Content(Data("abcd".utf8)))
        let archive = HAR(entries: [
            HAR.Entry(
                start: Date(), request: request,
                response: HAR.Response(statusCode: 200, headers: [:], content: HAR.Content(Data())))
        ])
        let content = RequestBody.stream {
            AsyncStream<Data> { continuation in
                let task = Task(executorPreference: time) {
                    for text in ["ab", "cd"] {
                        try? await time.sleep(for: .seconds(1))
                        if !Task.isCancelled { continuation.yield(Data(text.utf8)) }
                    }
                    stopped.value = time.elapsed
                    continuation.finish()
                }
                continuation.onTermination = { _ in task.cancel() }
            }
        }
        return (
            MoyaProvider(transport: ReplayTransport(archive), scheduler: time),
            Upload(task: .upload(content, contentType: "text/plain"), baseURL: url)
        )
    }

    @Test("in virtual time, streamed content is read on the clock, and its producer stops with the request")
    func streamedContent() throws {
        for cancels in [false, true] {
            for _ in 0..<30 {
                let time = VirtualTime()
                let stopped = Box<Duration?>(nil)
                let (provider, target) = try Self.upload(on: time, stopped: stopped)
                let response = Task(executorPreference: time) { try? await provider.response(target).statusCode }
                if cancels { time.schedule(after: .milliseconds(500)) { response.cancel() } }
                let status = try time.run { await response.value }
                time.advance(by: .seconds(5))
                expectEqual(status, cancels ? nil : 200)
                expectEqual(stopped.value, cancels ? .milliseconds(500) : .seconds(2))
            }
        }
    }

    @Test("in virtual time, the producer of streamed content stops on the clock if a test cancels the request")
    func cancelledByTest() throws {
        for _ in 0..<30 {
            let time = VirtualTime()
            let stopped = Box<Duration?>(nil)
            let (provider, target) = try Self.upload(on: time, stopped: stopped)
            let request = provider.request(target) { _ in }
            time.advance(by: .milliseconds(500))
            request.cancel()
            time.advance(by: .zero)
            expectEqual(stopped.value, .milliseconds(500))
        }
    }
}
