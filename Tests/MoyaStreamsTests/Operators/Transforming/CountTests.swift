import MoyaStreams
import MoyaTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct CountTests {
    let time = VirtualTime()

    @Test func countsTheValues() {
        #expect(time.play(time.cold("a-b-c|").count().map(String.init)) == "-----(3|)")
        #expect(time.play(time.cold("--|").count().map(String.init)) == "--(0|)")
        #expect(time.play(time.cold("a-#").count().map(String.init)) == "--#")
    }

    @Test("the least and the greatest value come with the completion; without a value, there is none")
    func extremes() {
        #expect(time.play(time.cold("b-a-c|").min()) == "-----(a|)")
        #expect(time.play(time.cold("b-c-a|").max()) == "-----(c|)")
        #expect(time.play(time.cold("--|").min()) == "--|")
        #expect(time.play(time.cold("--|").max()) == "--|")
        #expect(time.play(time.cold("a-#").max()) == "--#")
    }
}
