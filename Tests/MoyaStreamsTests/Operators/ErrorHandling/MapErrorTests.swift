import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct MapErrorTests {
    let time = VirtualTime()

    @Test func givesAnotherError() {
        let stream = time.cold("a#", error: Failure(id: 1)).mapError { _ in Failure(id: 2) }
        #expect(time.play(stream) == Recording("a#", error: Failure(id: 2)) { $0 })
        #expect(time.play(time.cold("a|").mapError { _ in Failure() }) == "a|")
    }

    @Test func aValueReplacesAnError() {
        #expect(time.play(time.cold("a--#").catchAndReturn("b")) == "a--(b|)")
    }
}
