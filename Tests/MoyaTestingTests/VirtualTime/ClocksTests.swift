import MoyaScheduling
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct ClocksTests {
    @Test("an immediate clock sleeps no time, and its time moves on")
    func immediate() async throws {
        let clock = ImmediateClock()
        try await clock.sleep(for: .seconds(3600))
        expectEqual(clock.now.elapsed, .seconds(3600))
        // A deadline that has passed does not move the clock back.
        try await clock.sleep(until: .init(elapsed: .seconds(1)))
        expectEqual(clock.now.elapsed, .seconds(3600))
    }

    @Test("a cancelled task does not sleep")
    func cancelled() async {
        let clock = ImmediateClock()
        let isCancelled = Promise<Void>()
        let task = Task {
            try await isCancelled.value()
            try await clock.sleep(for: .seconds(1))
        }
        task.cancel()
        isCancelled.fulfill(())
        await #expect(throws: CancellationError.self) { try await task.value }
        expectEqual(clock.now.elapsed, .zero)
    }

    @Test("an unimplemented clock reports its uses")
    func unimplemented() async throws {
        let seen = Box(0)
        let clock = UnimplementedClock("retry") { _ in seen.change { $0 += 1 } }
        try await clock.sleep(for: .seconds(2))
        expectEqual(seen.value, 1)
        expectEqual(clock.uses.map(\.label), ["retry"])
        expectEqual(clock.uses.map(\.delay), [.seconds(2)])
        #expect(clock.uses.first?.description.hasPrefix(#"the clock "retry" was not expected to be used"#) == true)
    }

    @Test("checkSuspension names the timers and tasks that wait")
    func suspension() throws {
        let time = VirtualTime()
        try time.checkSuspension()
        let work = time.schedule(after: .seconds(1)) {}
        #expect {
            try time.checkSuspension()
        } throws: {
            "\($0)".contains("timer of MoyaTestingTests/ClocksTests.swift") && "\($0)".contains("due at 1.0 seconds")
        }
        work.cancel()
        try time.checkSuspension()
    }
}
