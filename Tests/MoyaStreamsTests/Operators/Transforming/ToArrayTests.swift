import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct ToArrayTests {
    let time = VirtualTime()

    @Test func sendsAllWithTheCompletion() {
        expectEqual(time.play(time.cold("a-b|").toArray().map { $0.joined() }).marbles, "---({ab}|)")
        expectEqual(time.play(Observable<String>.empty().toArray()).elements, [[]])
    }

    @Test func aFailureDropsThem() {
        expectEqual(time.play(time.cold("a-b#").toArray().map { $0.joined() }), "---#")
    }
}
