import MoyaStreams
import MoyaTesting
import Testing

@Suite struct IgnoreElementsTests {
    let time = VirtualTime()

    @Test func sendsTheEndAlone() {
        #expect(time.play(time.cold("a--b|").ignoreElements()) == "----|")
        #expect(time.play(time.cold("a--#").ignoreElements()) == "---#")
    }
}
