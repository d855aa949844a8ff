import MoyaScheduling
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct ClockSchedulerTests {
    // The tasks of the scheduler run on other threads, also if a test moves their clock.

    @Test("work runs in the order in which it is due, and for the same instant first in, first out")
    func order() async throws {
        let time = VirtualTime()
        let scheduler = time.scheduler()
        let log = Log()
        for number in 1...3 { scheduler.schedule(after: .seconds(2)) { log.add("\(number)") } }
        scheduler.schedule(after: .seconds(1)) { log.add("early") }
        try await until { time.leftovers.count == 4 }
        #expect(log.entries.isEmpty)
        time.advance(by: .seconds(3))
        try await until { log.entries.count == 4 }
        expectEqual(log.entries, ["early", "1", "2", "3"])
        expectEqual(scheduler.now, .seconds(3))
    }

    @Test("R24: cancelled work does not run, and its task sleeps no longer")
    func cancelled() async throws {
        let time = VirtualTime()
        let log = Log()
        let work = time.scheduler().schedule(after: .seconds(2)) { log.add("ran") }
        try await until { time.leftovers.count == 1 }
        work.cancel()
        try await until { time.leftovers.isEmpty }
        time.advance(by: .seconds(3))
        #expect(log.entries.isEmpty && work.isCancelled)
    }
}
