import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct ScanTests {
    @Test func changesItsResultInPlace() {
        let time = VirtualTime()
        let stream = time.cold("a--b|").scan(into: "") { $0 += $1 }
        for _ in 0..<2 { expectEqual(time.play(stream), "a--{ab}|") }
        let failing = time.cold("ab|").scan(into: 0) { _, value in if value == "b" { throw Failure() } }
        expectEqual(time.play(failing.map { "\($0)" }), "0#")
    }

    let time = VirtualTime()

    @Test func sendsIntermediateResults() {
        let sums = time.cold("1--2--3|") { Int($0) }.scan(0) { $0 + $1 }
        expectEqual(time.play(sums), "1--3--6|")
        expectEqual(time.play(sums), "1--3--6|")
    }

    @Test func anErrorOfTheClosureEndsIt() {
        let failing = time.cold("1-2-3|") { Int($0) }.scan(0) { sum, value -> Int in
            if value == 2 { throw Failure() }
            return sum + value
        }
        expectEqual(time.play(failing), "1-#")
    }

    @Test func theSourcesEndPasses() {
        expectEqual(time.play(time.cold("1#") { Int($0) }.scan(0) { $0 + $1 }), "1#")
        expectEqual(time.play(Observable<Int>.empty().scan(7) { $0 + $1 }), "|")
    }
}
