import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct FilterTests {
    let time = VirtualTime()

    @Test func dropsValuesThatAreNotIncluded() {
        let numbers = time.cold("--1--2--3--4|").map { Int($0) ?? 0 }
        expectEqual(time.play(numbers.filter { $0 > 2 }), "--------3--4|")
    }

    @Test("R17: a thrown error ends the stream")
    func throwingPredicateFails() {
        let stream = time.cold("--a--b|").filter { name throws(Failure) -> Bool in
            if name == "b" { throw Failure() }
            return true
        }
        expectEqual(time.play(stream), "--a--#")
    }
}
