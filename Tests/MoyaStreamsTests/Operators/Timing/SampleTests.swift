import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct SampleTests {
    @Test func sendsADefaultWhereNothingIsNew() {
        let time = VirtualTime()
        let stream = time.cold("a-b-----c|").sample(by: time.cold("---x--x--"), defaultValue: "n")
        expectEqual(time.play(stream), "---b--n--(c|)")
    }

    let time = VirtualTime()

    private func sampled(_ marbles: String, by sampler: String) -> Recording<String> {
        time.play(time.cold(marbles).sample(by: time.cold(sampler)))
    }

    @Test func sendsTheLatestNewValueWithEachSample() {
        expectEqual(sampled("a-b-----c-|", by: "---x--x--x---x"), "---b-----c|")
    }

    @Test func completionSendsThePendingValue() {
        expectEqual(sampled("a-b|", by: "-x"), "-a-(b|)")
        expectEqual(sampled("a-b---", by: "-x--|"), "-a--(b|)")
        expectEqual(sampled("a|", by: "--x"), "-(a|)")
    }

    @Test func theFirstFailureEndsIt() {
        expectEqual(sampled("a-#", by: "-x"), "-a#")
        expectEqual(sampled("a---", by: "--#"), "--#")
    }

    @Test func aCancelReachesBoth() {
        let (source, sampler) = (time.cold("a---"), time.cold("-x--"))
        _ = time.play(source.sample(by: sampler), during: "^-!")
        expectEqual(source.subscriptions, ["^-!"])
        expectEqual(sampler.subscriptions, ["^-!"])
    }
}
