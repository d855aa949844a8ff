import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct SwitchLatestTests {
    let time = VirtualTime()

    @Test func theLatestStreamReplacesThePrevious() {
        let streams = ["a": time.cold("-1-2-3|"), "b": time.cold("-x|")]
        let latest = time.cold("a---b-----|").map { streams[$0]?.observable ?? .empty() }.switchLatest()
        expectEqual(time.play(latest), "-1-2-x----|")
        expectEqual(streams["a"]?.subscriptions, ["^---!"])
    }
}
