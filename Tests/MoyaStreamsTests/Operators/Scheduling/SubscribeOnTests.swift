import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct SubscribeOnTests {
    let time = VirtualTime()

    @Test func theSourceIsSubscribedByTheScheduler() {
        let source = time.cold("-a|")
        let recording = time.record(source.subscribe(on: time))
        #expect(source.subscriptions.isEmpty)
        time.run()
        expectEqual(recording, "-a|")
        expectEqual(source.subscriptions, ["^-!"])
    }

    @Test("R5: a source whose subscription was cancelled before is not subscribed")
    func cancel() {
        let source = time.cold("-a|")
        source.subscribe(on: time).subscribeNext { _ in }.cancel()
        time.run()
        #expect(source.subscriptions.isEmpty)
        #expect(time.leftovers.isEmpty)
    }
}
