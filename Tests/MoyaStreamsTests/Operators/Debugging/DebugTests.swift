import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct DebugTests {
    private func lines(of stream: Observable<Int>, cancels: Bool = false) -> [String] {
        let log = Log()
        let subscription = stream.debug("numbers") { log.add($0) }.subscribe { _ in }
        if cancels { subscription.cancel() }
        return log.entries
    }

    @Test func printsEachEventWithItsLabel() {
        expectEqual(
            lines(of: .of(1, 2)), ["numbers: subscribed", "numbers: next 1", "numbers: next 2", "numbers: completed"])
        expectEqual(lines(of: .error(Failure(id: 3))), ["numbers: subscribed", "numbers: error Failure(id: 3)"])
        expectEqual(lines(of: .never(), cancels: true), ["numbers: subscribed", "numbers: cancelled"])
    }
}
