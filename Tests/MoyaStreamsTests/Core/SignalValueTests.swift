import Foundation
import MoyaStreams
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct SignalValueTests {
    @Test("R34: the value is that of the send that was accepted last, inside an observer, too")
    func insideAnObserver() {
        let (signal, emitter) = Signal.pipe(value: 0)
        let log = Log()
        signal.skip(1).subscribeNext { value in
            log.add("got \(value)")
            guard value == 1 else { return }
            emitter.send(2)
            log.add("\(signal.value ?? 0)")
            emitter.send(3)
            log.add("\(signal.value ?? 0)")
        }
        emitter.send(1)
        expectEqual(log.entries, ["got 1", "2", "3", "got 2", "got 3"])
        expectEqual(signal.value, 3)
    }

    @Test("R34: two updates inside an observer count twice")
    func updatesInsideAnObserver() {
        let (signal, emitter) = Signal.pipe(value: 0)
        let seen = Box([Int]())
        signal.subscribeNext { value in
            seen.change { $0.append(value) }
            guard value == 1 else { return }
            emitter.update { $0 += 1 }
            emitter.update { $0 += 1 }
            expectEqual(signal.value, 3)
        }
        emitter.update { $0 += 1 }
        expectEqual(seen.value, [0, 1, 2, 3])
    }

    @Test("R34: another thread reads what it has sent during a delivery")
    func onAnotherThread() {
        let (signal, emitter) = Signal.pipe(value: 0)
        signal.subscribeNext { value in
            guard value == 1 else { return }
            let isDone = finishesOnAnotherThread {
                emitter.send(7)
                expectEqual(signal.value, 7)
                emitter.update { $0 += 1 }
                expectEqual(signal.value, 8)
            }
            #expect(isDone)
            expectEqual(signal.value, 8)
        }
        emitter.send(1)
        expectEqual(signal.value, 8)
    }

    @Test("R28: a new subscriber receives the value that was delivered last, then those that were accepted")
    func replaysDeliveredValues() {
        let (signal, emitter) = Signal.pipe(value: 0)
        let late = Box([Int]())
        signal.subscribeNext { value in
            guard value == 1 else { return }
            emitter.send(2)
            signal.subscribeNext { value in late.change { $0.append(value) } }
            emitter.send(3)
            #expect(late.value.isEmpty)
        }
        emitter.send(1)
        expectEqual(late.value, [2, 3])
    }

    @Test("R34: a value that is sent after the end is not accepted")
    func afterTheEnd() {
        let (signal, emitter) = Signal.pipe(value: 0)
        signal.subscribeNext { value in
            guard value == 1 else { return }
            emitter.send(2)
            emitter.complete()
            emitter.send(3)
            emitter.update { $0 += 10 }
            expectEqual(signal.value, 2)
        }
        emitter.send(1)
        expectEqual(signal.value, 2)
        emitter.send(4)
        expectEqual(signal.value, 2)
    }

    @Test("R11: update runs its closure outside of every lock, and again if the value has changed meanwhile")
    func updateUsesTheSignal() {
        let (signal, emitter) = Signal.pipe(value: 0)
        let seen = Box([Int]())
        let runs = Box(0)
        signal.subscribeNext { value in seen.change { $0.append(value) } }
        emitter.update { value in
            runs.change { $0 += 1 }
            if runs.value == 1 {
                #expect(finishesOnAnotherThread { emitter.send(5) })
                expectEqual(signal.value, 5)
                expectEqual(seen.value, [0, 5])
            }
            value += 1
        }
        expectEqual(runs.value, 2)
        expectEqual(seen.value, [0, 5, 6])
        expectEqual(signal.value, 6)
    }

    @Test("R34: when threads race, the value is the one that is delivered last, and sends and updates agree")
    func races() {
        for _ in 0..<50 {
            let (signal, emitter) = Signal.pipe(value: 0)
            let seen = Box([Int]())
            let last = Box(0)
            signal.subscribeNext { value in
                seen.change { $0.append(value) }
                last.value = value
            }
            inParallel([0, 1, 2, 3]) { thread in
                for value in 1...200 {
                    if thread < 2 { emitter.send(thread * 1_000_000 + value) } else { emitter.update { $0 += 1 } }
                }
            }
            expectEqual(signal.value, last.value)
            expectEqual(seen.value.count, 801)
        }
    }

    @Test("R34: the value of a signal that replays several values", arguments: [ReplayPolicy.latest(2), .all])
    func severalValues(_ replay: ReplayPolicy) {
        let (signal, emitter) = Signal<Int>.pipe(replay: replay)
        #expect(signal.value == nil)
        signal.subscribeNext { value in
            guard value == 1 else { return }
            emitter.send(2)
            expectEqual(signal.value, 2)
        }
        emitter.send(1)
        expectEqual(signal.value, 2)
        let replayed = Box([Int]())
        signal.subscribeNext { value in replayed.change { $0.append(value) } }
        expectEqual(replayed.value, [1, 2])
    }
}
