import MoyaStreams
import MoyaTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct IfEmptyTests {
    let time = VirtualTime()

    @Test func replacesAnEmptySource() {
        #expect(time.play(time.cold("--|").ifEmpty(default: "a")) == "--(a|)")
        #expect(time.play(time.cold("--|").ifEmpty(switchTo: time.cold("--a|").observable)) == "----a|")
    }

    @Test func passesValuesOfOtherSources() {
        let other = time.cold("x|")
        #expect(time.play(time.cold("b-|").ifEmpty(switchTo: other.observable)) == "b-|")
        #expect(time.play(time.cold("-#").ifEmpty(switchTo: other.observable)) == "-#")
        #expect(other.subscriptions.isEmpty)
    }
}
