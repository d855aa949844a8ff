import MoyaStreams
import MoyaTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct TakeUntilTests {
    let time = VirtualTime()

    @Test func theTriggersValueCompletes() {
        let source = time.cold("a--b--c--d|")
        let trigger = time.cold("----x--y|")
        #expect(time.play(source.take(until: trigger)) == "a--b|")
        #expect(source.subscriptions == ["^---!"])
        #expect(trigger.subscriptions == ["^---!"])
    }

    @Test func theTriggersCompletionAloneDoesNot() {
        #expect(time.play(time.cold("a--b|").take(until: time.cold("-|"))) == "a--b|")
    }

    @Test func theTriggersFailureIsTheStreams() {
        #expect(time.play(time.cold("a--b|").take(until: time.cold("-#"))) == "a#")
    }

    @Test func theTriggerIsSubscribedFirst() {
        let source = time.cold("a|")
        #expect(time.play(source.take(until: Observable.just(1))) == "|")
        #expect(source.subscriptions.isEmpty)
    }

    @Test func aCancelReachesBoth() {
        let source = time.cold("a---b|")
        let trigger = time.cold("-----x")
        #expect(time.play(source.take(until: trigger), during: "^--!") == "a")
        #expect(trigger.subscriptions == ["^--!"])
        #expect(time.leftovers.isEmpty)
    }

    @Test("take(for:) completes when the duration has passed, or with the source")
    func aDuration() {
        #expect(time.play(time.cold("-a-b-c-d|").take(for: .milliseconds(4), on: time)) == "-a-b|")
        #expect(time.play(time.cold("-a|").take(for: .milliseconds(4), on: time)) == "-a|")
        #expect(time.play(time.cold("-#").take(for: .milliseconds(4), on: time)) == "-#")
        #expect(time.leftovers.isEmpty)
    }
}
