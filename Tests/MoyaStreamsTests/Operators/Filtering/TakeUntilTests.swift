import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct TakeUntilTests {
    let time = VirtualTime()

    @Test func theTriggersValueCompletes() {
        let source = time.cold("a--b--c--d|")
        let trigger = time.cold("----x--y|")
        expectEqual(time.play(source.take(until: trigger)), "a--b|")
        expectEqual(source.subscriptions, ["^---!"])
        expectEqual(trigger.subscriptions, ["^---!"])
    }

    @Test func theTriggersCompletionAloneDoesNot() {
        expectEqual(time.play(time.cold("a--b|").take(until: time.cold("-|"))), "a--b|")
    }

    @Test func theTriggersFailureIsTheStreams() {
        expectEqual(time.play(time.cold("a--b|").take(until: time.cold("-#"))), "a#")
    }

    @Test func theTriggerIsSubscribedFirst() {
        let source = time.cold("a|")
        expectEqual(time.play(source.take(until: Observable.just(1))), "|")
        #expect(source.subscriptions.isEmpty)
    }

    @Test func aCancelReachesBoth() {
        let source = time.cold("a---b|")
        let trigger = time.cold("-----x")
        expectEqual(time.play(source.take(until: trigger), during: "^--!"), "a")
        expectEqual(trigger.subscriptions, ["^--!"])
        #expect(time.leftovers.isEmpty)
    }

    @Test("take(for:) completes when the duration has passed, or with the source")
    func aDuration() {
        expectEqual(time.play(time.cold("-a-b-c-d|").take(for: .milliseconds(4), on: time)), "-a-b|")
        expectEqual(time.play(time.cold("-a|").take(for: .milliseconds(4), on: time)), "-a|")
        expectEqual(time.play(time.cold("-#").take(for: .milliseconds(4), on: time)), "-#")
        #expect(time.leftovers.isEmpty)
    }
}
