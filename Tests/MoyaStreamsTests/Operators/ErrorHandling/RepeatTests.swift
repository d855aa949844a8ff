import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RepeatTests {
    let time = VirtualTime()

    @Test func subscribesAgain() {
        let source = time.cold("a-b|")
        #expect(time.play(source.repeat(times: 2)) == "a-ba-b|")
        #expect(source.subscriptions == ["^--!", "---^--!"])
        #expect(time.play(source.repeat(times: 0)) == "|")
    }

    @Test func aFailureEndsIt() {
        #expect(time.play(time.cold("a#").repeat()) == "a#")
    }

    @Test func aCancelEndsIt() {
        #expect(time.play(time.cold("a-|").repeat(), during: "^----!") == "a-a-a")
        #expect(time.leftovers.isEmpty)
    }

    @Test("R15, R16: without a number, it repeats until the subscription ends")
    func endless() {
        let count = Box(0)
        Observable.just(1).repeat().take(manyTimes).subscribeNext { _ in count.change { $0 += 1 } }
        #expect(count.value == manyTimes)
    }
}
