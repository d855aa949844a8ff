import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite struct MarbleStreamTests {
    let time = VirtualTime()

    @Test("T4: a cold stream knows from when to when it was subscribed")
    func coldSubscriptions() {
        let letters = time.cold("-a-b|")
        time.schedule(after: .milliseconds(3)) { [time] in letters.take(1).subscribeNext { _ in _ = time } }
        let whole = time.play(letters)
        #expect(whole == "-a-b|")
        #expect(letters.subscriptions == ["^---!", "---^!"])
        #expect(letters.subscriptions.map(\.description) == ["^---!", "---^!"])
        let endless = time.cold("a")
        _ = time.play(endless)
        #expect(endless.subscriptions == ["^"])
    }

    @Test("T4: a hot stream plays whether anybody listens or not")
    func hotStreams() {
        let hot = time.hot("-a-b-c|")
        let late = time.play(hot, during: "--^")
        #expect(late == "---b-c|")
        #expect(hot.subscriptions == ["--^---!"])
        let past = time.hot("a-^-b(c|)")
        #expect(time.play(past) == "--b(c|)")
        #expect(time.play(past) == "|")
    }

    @Test("T4: a recording can begin and be cancelled at its times")
    func spans() {
        let letters = time.cold("-a-b-c|")
        #expect(time.play(letters, during: "--^---!") == "---a-b")
        #expect(letters.subscriptions == ["--^---!"])
        #expect(SubscriptionSpan(start: .milliseconds(90), end: .milliseconds(191)).description == " 90ms ^ 100ms !")
    }

    @Test("T2: errors are compared by value, but for one that a diagram only writes as #")
    func errors() {
        let failing = time.play(time.cold("-#", error: Failure(id: 1)))
        #expect(failing == "-#")
        #expect(failing == Recording("-#", error: Failure(id: 1)) { $0 })
        #expect(failing != Recording("-#", error: Failure(id: 2)) { $0 })
        #expect(failing != Recording("-#", error: CancellationError()) { $0 })
    }
}
