import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct DistinctUntilChangedTests {
    @Test func comparesKeys() {
        let time = VirtualTime()
        let stream = time.cold("aAbBa|").distinctUntilChanged(by: { $0.lowercased() })
        for _ in 0..<2 { expectEqual(time.play(stream), "a-b-a|") }
        let failing = time.cold("ab|").distinctUntilChanged(by: { value -> String in
            if value == "b" { throw Failure() }
            return value
        })
        expectEqual(time.play(failing), "a#")
    }

    let time = VirtualTime()

    @Test func dropsValuesThatEqualThePrevious() {
        expectEqual(time.play(time.cold("a-a-b-a|").distinctUntilChanged()), "a---b-a|")
        let byCase = time.cold("a-A-b|").distinctUntilChanged { $0.lowercased() == $1.lowercased() }
        expectEqual(time.play(byCase), "a---b|")
        expectEqual(time.play(byCase), "a---b|")
    }

    @Test func anErrorOfTheClosureEndsIt() {
        let failing = time.cold("a-b|").distinctUntilChanged { _, _ in throw Failure() }
        expectEqual(time.play(failing), "a-#")
    }
}
