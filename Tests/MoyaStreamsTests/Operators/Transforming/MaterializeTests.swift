import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct MaterializeTests {
    let time = VirtualTime()

    @Test func eventsAreValues() {
        let ended = time.cold("a-|").materialize().map { if case .next(let value) = $0 { value } else { "end" } }
        expectEqual(time.play(ended).elements, ["a", "end"])
        let failed = time.cold("a#", error: Failure(id: 1)).materialize()
        let recording = time.play(failed)
        #expect(recording.isCompleted)
        expectEqual(recording.elements.count, 2)
    }

    @Test func dematerializeIsTheInverse() {
        for marbles in ["a-b|", "a-#", "|"] {
            expectEqual(time.play(time.cold(marbles).materialize().dematerialize()), Recording(marbles) { $0 })
        }
    }

    @Test func failuresAreResults() {
        let results = time.play(time.cold("a-#", error: Failure(id: 2)).asResults())
        #expect(results.isCompleted)
        expectEqual(results.elements.map { (try? $0.get()) ?? "none" }, ["a", "none"])
    }
}
