import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct TakeLastTests {
    let time = VirtualTime()

    @Test func sendsTheLastWithTheCompletion() {
        expectEqual(time.play(time.cold("a--b--c|").takeLast(2)), "-------(bc|)")
        expectEqual(time.play(time.cold("a|").takeLast(2)), "-(a|)")
        expectEqual(time.play(time.cold("a|").takeLast(0)), "-|")
        expectEqual(time.play(time.cold("a#").takeLast(2)), "-#")
    }
}
