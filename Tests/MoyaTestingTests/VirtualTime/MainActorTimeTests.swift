import Foundation
import Moya
import MoyaStreams
import TestSupport
import Testing

@testable import MoyaTesting

@Suite(.queued, .timeLimit(.minutes(10))) struct MainActorTimeTests {
    /// A model as in an app: each text is looked up after a pause, in a task of its own.
    @MainActor final class Search {
        private(set) var results: [String] = []
        private let provider: MoyaProvider<MultiTarget>
        private let time: VirtualTime
        private var task: Task<Void, any Error>?

        init(_ time: VirtualTime) {
            self.time = time
            provider = MoyaProvider(
                baseURL: URL(string: "https://a.example"),
                transport: StubTransport(after: .seconds(1), on: time) {
                    .networkResponse(200, Data($0.url.path.utf8))
                }, plugins: [NoPlugin()], scheduler: time)
        }

        var text = "" {
            didSet {
                task?.cancel()
                task = Task { [text, time, provider] in
                    try await time.sleep(for: .milliseconds(300))
                    results.append(try await provider.response(Page(path: "/\(text)")).mapString())
                }
            }
        }
    }

    private struct NoPlugin: PluginType {}

    private struct Page: RelativeTarget {
        let path: String
    }

    let time = VirtualTime(realTimeLimit: .zero)

    @MainActor @Test("T3: a run may move the clock for the main actor itself")
    func nestedMoves() async throws {
        let time = VirtualTime()
        let model = Search(time)
        try await time.onMainActor.run { [time] in
            model.text = "a"
            await time.onMainActor.advance(by: .seconds(2))
            #expect(model.results == ["/a"])
            model.text = "b"
            #expect(await time.onMainActor.run())
        }
        expectEqual(model.results, ["/a", "/b"])
    }

    @MainActor @Test func advancesForTasksOfAModel() async {
        let model = Search(time)
        model.text = "a"
        await time.onMainActor.advance(by: .milliseconds(299))
        model.text = "b"
        await time.onMainActor.advance(by: .milliseconds(300))
        #expect(model.results.isEmpty)
        await time.onMainActor.advance(by: .seconds(1))
        expectEqual(model.results, ["/b"])
        expectEqual(time.elapsed, .milliseconds(1599))
        #expect(time.leftovers.isEmpty)
    }

    @Test("beside busy threads, a model has the same results each time")
    @MainActor func busyThreads() async {
        let threads = BusyThreads()
        defer { threads.stop() }
        var outcomes: [[String]: Int] = [:]
        for _ in 0..<BusyThreads.runs {
            let time = VirtualTime()
            let model = Search(time)
            model.text = "a"
            await time.onMainActor.advance(by: .milliseconds(300))
            await time.onMainActor.advance(by: .seconds(1))
            outcomes[model.results, default: 0] += 1
        }
        expectEqual(outcomes, [["/a"]: BusyThreads.runs])
    }

    @Test("code on the main actor and its child tasks run in virtual time, without a wait in real time")
    @MainActor func runs() async throws {
        let log = Log()
        let sum = try await time.onMainActor.run { [time] in
            async let one = Self.number(1, after: .seconds(60), on: time, log)
            async let two = Self.number(2, after: .seconds(30), on: time, log)
            try await time.sleep(for: .seconds(10))
            log.add("main")
            return try await one + two
        }
        expectEqual(sum, 3)
        expectEqual(log.entries, ["main", "2", "1"])
        expectEqual(time.elapsed, .seconds(60))
    }

    private static func number(
        _ number: Int, after delay: Duration, on time: VirtualTime, _ log: Log
    ) async throws -> Int {
        try await time.sleep(for: delay)
        log.add("\(number)")
        return number
    }

    @Test("a long chain of tasks on the main actor is not overtaken by the clock")
    @MainActor func chains() async throws {
        let log = Log()
        time.schedule(after: .seconds(1)) { log.add("second") }
        var last = Task { @MainActor in log.add("first") }
        for _ in 0..<50 { last = Task { @MainActor [last] in await last.value } }
        let end = Task { @MainActor [last] in
            await last.value
            log.add("last")
        }
        await time.onMainActor.run()
        await end.value
        expectEqual(log.entries, ["first", "last", "second"])
    }

    @MainActor @Test func throwsTheErrorOfTheCode() async {
        await #expect(throws: Failure(id: 3)) { try await time.onMainActor.run { throw Failure(id: 3) } }
    }

    @Test("code that is never resumed is an error after a bounded real time")
    @MainActor func endlessWait() async throws {
        let hint = "onMainActor"
        let error = await #expect(throws: VirtualTimeError.self) {
            try await time.onMainActor.run { try await Promise<Int>().value(within: .seconds(60)) }
        }
        #expect(error?.description.contains(hint) == false)
        let impatient = VirtualTime(realTimeLimit: .milliseconds(20))
        let otherError = #expect(throws: VirtualTimeError.self) {
            try impatient.run { try await Promise<Int>().value(within: .seconds(60)) }
        }
        #expect(otherError?.description.contains(hint) == true)
    }

    @MainActor @Test func playsAStreamOfTheMainActor() async {
        let source = time.cold("-a--b|")
        let seen = Log()
        let play = source.handleEvents(onNext: { value in MainActor.assumeIsolated { seen.add(value) } })
            .flatMap { value in Observable(task: { @MainActor in value.uppercased() }) }
        await expectEqual(time.onMainActor.play(play), "-A--B|")
        await expectEqual(time.onMainActor.play(source, during: "--^--!"), "---a")
        expectEqual(seen.entries, ["a", "b"])
    }

    @Test("T8: endless work stops the clock, at the limit of events or of real time")
    @MainActor func limits() async {
        for (time, limit, reason) in [
            (VirtualTime(eventLimit: 10), .seconds(120), "10 events"),
            (VirtualTime(realTimeLimit: .zero), Duration.milliseconds(1), "0.001 seconds of real time"),
        ] {
            @Sendable func again() { time.schedule(after: .milliseconds(1)) { again() } }
            let recording = time.record(Observable<Int>.never())
            again()
            #expect(await !MainActorTime(time: time, minimumRealTimeLimit: limit).run())
            #expect((recording.error as? VirtualTimeError)?.description.contains(reason) == true)
        }
    }
}
