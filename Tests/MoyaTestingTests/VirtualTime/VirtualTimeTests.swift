import Moya
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite struct VirtualTimeTests {
    let time = VirtualTime()
    let log = Log()

    @Test("T1, R24: work runs at its instant, first in, first out")
    func runsInOrder() {
        for (name, delay) in [("a", 2), ("b", 1), ("c", 2), ("d", 0)] {
            time.schedule(after: .milliseconds(delay)) { [log, time] in log.add("\(name) at \(time.now)") }
        }
        time.advance(by: .milliseconds(1))
        #expect(log.entries == ["d at 0.0 seconds", "b at 0.001 seconds"])
        time.run()
        #expect(log.entries.suffix(2) == ["a at 0.002 seconds", "c at 0.002 seconds"])
        #expect(time.elapsed == .milliseconds(2))
    }

    @Test("T1: work may schedule more, for the same instant, too")
    func workSchedulesMore() {
        time.schedule(after: .seconds(1)) { [time, log] in
            time.schedule { log.add("at once") }
            time.schedule(after: .seconds(1)) { log.add("later") }
        }
        time.advance(by: .seconds(1))
        #expect(log.entries == ["at once"])
        time.run()
        #expect(log.entries == ["at once", "later"])
    }

    @Test("R27: a cancel is exact, and takes no time")
    func cancelIsExact() {
        let token = time.schedule(after: .seconds(5)) { [log] in log.add("ran") }
        time.schedule(after: .seconds(2)) { token.cancel() }
        time.run()
        #expect(log.entries.isEmpty)
        #expect(time.elapsed == .seconds(2))
    }

    @Test("T8: work that goes on for ever is stopped")
    func runawayIsStopped() {
        @Sendable func again() {
            log.add("")
            time.schedule(after: .seconds(60)) { again() }
        }
        again()
        #expect(!time.run(limit: .seconds(600)))
        #expect(log.entries.count == 11)
        #expect(VirtualTime().run())
    }

    @Test("T4: a cold stream plays for each subscriber from the moment of its subscription on")
    func coldStreams() {
        let letters = time.cold("a-b|")
        #expect(time.play(letters) == "a-b|")
        time.advance(by: .seconds(1))
        #expect(time.play(letters) == "a-b|")
    }

    @Test("T2: a recording is compared with a diagram by value")
    func recordings() {
        let recording = time.record(time.cold("a--b|"))
        #expect(recording == "")
        time.advance(by: .milliseconds(2))
        #expect(recording == "a")
        #expect(recording != "b")
        time.run()
        #expect(recording == "a--b|")
        #expect(recording != "a--b#")
        #expect(recording != "a-b|")
        #expect(recording.elements == ["a", "b"])
        #expect(recording.isCompleted)
        let numbers = time.cold("1-2#").compactMap { Int($0) }
        #expect(time.play(numbers) == "1-2#")
        #expect(time.play(time.cold("#", error: Failure(id: 5))).error as? Failure == Failure(id: 5))
    }
}
