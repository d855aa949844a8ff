import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite struct DistinctUntilChangedTests {
    let time = VirtualTime()

    @Test func dropsWhatIsLikeTheOneBefore() {
        #expect(time.play(time.cold("a-a-b-a|").distinctUntilChanged()) == "a---b-a|")
        let byCase = time.cold("a-A-b|").distinctUntilChanged { $0.lowercased() == $1.lowercased() }
        #expect(time.play(byCase) == "a---b|")
        #expect(time.play(byCase) == "a---b|")
    }

    @Test func anErrorOfTheClosureEndsIt() {
        let failing = time.cold("a-b|").distinctUntilChanged { _, _ in throw Failure() }
        #expect(time.play(failing) == "a-#")
    }
}
