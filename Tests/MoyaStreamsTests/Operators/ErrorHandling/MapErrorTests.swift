import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct MapErrorTests {
    let time = VirtualTime()

    @Test func givesAnotherError() {
        let stream = time.cold("a#", error: Failure(id: 1)).mapError { _ in Failure(id: 2) }
        expectEqual(time.play(stream), Recording("a#", error: Failure(id: 2)) { $0 })
        expectEqual(time.play(time.cold("a|").mapError { _ in Failure() }), "a|")
    }

    @Test func aValueReplacesAnError() {
        expectEqual(time.play(time.cold("a--#").catchAndReturn("b")), "a--(b|)")
    }
}
