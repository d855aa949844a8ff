import Foundation
import Moya
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct FlatMapTests {
    let time = VirtualTime()

    @Test func mergesTheValuesOfInnerStreams() {
        let stream = time.cold("a--b---|").flatMap { [time] name in
            time.cold(name == "a" ? "1---2|" : "-3-4|").observable
        }
        expectEqual(time.play(stream), "1---(23)-4|")
    }

    @Test func completesWithTheLastOfAll() {
        let innerLast = time.cold("a|").flatMap { [time] _ in time.cold("---x|").observable }
        expectEqual(time.play(innerLast), "---x|")
        let outerLast = time.cold("a-----|").flatMap { [time] _ in time.cold("-x|").observable }
        expectEqual(time.play(outerLast), "-x----|")
        let empty = Observable<String>.empty().flatMap { Observable.just($0) }
        expectEqual(time.play(empty), "|")
    }

    @Test func failsWithTheFirstFailure() {
        let innerFails = time.cold("ab---|").flatMap { [time] in time.cold($0 == "a" ? "--#" : "-x--|").observable }
        expectEqual(time.play(innerFails), "--#")
        let outerFails = time.cold("a-#").flatMap { [time] _ in time.cold("--x|").observable }
        expectEqual(time.play(outerFails), "--#")
        let transformFails = time.cold("a|").flatMap { _ -> Observable<String> in throw Failure() }
        expectEqual(time.play(transformFails), "#")
    }

    @Test("R17: `transform` is not called after a failure that waits behind the current value", arguments: [2, .max])
    func callsNoTransformAfterAQueuedFailure(_ limit: Int) {
        let outer = Box<Emitter<Int>?>(nil)
        let inner = Box<[Emitter<String>]>([])
        let log = Log()
        Observable<Int> { outer.value = $0 }
            .flatMap(maxConcurrent: limit) { number in
                log.add("made \(number)")
                return Observable { emitter in inner.change { $0.append(emitter) } }
            }
            .subscribe(
                onNext: { _ in
                    inner.value[1].fail(Failure())
                    outer.value?.send(3)
                },
                onError: { _ in log.add("failed") })
        for number in 1...2 { outer.value?.send(number) }
        inner.value[0].send("a")
        expectEqual(log.entries, ["made 1", "made 2", "failed"])
    }

    @Test("R14: nested synchronous streams run depth-first")
    func depthFirst() {
        let stream = Observable.from(["1", "2"]).flatMap { number in
            Observable.from(["a", "b"]).map { "\(number)\($0)" }
        }
        expectEqual(time.play(stream).elements, ["1a", "1b", "2a", "2b"])
    }

    @Test("a limited number of inner streams run concurrently, the others wait", arguments: [1, 2])
    func limitsConcurrency(_ limit: Int) {
        let running = Box(0)
        let most = Box(0)
        let stream = Observable.from(0..<6).flatMap(maxConcurrent: limit) { [time] number in
            time.cold("--x|").map { _ in number }.handleEvents(
                onSubscribe: {
                    running.change { $0 += 1 }
                    most.value = max(most.value, running.value)
                }, onCompleted: { running.change { $0 -= 1 } })
        }
        let recording = time.play(stream)
        expectEqual(recording.elements, Array(0..<6))
        #expect(recording.isCompleted)
        expectEqual(most.value, limit)
    }

    @Test("R16: 50,000 inner streams, one after the other, do not grow the stack")
    func manyInnerStreams() {
        let count = Box(0)
        let first = Box<Emitter<Int>?>(nil)
        Observable.from(0..<manyTimes).flatMap(maxConcurrent: 1) { number in
            number == 0 ? Observable { first.value = $0 } : .just(number)
        }.subscribeNext { _ in count.change { $0 += 1 } }
        expectEqual(count.value, 0)
        first.value?.complete()
        expectEqual(count.value, manyTimes - 1)
    }

    @Test("R7: values of inner streams on many threads do not overlap")
    func innerStreamsOnManyThreads() async throws {
        let inside = Box(0)
        let overlaps = Box(0)
        let count = Box(0)
        let done = Promise<Void>()
        Observable.from(0..<4).flatMap { _ in
            Observable<Int> { emitter in
                Thread.detachNewThread {
                    for value in 0..<2000 { emitter.send(value) }
                    emitter.complete()
                }
            }
        }.subscribe(
            onNext: { _ in
                inside.change { $0 += 1 }
                if inside.value != 1 { overlaps.change { $0 += 1 } }
                count.change { $0 += 1 }
                inside.change { $0 -= 1 }
            }, onCompleted: { done.fulfill(()) })
        try await done.value()
        expectEqual(count.value, 8000)
        expectEqual(overlaps.value, 0)
    }

    @Test("R5, R22: a cancel releases the source, the inner streams and the closures")
    func cancelReleasesAll() {
        let log = Log()
        weak var held: Log?
        let subscription: Subscription
        let (signal, emitter) = Signal<Int>.pipe()
        do {
            let captured = Log()
            held = captured
            subscription = signal.handleEvents(onCancel: { log.add("outer") }).flatMap { number in
                captured.add("\(number)")
                return Observable<Int>.never().handleEvents(onCancel: { log.add("inner \(number)") })
            }.subscribeNext { captured.add("\($0)") }
        }
        emitter.send(1)
        emitter.send(2)
        subscription.cancel()
        expectEqual(Set(log.entries), ["outer", "inner 1", "inner 2"])
        expectEqual(log.entries.count, 3)
        #expect(held == nil)
    }

    @Test("R11: during an event, another thread can use an inner stream")
    func noLockIsHeldDuringDelivery() {
        let inner = Box<[Emitter<Int>]>([])
        let joined = Box(false)
        let seen = Box<[Int]>([])
        Observable.from(0..<2).flatMap { _ in
            Observable<Int> { emitter in inner.change { $0.append(emitter) } }
        }.subscribeNext { value in
            seen.change { $0.append(value) }
            guard value == 1 else { return }
            joined.value = finishesOnAnotherThread { inner.value[1].send(2) }
        }
        inner.value[0].send(1)
        #expect(joined.value)
        expectEqual(seen.value, [1, 2])
    }

    /// When it is released, sends from another thread and waits for that thread.
    private final class Mortal: Sendable {
        let id: Int
        let onDeinit: @Sendable (Int) -> Void

        init(_ id: Int, onDeinit: @escaping @Sendable (Int) -> Void) {
            self.id = id
            self.onDeinit = onDeinit
        }

        deinit { onDeinit(id) }
    }

    @Test("R11, R22: processed values are released, and not under a lock that another thread waits for")
    func releasesValuesOutsideTheLock() {
        let inner = Box<[Emitter<Int>]>([])
        let (signal, emitter) = Signal<Mortal>.pipe()
        let released = Log()
        let joined = Box<[Bool]>([])
        let subscription = signal.flatMap(maxConcurrent: 1) { _ in
            Observable<Int> { emitter in inner.change { $0.append(emitter) } }
        }.subscribeNext { _ in }
        for id in 0..<4 {
            emitter.send(
                Mortal(id) { id in
                    released.add("\(id)")
                    let isDone = finishesOnAnotherThread { emitter.send(Mortal(100) { _ in }) }
                    joined.change { $0.append(isDone) }
                })
        }
        inner.value[0].complete()
        inner.value[1].complete()
        #expect(Set(released.entries).isSuperset(of: ["0", "1"]))
        subscription.cancel()
        expectEqual(Set(released.entries), ["0", "1", "2", "3"])
        #expect(!joined.value.contains(false))
    }

    @Test("R17: after a failure the transform is not called again, also if the failure is queued")
    func failureStopsTheTransform() {
        let (signal, emitter) = Signal<Int>.pipe()
        let calls = Box(0)
        let failures = Box(0)
        signal.flatMap { value -> Observable<Int> in
            calls.change { $0 += 1 }
            if value > 0 { throw Failure() }
            return .just(value)
        }.subscribe(
            onNext: { _ in
                _ = finishesOnAnotherThread { for value in 1..<10 { emitter.send(value) } }
            }, onError: { _ in failures.change { $0 += 1 } })
        emitter.send(0)
        for value in 1..<10 { emitter.send(value) }
        expectEqual(calls.value, 2)
        expectEqual(failures.value, 1)
    }

    @Test("a stream whose subscription is slow does not block others below the limit")
    func slowSubscriptionBlocksNoOther() {
        let kept = Box<[Emitter<Int>]>([])
        let started = Box<[Int]>([])
        let startedMeanwhile = Box<[Int]>([])
        let isJoined = Box(false)
        Observable.from(0..<4).flatMap(maxConcurrent: 2) { number in
            started.change { $0.append(number) }
            return Observable<Int> { emitter in
                kept.change { $0.append(emitter) }
                guard number == 2 else { return }
                isJoined.value = finishesOnAnotherThread { kept.value[1].complete() }
                startedMeanwhile.value = started.value
            }
        }.subscribeNext { _ in }
        expectEqual(started.value, [0, 1])
        kept.value[0].complete()
        #expect(isJoined.value)
        expectEqual(startedMeanwhile.value, [0, 1, 2, 3])
    }

    @Test("R22: a cancel releases the observer, also if an inner emitter is retained")
    func keptInnerEmitter() {
        let kept = Box<Emitter<Int>?>(nil)
        weak var held: Log?
        let subscription: Subscription
        do {
            let log = Log()
            held = log
            subscription = Observable.just(1).flatMap { _ in Observable<Int> { kept.value = $0 } }
                .subscribeNext { log.add("\($0)") }
        }
        kept.value?.send(1)
        expectEqual(held?.entries, ["1"])
        subscription.cancel()
        #expect(held == nil)
    }
}
