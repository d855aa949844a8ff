import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct ShareTests {
    let time = VirtualTime()

    @Test("R28: the first subscriber starts the source, and the last one to cancel cancels it")
    func oneRunForAll() {
        let source = time.cold("a--b--c|")
        let shared = source.share()
        let first = time.record(shared)
        time.advance(by: .milliseconds(2))
        let second = time.record(shared)
        time.run()
        expectEqual(first, "a--b--c|")
        expectEqual(second, "-b--c|")
        expectEqual(source.subscriptions, ["^------!"])
    }

    @Test("R28: the source is cancelled when the last subscriber cancels")
    func idle() {
        let source = time.cold("a--b--c|")
        let shared = source.share()
        let tokens = [shared.subscribeNext { _ in }, shared.subscribeNext { _ in }]
        time.advance(by: .milliseconds(1))
        tokens[0].cancel()
        expectEqual(source.subscriptions, ["^"])
        tokens[1].cancel()
        expectEqual(source.subscriptions, ["^!"])
    }

    /// A row of the table in the documentation: the events of a later subscriber, and the number of runs.
    struct Row: Sendable, CustomStringConvertible {
        let lifetime: ShareScope
        let marbles: String
        /// The times at which the first subscriber cancels and the later one subscribes.
        let leaves: Int?
        let comes: Int
        let sees: String
        let runs: Int

        var description: String { "\(lifetime) of \(marbles), late at \(comes), sees \(sees)" }
    }

    static let rows = [
        Row(lifetime: .whileSubscribed, marbles: "a-b-c|", leaves: nil, comes: 3, sees: "bc|", runs: 1),
        Row(lifetime: .untilTermination, marbles: "a-b-c|", leaves: nil, comes: 3, sees: "bc|", runs: 1),
        Row(lifetime: .forever, marbles: "a-b-c|", leaves: nil, comes: 3, sees: "bc|", runs: 1),
        Row(lifetime: .whileSubscribed, marbles: "a-b-c|", leaves: 1, comes: 3, sees: "a-b-c|", runs: 2),
        Row(lifetime: .untilTermination, marbles: "a-b-c|", leaves: 1, comes: 3, sees: "bc|", runs: 1),
        Row(lifetime: .forever, marbles: "a-b-c|", leaves: 1, comes: 3, sees: "bc|", runs: 1),
        Row(lifetime: .whileSubscribed, marbles: "a-b|", leaves: nil, comes: 5, sees: "a-b|", runs: 2),
        Row(lifetime: .untilTermination, marbles: "a-b|", leaves: nil, comes: 5, sees: "a-b|", runs: 2),
        Row(lifetime: .forever, marbles: "a-b|", leaves: nil, comes: 5, sees: "(b|)", runs: 1),
        Row(lifetime: .whileSubscribed, marbles: "a-#", leaves: nil, comes: 5, sees: "a-#", runs: 2),
        Row(lifetime: .untilTermination, marbles: "a-#", leaves: nil, comes: 5, sees: "a-#", runs: 2),
        Row(lifetime: .forever, marbles: "a-#", leaves: nil, comes: 5, sees: "(a#)", runs: 1),
    ]

    @Test("R29: a later subscriber receives the events of the table", arguments: rows)
    func truthTable(_ row: Row) {
        let source = time.cold(row.marbles)
        let shared = source.share(replay: .latest(1), scope: row.lifetime)
        let first = shared.subscribe { _ in }
        if let leaves = row.leaves {
            time.advance(by: .milliseconds(leaves))
            first.cancel()
        }
        time.advance(by: .milliseconds(row.comes) - time.elapsed)
        let late = time.record(shared)
        time.run()
        expectEqual(late.marbles, row.sees)
        expectEqual(source.subscriptions.count, row.runs)
    }

    @Test("R28: racing first subscribers start the source once, and each receives every value once")
    func racingSubscribers() async throws {
        for _ in 0..<100 {
            let starts = Box(0)
            let (gate, open) = Signal<Int>.pipe()
            let shared = Observable<Int> { emitter in
                starts.change { $0 += 1 }
                emitter.send(1)
                gate.subscribe { event in
                    if case .next(let value) = event { emitter.send(value) } else { emitter.complete() }
                }
            }.share(replay: .all)
            let seen = Box([String: [Int]]())
            inParallel(["a", "b", "c"]) { name in
                shared.subscribeNext { value in seen.change { $0[name, default: []].append(value) } }
            }
            for value in 2...4 { open.send(value) }
            open.complete()
            expectEqual(starts.value, 1)
            expectEqual(seen.value, ["a": [1, 2, 3, 4], "b": [1, 2, 3, 4], "c": [1, 2, 3, 4]])
        }
    }

    @Test("R28: replayed values are delivered before newer ones, without duplicates, while another thread sends")
    func replayUnderARace() {
        for _ in 0..<50 {
            let (signal, emitter) = Signal<Int>.pipe()
            let shared = signal.share(replay: .all)
            let keeper = shared.subscribeNext { _ in }
            let seen = Box([Int]())
            inParallel([true, false]) { isProducer in
                if isProducer {
                    for number in 0..<200 { emitter.send(number) }
                } else {
                    shared.subscribeNext { value in seen.change { $0.append(value) } }
                }
            }
            keeper.cancel()
            expectEqual(seen.value, Array(0..<200))
        }
    }

    @Test func restartsFromInsideItsOwnCompletion() {
        let runs = Box(0)
        let shared = Observable<Int>.deferred {
            runs.change { $0 += 1 }
            return .just(runs.value)
        }.share()
        let log = Log()
        shared.subscribe(
            onNext: { log.add("\($0)") },
            onCompleted: { shared.subscribe(onNext: { log.add("again \($0)") }) })
        expectEqual(log.entries, ["1", "again 2"])
    }

    /// The behavior of a source after its first value.
    enum Source: CaseIterable {
        case dropped, kept, completed, failed
    }

    @Test(
        "R28, R29: a later subscriber receives the events of the table, whatever has happened to the source",
        arguments: Source.allCases,
        [ShareScope.whileSubscribed, .untilTermination, .forever])
    func laterSubscribers(_ source: Source, _ lifetime: ShareScope) {
        for keepsFirst in [false, true] {
            let runs = Box(0)
            let kept = Box<[Emitter<Int>]>([])
            let shared = Observable<Int> { emitter in
                runs.change { $0 += 1 }
                emitter.send(runs.value)
                switch source {
                case .dropped: break
                case .kept: kept.change { $0.append(emitter) }
                case .completed: emitter.complete()
                case .failed: emitter.fail(Failure())
                }
            }.share(replay: .latest(1), scope: lifetime)
            func subscribe(_ log: Log, isFirst: Bool = false) -> Subscription {
                (isFirst && !keepsFirst ? shared.take(1) : shared).subscribe { event in
                    switch event {
                    case .next(let value): log.add("\(value)")
                    case .error: log.add("#")
                    case .completed: log.add("|")
                    }
                }
            }
            _ = subscribe(Log(), isFirst: true)
            let (second, third) = (Log(), Log())
            _ = subscribe(second)
            _ = subscribe(third)
            let isOver = source == .completed || source == .failed
            let end = source == .completed ? ["|"] : source == .failed ? ["#"] : []
            let staysOpen = !isOver && keepsFirst
            let isNew = lifetime == .forever ? false : isOver || lifetime == .whileSubscribed && !staysOpen
            expectEqual(second.entries, [isNew ? "2" : "1"] + end, "\(source) \(lifetime) \(keepsFirst)")
            let isNewAgain = isNew && isOver
            expectEqual(
                third.entries, [isNewAgain ? "3" : isNew ? "2" : "1"] + end, "\(source) \(lifetime) \(keepsFirst)")
            for emitter in kept.value { emitter.send(9) }
            expectEqual(third.entries.last, source == .kept ? "9" : end.last ?? third.entries.last)
        }
    }

    @Test("R29: a run lives while it has subscribers, also when its source has let go of its emitter")
    func sharesADroppedRun() {
        let log = Log()
        let shared = Observable<Int> { emitter in
            log.add("started")
            emitter.onTermination { log.add("cancelled") }
            emitter.send(1)
        }.share(replay: .latest(1))
        let tokens = ["one", "two"].map { name in shared.subscribeNext { log.add("\(name) \($0)") } }
        expectEqual(log.entries, ["started", "one 1", "two 1"])
        for token in tokens { token.cancel() }
        expectEqual(log.entries, ["started", "one 1", "two 1", "cancelled"])
        shared.subscribeNext { log.add("three \($0)") }
        expectEqual(log.entries.suffix(2), ["started", "three 1"])
    }

    @Test("R22: a run whose source has let go of its emitter releases its subscribers, earlier and later ones")
    func releasesTheSubscribersOfADroppedRun() {
        let shared = Observable<Int> { _ in }.share()
        for _ in 0..<2 {
            weak var held: Log?
            do {
                let log = Log()
                held = log
                shared.subscribeNext { log.add("\($0)") }
            }
            #expect(held == nil)
        }
    }

    @Test("R28: the source is started again only after its earlier run was cancelled")
    func cancelsBeforeItStartsAgain() {
        let log = Log()
        let kept = Box<[Emitter<Int>]>([])
        let again = Box<(@Sendable () -> Void)?>(nil)
        let shared = Observable<Int> { emitter in
            log.add("started")
            kept.change { $0.append(emitter) }
            emitter.send(7)
            emitter.onTermination {
                log.add("cancelling")
                again.value?()
                log.add("cancelled")
            }
        }.share()
        let first = shared.subscribeNext { _ in }
        again.value = {
            again.value = nil
            // From another thread, which does not wait for the cancel, and from inside the cancel.
            #expect(finishesOnAnotherThread { shared.subscribeNext { log.add("other \($0)") } })
            shared.subscribeNext { log.add("same \($0)") }
        }
        first.cancel()
        expectEqual(
            log.entries, ["started", "cancelling", "cancelled", "started", "other 7", "same 7"])
        kept.value.last?.send(8)
        expectEqual(log.entries.suffix(2), ["other 8", "same 8"])
    }

    @Test("R28: a run that was left before it could start does not start")
    func startsNothingForSubscribersThatLeft() {
        let log = Log()
        let kept = Box<Emitter<Int>?>(nil)
        let again = Box<(@Sendable () -> Void)?>(nil)
        let shared = Observable<Int> { emitter in
            log.add("started")
            kept.value = emitter
            emitter.onTermination { again.value?() }
        }.share()
        let first = shared.subscribeNext { _ in }
        again.value = {
            again.value = nil
            shared.subscribeNext { _ in }.cancel()
        }
        first.cancel()
        expectEqual(log.entries, ["started"])
        shared.subscribeNext { _ in }
        expectEqual(log.entries, ["started", "started"])
    }

    @Test("an integer is the number of the replayed values")
    func replayLiteral() {
        expectEqual(ReplayPolicy(integerLiteral: 2), .latest(2))
        expectEqual([0, -1] as [ReplayPolicy], [.none, .none])
        let (signal, emitter) = Signal<Int>.pipe()
        let shared = signal.share(replay: 2)
        let log = Log()
        shared.subscribeNext { _ in }
        for number in 1...3 { emitter.send(number) }
        shared.subscribeNext { log.add("\($0)") }
        expectEqual(log.entries, ["2", "3"])
    }
}
