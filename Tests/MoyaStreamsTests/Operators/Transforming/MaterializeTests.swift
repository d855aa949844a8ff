import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct MaterializeTests {
    let time = VirtualTime()

    @Test func eventsAreValues() {
        let ended = time.cold("a-|").materialize().map { if case .next(let value) = $0 { value } else { "end" } }
        #expect(time.play(ended).elements == ["a", "end"])
        let failed = time.cold("a#", error: Failure(id: 1)).materialize()
        let recording = time.play(failed)
        #expect(recording.isCompleted)
        #expect(recording.elements.count == 2)
    }

    @Test func dematerializeIsTheInverse() {
        for marbles in ["a-b|", "a-#", "|"] {
            #expect(time.play(time.cold(marbles).materialize().dematerialize()) == Recording(marbles) { $0 })
        }
    }

    @Test func failuresAreResults() {
        let results = time.play(time.cold("a-#", error: Failure(id: 2)).asResults())
        #expect(results.isCompleted)
        #expect(results.elements.map { (try? $0.get()) ?? "none" } == ["a", "none"])
    }
}
