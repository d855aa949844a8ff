import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct SampleTests {
    @Test func sendsADefaultWhereNothingIsNew() {
        let time = VirtualTime()
        let stream = time.cold("a-b-----c|").sample(by: time.cold("---x--x--"), defaultValue: "n")
        #expect(time.play(stream) == "---b--n--(c|)")
    }

    let time = VirtualTime()

    private func sampled(_ marbles: String, by sampler: String) -> Recording<String> {
        time.play(time.cold(marbles).sample(by: time.cold(sampler)))
    }

    @Test func sendsTheLatestNewValueWithEachSample() {
        #expect(sampled("a-b-----c-|", by: "---x--x--x---x") == "---b-----c|")
    }

    @Test func completionSendsThePendingValue() {
        #expect(sampled("a-b|", by: "-x") == "-a-(b|)")
        #expect(sampled("a-b---", by: "-x--|") == "-a--(b|)")
        #expect(sampled("a|", by: "--x") == "-(a|)")
    }

    @Test func theFirstFailureEndsIt() {
        #expect(sampled("a-#", by: "-x") == "-a#")
        #expect(sampled("a---", by: "--#") == "--#")
    }

    @Test func aCancelReachesBoth() {
        let (source, sampler) = (time.cold("a---"), time.cold("-x--"))
        _ = time.play(source.sample(by: sampler), during: "^-!")
        #expect(source.subscriptions == ["^-!"])
        #expect(sampler.subscriptions == ["^-!"])
    }
}
