import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct IfEmptyTests {
    let time = VirtualTime()

    @Test func replacesAnEmptySource() {
        expectEqual(time.play(time.cold("--|").ifEmpty(default: "a")), "--(a|)")
        expectEqual(time.play(time.cold("--|").ifEmpty(switchTo: time.cold("--a|").observable)), "----a|")
    }

    @Test func passesValuesOfOtherSources() {
        let other = time.cold("x|")
        expectEqual(time.play(time.cold("b-|").ifEmpty(switchTo: other.observable)), "b-|")
        expectEqual(time.play(time.cold("-#").ifEmpty(switchTo: other.observable)), "-#")
        #expect(other.subscriptions.isEmpty)
    }
}
