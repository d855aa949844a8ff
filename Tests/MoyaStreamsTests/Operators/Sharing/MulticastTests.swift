import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct MulticastTests {
    let time = VirtualTime()

    @Test func connectStartsTheSourceOnce() {
        let source = time.cold("a-b|")
        let (signal, connect) = source.multicast()
        let recordings = [time.record(signal), time.record(signal)]
        time.advance(by: .milliseconds(2))
        #expect(source.subscriptions.isEmpty)
        _ = connect()
        _ = connect()
        time.run()
        expectEqual(recordings[0], "--a-b|")
        expectEqual(recordings[1], "--a-b|")
        expectEqual(source.subscriptions, ["--^--!"])
    }

    @Test func replaysForALaterSubscriber() {
        let (signal, connect) = time.cold("a-b|").multicast(replay: .all)
        _ = connect()
        time.run()
        expectEqual(time.play(signal), "(ab|)")
    }

    @Test func cancellingTheConnectionStopsTheSource() {
        let source = time.cold("a-b|")
        let (signal, connect) = source.multicast()
        let recording = time.record(signal)
        let connection = connect()
        time.advance(by: .milliseconds(1))
        connection.cancel()
        time.run()
        expectEqual(recording, "a")
        expectEqual(source.subscriptions, ["^!"])
    }

    @Test("R21: a source that is dropped without an end releases the subscribers, also if the connection is retained")
    func droppedSourceReleases() {
        weak var held: Log?
        var connection: Subscription?
        do {
            let (source, emitter) = Signal<Int>.pipe()
            let (signal, connect) = source.multicast()
            let log = Log()
            held = log
            signal.subscribeNext { log.add("\($0)") }
            connection = connect()
            emitter.send(1)
            #expect(held != nil)
        }
        #expect(held == nil)
        #expect(connection?.isCancelled == false)
    }
}
