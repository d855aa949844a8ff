import MoyaScheduling
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct ImmediateSchedulerTests {
    @Test("work runs before the call returns, whatever its delay, and advances the time by a hundred years at most")
    func longDelays() {
        let scheduler = ImmediateScheduler.immediate
        let years = Duration.seconds(365 * 86_400)
        let ran = Box<[Duration]>([])
        for delay in [years * 1000, years * 100, .seconds(1), years * 1_000_000, .zero, .seconds(-1)] {
            scheduler.schedule(after: delay) { ran.change { $0.append(scheduler.now) } }
        }
        let second = Duration.seconds(1)
        expectEqual(
            ran.value,
            [
                years * 100, years * 200, years * 200 + second, years * 300 + second, years * 300 + second,
                years * 300 + second,
            ])
    }
}
