import MoyaStreams
import MoyaTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct TakeLastTests {
    let time = VirtualTime()

    @Test func sendsTheLastWithTheCompletion() {
        #expect(time.play(time.cold("a--b--c|").takeLast(2)) == "-------(bc|)")
        #expect(time.play(time.cold("a|").takeLast(2)) == "-(a|)")
        #expect(time.play(time.cold("a|").takeLast(0)) == "-|")
        #expect(time.play(time.cold("a#").takeLast(2)) == "-#")
    }
}
