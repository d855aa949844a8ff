import MoyaScheduling
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct SingleAssignmentCancellableTests {
    private let log = Log()

    private func work() -> ScheduledWork { ScheduledWork(onCancel: { [log] in log.add("cancelled") }, {}) }

    @Test func cancelCancelsWhatIsStored() {
        let slot = SingleAssignmentCancellable()
        slot.store(work())
        #expect(log.entries.isEmpty && !slot.isCancelled)
        slot.cancel()
        slot.cancel()
        #expect(log.entries == ["cancelled"] && slot.isCancelled)
    }

    @Test func storingAfterACancelCancelsAtOnce() {
        let slot = SingleAssignmentCancellable()
        slot.cancel()
        slot.store(work())
        expectEqual(log.entries, ["cancelled"])
    }

    @Test func aFinishedSlotReleasesAndCancelsNothing() {
        let slot = SingleAssignmentCancellable()
        var first: ScheduledWork? = work()
        let released = Weak(first)
        if let first { slot.store(first) }
        first = nil
        slot.finish()
        #expect(released.object == nil)
        slot.store(work())
        slot.cancel()
        #expect(log.entries.isEmpty && !slot.isCancelled)
    }

    @Test("a store and a cancel that race cancel the work in either order")
    func racingStoreAndCancel() async throws {
        for _ in 0..<200 {
            let (slot, work) = (SingleAssignmentCancellable(), ScheduledWork {})
            let done = Promise<Void>()
            (DispatchScheduler.background as any Scheduler).schedule {
                slot.cancel()
                done.fulfill(())
            }
            slot.store(work)
            try await done.value()
            #expect(work.isCancelled)
        }
    }
}
