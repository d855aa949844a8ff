import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct RepeatTests {
    let time = VirtualTime()

    @Test func subscribesAgain() {
        let source = time.cold("a-b|")
        expectEqual(time.play(source.repeat(times: 2)), "a-ba-b|")
        expectEqual(source.subscriptions, ["^--!", "---^--!"])
        expectEqual(time.play(source.repeat(times: 0)), "|")
    }

    @Test func aFailureEndsIt() {
        expectEqual(time.play(time.cold("a#").repeat()), "a#")
    }

    @Test func aCancelEndsIt() {
        expectEqual(time.play(time.cold("a-|").repeat(), during: "^----!"), "a-a-a")
        #expect(time.leftovers.isEmpty)
    }

    @Test("R15, R16: without a number, it repeats until the subscription ends")
    func endless() {
        let count = Box(0)
        Observable.just(1).repeat().take(manyTimes).subscribeNext { _ in count.change { $0 += 1 } }
        expectEqual(count.value, manyTimes)
    }
}
