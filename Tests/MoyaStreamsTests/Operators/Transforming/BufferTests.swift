import MoyaStreams
import MoyaTesting
import Testing

@Suite struct BufferTests {
    let time = VirtualTime()

    @Test func sendsArraysOfThatManyAndTheRest() {
        let pairs = time.cold("a-b-c|").buffer(count: 2).map { $0.joined() }
        #expect(time.play(pairs).marbles == "--{ab}--(c|)")
        #expect(time.play(time.cold("ab|").buffer(count: 2).map { $0.joined() }).marbles == "-{ab}|")
        #expect(time.play(time.cold("ab|").buffer(count: -1).map { $0.joined() }) == "ab|")
    }

    @Test func aFailureDropsTheRest() {
        #expect(time.play(time.cold("abc#").buffer(count: 2).map { $0.joined() }).marbles == "-{ab}-#")
        #expect(time.play(Observable<String>.empty().buffer(count: 2).map { $0.joined() }) == "|")
    }
}
