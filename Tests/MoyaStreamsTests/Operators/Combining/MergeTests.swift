import MoyaStreams
import MoyaTesting
import Testing

@Suite struct MergeTests {
    let time = VirtualTime()

    @Test func sendsWhatComes() {
        let merged = Observable.merge(time.cold("a---b|").observable, time.cold("--x----y|").observable)
        #expect(time.play(merged) == "a-x-b--y|")
        #expect(time.play(time.cold("a|").merge(with: time.cold("-b|"))) == "ab|")
        #expect(time.play(Observable<String>.merge([])) == "|")
    }

    @Test func theFirstFailureEndsAll() {
        let other = time.cold("------x|")
        #expect(time.play(time.cold("a-#").merge(with: other)) == "a-#")
        #expect(other.subscriptions == ["^-!"])
    }

    @Test func noneOfTheSameInstantIsLost() {
        let error = #expect(throws: ExplorationError.self) {
            try VirtualTime.explore { time in
                time.play(time.cold("-a|").merge(with: time.cold("-b|")))
            }
        }
        #expect(error?.found.hasPrefix("-(ba)|") == true)
    }
}
