import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct ReduceTests {
    @Test func changesItsResultInPlace() {
        let time = VirtualTime()
        let stream = time.cold("a--b|").reduce(into: "") { $0 += $1 }
        for _ in 0..<2 { expectEqual(time.play(stream), "----({ab}|)") }
        let failing = time.cold("ab|").reduce(into: "") { _, value in if value == "b" { throw Failure() } }
        expectEqual(time.play(failing), "-#")
    }

    let time = VirtualTime()

    @Test func sendsTheResultWithTheCompletion() {
        let sum = time.cold("1--2--3|") { Int($0) }.reduce(0) { $0 + $1 }
        expectEqual(time.play(sum), "-------(6|)")
        expectEqual(time.play(Observable<Int>.empty().reduce(7) { $0 + $1 }), "(7|)")
    }

    @Test func aFailureHasNoResult() {
        expectEqual(time.play(time.cold("1-#") { Int($0) }.reduce(0) { $0 + $1 }), "--#")
        let failing = time.cold("1-2|") { Int($0) }.reduce(0) { _, _ -> Int in throw Failure() }
        expectEqual(time.play(failing), "#")
    }
}
