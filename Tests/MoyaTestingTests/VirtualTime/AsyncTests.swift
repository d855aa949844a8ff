import Foundation
import Moya
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct AsyncTests {
    let time = VirtualTime()
    let log = Log()

    /// Code that works with any clock.
    private static func nap(on clock: any Clock<Duration>) async throws {
        try await clock.sleep(for: .seconds(60))
    }

    /// Names Testing's type beside MoyaTesting, as the helpers of a test do.
    private func expectNoLeftovers(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(time.leftovers.isEmpty, sourceLocation: sourceLocation)
    }

    @Test("T1: async code sleeps in virtual time")
    func sleeps() throws {
        let result = try time.run { [time] in
            try await time.sleep(for: .seconds(3600 / 2))
            try await Self.nap(on: time)
            return time.elapsed
        }
        expectEqual(result, .seconds(1860))
        expectNoLeftovers()
    }

    @Test("T1: an error of async code is thrown")
    func throwsItsError() {
        #expect(throws: Failure(id: 3)) { try time.run { throw Failure(id: 3) } }
    }

    @Test("closures whose every try is inside #expect say that they throw, or stand inside #expect themselves")
    func expectations() async throws {
        @Sendable func number() async throws -> Int { 1 }
        try time.run { () throws in try await expectEqual(number(), 1) }
        try expectEqual(time.run { try await number() }, 1)
        let transport = StubTransport { _ in .networkResponse(200, Data()) }
        try await withReplay(mode: .live, over: transport) { transport throws in try await expectEqual(number(), 1) }
    }

    @Test("observers receive all events of what was awaited, and nothing is left over")
    func observers() throws {
        struct Observer: CallObserver {
            let log: Log
            func observe(_ event: CallEvent) { if case .ended = event.kind { log.add("ended") } }
        }
        struct Zen: TargetType {
            let baseURL = URL(string: "http://zen.example") ?? URL(filePath: "/")
            let path = "/zen"
        }
        let transport = StubTransport(after: .seconds(1), on: time) { _ in .networkResponse(200, Data()) }
        let provider = MoyaProvider<Zen>(transport: transport, scheduler: time, observers: [Observer(log: log)])
        _ = try time.run { try await provider.response(Zen()) }
        expectEqual(log.entries, ["ended"])
        expectNoLeftovers()
    }

    @Test("T1: a provider responds in virtual time, also to async calls")
    func provider() throws {
        struct Zen: RelativeTarget {
            let path = "/zen"
            let sampleData = Data("less is more".utf8)
        }
        let base = try #require(URL(string: "http://zen.example"))
        let provider = MoyaProvider<MultiTarget>(
            baseURL: base, stubClosure: MoyaProvider.delayedStub(3), scheduler: time)
        let zen = try time.run { try await provider.response(Zen()).mapString() }
        expectEqual(zen, "less is more")
        expectEqual(time.elapsed, .seconds(3))
    }

    @Test("T1: async code runs in the same order, 2,000 times")
    func isDeterministic() throws {
        @Sendable func story() throws -> [String] {
            let time = VirtualTime()
            let log = Log()
            try time.run {
                await withTaskGroup(of: Void.self) { group in
                    for name in ["a", "b", "c"] {
                        group.addTask {
                            for step in 0..<3 {
                                try? await time.sleep(for: .milliseconds(step))
                                log.add("\(name)\(step)")
                                await Task.yield()
                                log.add("\(name)\(step)'")
                            }
                        }
                    }
                }
            }
            return log.entries
        }
        let first = try story()
        expectEqual(first.count, 18)
        var others = 0
        for _ in 0..<2000 where try story() != first { others += 1 }
        expectEqual(others, 0)
    }

    @Test("parallel tests that block all threads leave threads for unstructured tasks")
    func parallelTests() async throws {
        let count = 4 * ProcessInfo.processInfo.activeProcessorCount
        let results = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<count {
                group.addTask(priority: .medium) { try VirtualTime().run { await Task { number }.value } }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        expectEqual(results.count, count)
    }

    @Test("T1: a cancelled sleep ends immediately")
    func cancelledSleep() throws {
        let error = try time.run { [time] in
            let task = Task(executorPreference: time) { try await time.sleep(for: .seconds(100)) }
            try await time.sleep(for: .seconds(1))
            task.cancel()
            return await task.result
        }
        #expect(throws: CancellationError.self) { try error.get() }
        expectEqual(time.elapsed, .seconds(1))
        expectNoLeftovers()
    }

    @Test("T8: endless async code throws an error")
    func endless() {
        let time = VirtualTime(eventLimit: 1000)
        let error = #expect(throws: VirtualTimeError.self) {
            try time.run { while !Task.isCancelled { try await time.sleep(for: .milliseconds(1)) } }
        }
        #expect(error?.description.contains("1000 events") == true)
    }

    @Test("T7: pending work is listed")
    func leftovers() {
        let source = time.cold("-----a|")
        let recording = time.record(source)
        let line = UInt(#line) + 1
        time.schedule(after: .seconds(9)) {}
        let task = Task(executorPreference: time) { [time] in try await time.sleep(for: .seconds(20)) }
        time.advance(by: .milliseconds(1))
        let shown = time.leftovers.map { "\($0.kind) \($0.due.map { "\($0)" } ?? "")" }
        expectEqual(
            shown,
            [
                "timer 0.005 seconds", "timer 0.006 seconds", "timer 9.0 seconds", "task 20.0 seconds",
                "subscription ", "subscription ",
            ])
        expectEqual(time.leftovers[2].place?.line, line)
        #expect(time.leftovers[2].description.contains("AsyncTests.swift:\(line), due at 9.0 seconds"))
        task.cancel()
        recording.cancel()
        time.run()
        expectNoLeftovers()
    }

    @Test("T10: exploration finds code that depends on the order within an instant, and the seed of that order")
    func exploration() throws {
        let error = #expect(throws: ExplorationError.self) {
            try VirtualTime.explore { time in
                let log = Log()
                time.cold("-a|").subscribeNext { log.add($0) }
                time.cold("-b|").subscribeNext { log.add($0) }
                time.run()
                return log.entries
            }
        }
        let seed = try #require(error?.seed)
        #expect(error?.description.contains("VirtualTime(seed: \(seed))") == true)
        expectEqual(error?.expected, #"["a", "b"]"#)
        expectEqual(error?.found, #"["b", "a"]"#)
    }

    @Test("T10: exploration accepts code that does not depend on the order")
    func explorationFindsNothing() throws {
        let outcome = try VirtualTime.explore { time in
            let a = time.record(time.cold("-(ab)c|"))
            let b = time.record(time.cold("-d|"))
            time.run()
            return [a.marbles, b.marbles]
        }
        expectEqual(outcome, ["-(ab)c|", "-d|"])
    }
}
