import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct IgnoreElementsTests {
    let time = VirtualTime()

    @Test func sendsTheEndAlone() {
        expectEqual(time.play(time.cold("a--b|").ignoreElements()), "----|")
        expectEqual(time.play(time.cold("a--#").ignoreElements()), "---#")
    }
}
