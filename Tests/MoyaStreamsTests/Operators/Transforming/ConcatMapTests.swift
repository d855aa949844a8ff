import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct ConcatMapTests {
    let time = VirtualTime()

    @Test func oneStreamAfterTheOther() {
        let inner = time.cold("1-2-3|")
        expectEqual(time.play(time.cold("a--b------|").concatMap { _ in inner.observable }), "1-2-31-2-3|")
        expectEqual(inner.subscriptions, ["^----!", "-----^----!"])
    }
}
