import Moya
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct PairwiseTests {
    let time = VirtualTime()

    @Test func sendsEachValueWithTheOneBefore() {
        let stream = time.cold("a--b--c|").pairwise().map { $0.previous + $0.current }
        for _ in 0..<2 { expectEqual(time.play(stream), "---{ab}--{bc}|") }
    }

    @Test func aSingleValueHasNone() {
        expectEqual(time.play(time.cold("a|").pairwise().map(\.current)), "-|")
        expectEqual(time.play(time.cold("a#").pairwise().map(\.current)), "-#")
    }
}
