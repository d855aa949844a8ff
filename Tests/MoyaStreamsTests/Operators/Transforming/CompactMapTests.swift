import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct CompactMapTests {
    let time = VirtualTime()

    @Test func dropsNilResults() {
        expectEqual(time.play(time.cold("--1--x--3|").compactMap { Int($0) }), "--1-----3|")
    }

    @Test("R17: a thrown error ends the stream")
    func throwingTransformFails() {
        let stream = time.cold("--a--b|").compactMap { (_) throws(Failure) -> Int? in throw Failure() }
        expectEqual(time.play(stream), "--#")
    }
}
