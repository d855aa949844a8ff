import Foundation
import Moya
import MoyaStreams
import TestSupport
import Testing

@testable import MoyaTesting

@Suite(.queued, .timeLimit(.minutes(10))) struct VirtualTimeTests {
    let time = VirtualTime()
    let log = Log()

    @Test("T1, R24: work runs at its due time, first in, first out")
    func runsInOrder() {
        for (name, delay) in [("a", 2), ("b", 1), ("c", 2), ("d", 0)] {
            time.schedule(after: .milliseconds(delay)) { [log, time] in log.add("\(name) at \(time.now)") }
        }
        time.advance(by: .milliseconds(1))
        expectEqual(log.entries, ["d at 0.0 seconds", "b at 0.001 seconds"])
        time.run()
        expectEqual(log.entries.suffix(2), ["a at 0.002 seconds", "c at 0.002 seconds"])
        expectEqual(time.elapsed, .milliseconds(2))
    }

    @Test("T1: work may schedule more work, also for the same instant")
    func workSchedulesMore() {
        time.schedule(after: .seconds(1)) { [time, log] in
            time.schedule { log.add("at once") }
            time.schedule(after: .seconds(1)) { log.add("later") }
        }
        time.advance(by: .seconds(1))
        expectEqual(log.entries, ["at once"])
        time.run()
        expectEqual(log.entries, ["at once", "later"])
    }

    @Test("a clock on which nothing is scheduled says what to do when it is moved")
    func tellsWhyNothingHappens() async throws {
        let unused = VirtualTime()
        unused.advance(by: .seconds(1))
        #expect(unused.reasonForNoEffect?.contains("`scheduler: time` to a provider") == true)
        for use in [{ $0.schedule {} }, { time in Task(executorPreference: time) {} }] as [(VirtualTime) -> Void] {
            let time = VirtualTime()
            use(time)
            time.advance(by: .seconds(1))
            #expect(time.reasonForNoEffect == nil)
        }
        struct Page: RelativeTarget { let path = "" }
        let provider = MoyaProvider<MultiTarget>(
            baseURL: URL(string: "https://a.example"), stubClosure: MoyaProvider.immediatelyStub, scheduler: unused)
        provider.request(Page()) { _ in }
        #expect(unused.reasonForNoEffect == nil)
        // A task of the main actor begins before the clock moves.
        let time = VirtualTime()
        let task = Task { @MainActor in try await time.sleep(for: .seconds(1)) }
        await time.onMainActor.advance(by: .seconds(1))
        #expect(time.reasonForNoEffect == nil)
        try await task.value
    }

    @Test("a clock that is never moved says what waits for it, and how to move it")
    func tellsThatNothingMovesIt() async throws {
        let time = VirtualTime()
        #expect(time.reasonForStandstill == nil)
        let token = time.schedule(after: .seconds(60)) {}
        let reason = try #require(time.reasonForStandstill)
        #expect(reason.contains("VirtualTimeTests.swift") && reason.contains("60") && reason.contains("time.run {"))
        token.cancel()
        #expect(time.reasonForStandstill == nil)
        time.schedule(after: .seconds(60)) {}
        time.advance(by: .seconds(1))
        #expect(time.reasonForStandstill == nil)
    }

    @Test("R27: a cancel is exact, and cancelled work does not move the clock")
    func cancelIsExact() {
        let token = time.schedule(after: .seconds(5)) { [log] in log.add("ran") }
        time.schedule(after: .seconds(2)) { token.cancel() }
        time.run()
        #expect(log.entries.isEmpty)
        expectEqual(time.elapsed, .seconds(2))
    }

    @Test("T1: time counts from the start of the clock, and never decreases")
    func runsUntil() {
        time.schedule(after: .seconds(2)) { [log] in log.add("two") }
        time.run(until: .seconds(1))
        #expect(log.entries.isEmpty)
        time.run(until: .seconds(2))
        expectEqual(log.entries, ["two"])
        time.run(until: .zero)
        expectEqual(time.elapsed, .seconds(2))
        expectEqual(time.now, VirtualTime.Instant(elapsed: .seconds(2)))
    }

    @Test("T1: times are rounded up to whole nanoseconds, in which diagrams are written")
    func runsUntilWholeNanoseconds() {
        let (signal, emitter) = Signal<String>.pipe()
        let recording = time.record(signal)
        time.run(until: .seconds(1) / 3)
        expectEqual(time.elapsed, .nanoseconds(333_333_334))
        emitter.send("a")
        emitter.complete()
        expectEqual(recording, Recording(recording.marbles) { $0 })
    }

    @Test("an open recording does not keep its clock")
    func releasesOpenRecordings() {
        weak var clock: VirtualTime?
        do {
            let time = VirtualTime()
            clock = time
            expectEqual(time.play(time.hot("-a-").map { $0 }), "-a")
        }
        #expect(clock == nil)
    }

    @Test("T8: endless work is an error, which recordings have")
    func runawayIsStopped() {
        for limited in [VirtualTime(timeLimit: .seconds(600)), VirtualTime(eventLimit: 10)] {
            let count = Box(0)
            @Sendable func again() {
                count.change { $0 += 1 }
                limited.schedule(after: .seconds(60)) { again() }
            }
            let recording = limited.record(Observable<Int>.never())
            again()
            #expect(!limited.run())
            expectEqual(count.value, 11)
            expectEqual(limited.leftovers.count { $0.kind == .timer }, 1)
            #expect(recording.error is VirtualTimeError)
            #expect("\(recording.error.map { "\($0)" } ?? "")".contains("VirtualTimeTests.swift:"))
            // The error of the stopped clock does not equal an expected error.
            #expect(recording.difference(from: Recording("60s#", value: { Int($0) ?? 0 })) != nil)
        }
        #expect(VirtualTime().run())
    }

    @Test("T8: endless work without delays is an error, however the clock is moved")
    func endlessInstant() {
        let time = VirtualTime(eventLimit: 1000)
        @Sendable func again() { time.schedule { again() } }
        let recording = time.record(Observable<Int>.never())
        again()
        time.advance(by: .seconds(1))
        #expect(recording.error is VirtualTimeError)
        expectEqual(time.elapsed, .zero)
    }

    @Test("T1: a clock may be used from any thread")
    func manyThreads() async {
        let time = VirtualTime()
        let ran = Box(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<100 { time.schedule(after: .milliseconds(1)) { ran.change { $0 += 1 } } }
                }
            }
        }
        time.run()
        expectEqual(ran.value, 800)
    }

    @Test(
        "the longest durations are those of a hundred years",
        arguments: [Duration.seconds(Int64.max), .seconds(Int64.min)])
    func extremes(_ duration: Duration) {
        let time = VirtualTime(tick: duration, timeLimit: duration, realTimeLimit: duration)
        time.late(by: duration).schedule(after: .milliseconds(1)) { [log] in log.add("late") }
        time.schedule(after: duration) { [log] in log.add("due") }
        time.run(until: duration)
        time.run(until: duration)
        time.advance(by: duration)
        time.advance(by: duration)
        time.advance(by: .seconds(1))
        expectEqual(Set(log.entries), ["late", "due"])
    }

    @Test("T4: a cold stream sends its events to each subscriber from the subscription on")
    func coldStreams() {
        let source = time.cold("a-b|")
        expectEqual(time.play(source), "a-b|")
        time.advance(by: .seconds(1))
        expectEqual(time.play(source), "a-b|")
    }

    @Test("T2: a recording is compared with a diagram by value")
    func recordings() {
        let recording = time.record(time.cold("a--b|"))
        expectEqual(recording, "")
        time.advance(by: .milliseconds(2))
        expectEqual(recording, "a")
        #expect(recording != "b")
        time.run()
        expectEqual(recording, "a--b|")
        #expect(recording != "a--b#")
        #expect(recording != "a-b|")
        expectEqual(recording.elements, ["a", "b"])
        #expect(recording.isCompleted)
        let numbers = time.cold("1-2#").compactMap { Int($0) }
        expectEqual(time.play(numbers), "1-2#")
        expectEqual(time.play(time.cold("#", error: Failure(id: 5))).error as? Failure, Failure(id: 5))
    }
}
