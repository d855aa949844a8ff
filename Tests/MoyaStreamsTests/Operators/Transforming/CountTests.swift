import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct CountTests {
    let time = VirtualTime()

    @Test func countsTheValues() {
        expectEqual(time.play(time.cold("a-b-c|").count().map(String.init)), "-----(3|)")
        expectEqual(time.play(time.cold("--|").count().map(String.init)), "--(0|)")
        expectEqual(time.play(time.cold("a-#").count().map(String.init)), "--#")
    }

    @Test("the least and the greatest value come with the completion; without a value, there is none")
    func extremes() {
        expectEqual(time.play(time.cold("b-a-c|").min()), "-----(a|)")
        expectEqual(time.play(time.cold("b-c-a|").max()), "-----(c|)")
        expectEqual(time.play(time.cold("--|").min()), "--|")
        expectEqual(time.play(time.cold("--|").max()), "--|")
        expectEqual(time.play(time.cold("a-#").max()), "--#")
    }
}
