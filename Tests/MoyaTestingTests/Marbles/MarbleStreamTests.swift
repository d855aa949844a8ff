import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct MarbleStreamTests {
    let time = VirtualTime()

    @Test("T4: a cold stream records the spans of its subscriptions")
    func coldSubscriptions() {
        let source = time.cold("-a-b|")
        time.schedule(after: .milliseconds(3)) { [time] in source.take(1).subscribeNext { _ in _ = time } }
        let whole = time.play(source)
        expectEqual(whole, "-a-b|")
        expectEqual(source.subscriptions, ["^---!", "---^!"])
        expectEqual(source.subscriptions.map(\.description), ["^---!", "---^!"])
        let endless = time.cold("a")
        _ = time.play(endless)
        expectEqual(endless.subscriptions, ["^"])
    }

    @Test("T4: a hot stream sends with or without subscribers")
    func hotStreams() {
        let hot = time.hot("-a-b-c|")
        let late = time.play(hot, during: "--^")
        expectEqual(late, "---b-c|")
        expectEqual(hot.subscriptions, ["--^---!"])
        let past = time.hot("a-^-b(c|)")
        expectEqual(time.play(past), "--b(c|)")
        expectEqual(time.play(past), "|")
    }

    @Test("T4: a recording can begin and be cancelled at given times")
    func spans() {
        let source = time.cold("-a-b-c|")
        expectEqual(time.play(source, during: "--^---!"), "---a-b")
        expectEqual(source.subscriptions, ["--^---!"])
        expectEqual(SubscriptionSpan(start: .milliseconds(90), end: .milliseconds(191)).description, " 90ms ^ 100ms !")
    }

    @Test("T2: a diagram has the tick of the clock that it is compared with", arguments: [1, 1000, 60_000])
    func ticks(_ milliseconds: Int) {
        let time = VirtualTime(tick: .milliseconds(milliseconds))
        expectEqual(time.play(time.cold("-a|")), "-a|")
        expectEqual("-a|", time.play(time.cold("-a|")))
        #expect(time.play(time.cold("-a|")) != "--a|")
        expectEqual(time.play(time.cold("-a 5m b|")), "-a 5m b|")
        let source = time.cold("-a-b-c|")
        let recording = time.play(source, during: "--^---!")
        expectEqual(recording, "---a-b")
        #expect(recording.difference(from: "---a-c")?.contains("expected  ---a-c\nactual    ---a-b\n") == true)
        expectEqual(source.subscriptions, ["--^---!"])
        expectEqual(["--^---!"], source.subscriptions)
        expectEqual(Set(source.subscriptions), ["--^---!"])
        expectEqual(source.subscriptions.map(\.description), ["--^---!"])
        #expect(source.subscriptions != ["--^--!"])
    }

    @Test("T2: a recording with its own tick is compared as it is")
    func ownTick() {
        let time = VirtualTime(tick: .seconds(1))
        expectEqual(time.play(time.cold("-a|")), Recording("-a|", tick: .seconds(1)) { $0 })
        #expect(time.play(time.cold("-a|")) != Recording("-a|", tick: .milliseconds(1)) { $0 })
    }

    @Test("T2: errors are compared by value, except for the default error of #")
    func errors() {
        let failing = time.play(time.cold("-#", error: Failure(id: 1)))
        expectEqual(failing, "-#")
        expectEqual(failing, Recording("-#", error: Failure(id: 1)) { $0 })
        #expect(failing != Recording("-#", error: Failure(id: 2)) { $0 })
        #expect(failing != Recording("-#", error: CancellationError()) { $0 })
    }
}
