import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct FlatMapFirstTests {
    let time = VirtualTime()

    private func flattened(_ marbles: String, inner: String) -> Recording<String> {
        let inner = time.cold(inner)
        return time.play(time.cold(marbles).flatMapFirst { _ in inner.observable })
    }

    @Test func dropsValuesWhileAStreamRuns() {
        expectEqual(flattened("a-b-----c|", inner: "-1-2-3|"), "-1-2-3---1-2-3|")
        expectEqual(flattened("a--b--|", inner: "-1|"), "-1--1-|")
    }

    @Test func completesWithTheLastOfBoth() {
        expectEqual(flattened("a|", inner: "-1-2|"), "-1-2|")
        expectEqual(flattened("a-----|", inner: "-1|"), "-1----|")
    }

    @Test func aFailureEndsIt() {
        expectEqual(flattened("a-----|", inner: "-1#"), "-1#")
        expectEqual(flattened("a-#", inner: "-1-2|"), "-1#")
    }
}
