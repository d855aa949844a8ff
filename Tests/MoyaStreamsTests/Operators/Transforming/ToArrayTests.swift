import MoyaStreams
import MoyaTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct ToArrayTests {
    let time = VirtualTime()

    @Test func sendsAllWithTheCompletion() {
        #expect(time.play(time.cold("a-b|").toArray().map { $0.joined() }).marbles == "---({ab}|)")
        #expect(time.play(Observable<String>.empty().toArray()).elements == [[]])
    }

    @Test func aFailureDropsThem() {
        #expect(time.play(time.cold("a-b#").toArray().map { $0.joined() }) == "---#")
    }
}
