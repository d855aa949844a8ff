import Moya
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct EnumeratedTests {
    let time = VirtualTime()

    @Test func countsFromZeroForEachSubscription() {
        let stream = time.cold("a--b--c|").enumerated().map { "\($0.index)\($0.element)" }
        for _ in 0..<2 { expectEqual(time.play(stream), "{0a}--{1b}--{2c}|") }
    }

    @Test func passesTheErrorThrough() {
        expectEqual(time.play(time.cold("a#").enumerated().map(\.element)), "a#")
    }
}
