import MoyaStreams
import MoyaTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct IgnoreElementsTests {
    let time = VirtualTime()

    @Test func sendsTheEndAlone() {
        #expect(time.play(time.cold("a--b|").ignoreElements()) == "----|")
        #expect(time.play(time.cold("a--#").ignoreElements()) == "---#")
    }
}
