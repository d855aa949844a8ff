import MoyaStreams
import MoyaTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct ElementAtTests {
    let time = VirtualTime()

    @Test func sendsOne() {
        let source = time.cold("a--b--c|")
        #expect(time.play(source.element(at: 1)) == "---(b|)")
        #expect(source.subscriptions == ["^--!"])
        #expect(time.play(source.element(at: 9)) == "-------|")
        #expect(time.play(source.element(at: -1)) == "|")
    }
}
