import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct ElementAtTests {
    let time = VirtualTime()

    @Test func sendsOne() {
        let source = time.cold("a--b--c|")
        expectEqual(time.play(source.element(at: 1)), "---(b|)")
        expectEqual(source.subscriptions, ["^--!"])
        expectEqual(time.play(source.element(at: 9)), "-------|")
        expectEqual(time.play(source.element(at: -1)), "|")
    }
}
