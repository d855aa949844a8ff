import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite struct ReduceTests {
    let time = VirtualTime()

    @Test func sendsTheResultWithTheCompletion() {
        let sum = time.cold("1--2--3|") { Int($0) }.reduce(0) { $0 + $1 }
        #expect(time.play(sum) == "-------(6|)")
        #expect(time.play(Observable<Int>.empty().reduce(7) { $0 + $1 }) == "(7|)")
    }

    @Test func aFailureHasNoResult() {
        #expect(time.play(time.cold("1-#") { Int($0) }.reduce(0) { $0 + $1 }) == "--#")
        let failing = time.cold("1-2|") { Int($0) }.reduce(0) { _, _ -> Int in throw Failure() }
        #expect(time.play(failing) == "#")
    }
}
