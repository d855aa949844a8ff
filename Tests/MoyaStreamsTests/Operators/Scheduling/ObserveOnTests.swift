import Dispatch
import Foundation
import Moya
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct ObserveOnTests {
    let time = VirtualTime()

    @Test("R25: the terminal event is delivered after the values")
    func keepsTheOrder() {
        expectEqual(time.play(time.cold("a-(bc|)").observe(on: time)), "a-(bc|)")
        expectEqual(time.play(time.cold("a-(bc#)").observe(on: time)), "a-(bc#)")
    }

    @Test("R13: no event is delivered before the scheduler runs")
    func waitsForTheScheduler() {
        let recording = time.record(Observable.from(["a", "b"]).observe(on: time))
        #expect(recording.events.isEmpty)
        time.run()
        expectEqual(recording, "(ab|)")
    }

    @Test("R25: a cancel drops queued events")
    func cancelDropsTheQueue() {
        let recording = time.record(Observable.from(["a", "b"]).observe(on: time))
        recording.cancel()
        time.run()
        #expect(recording.events.isEmpty)
    }

    @Test("R25: events do not overlap and keep their order, also on a concurrent queue")
    func concurrentQueue() async throws {
        let values = Box<[Int]>([])
        let inside = Box(0)
        let overlaps = Box(0)
        let done = Promise<Void>()
        Observable<Int> { emitter in
            Thread.detachNewThread {
                for value in 0..<5000 { emitter.send(value) }
                emitter.complete()
            }
        }.observe(on: .queue(.global())).subscribe(
            onNext: { value in
                inside.change { $0 += 1 }
                if inside.value != 1 { overlaps.change { $0 += 1 } }
                values.change { $0.append(value) }
                inside.change { $0 -= 1 }
            }, onCompleted: { done.fulfill(()) })
        try await done.value()
        expectEqual(values.value, Array(0..<5000))
        expectEqual(overlaps.value, 0)
    }

    @Test("subscribe(onMain:) delivers values, error and completion on the main actor")
    func subscribeOnMain() async throws {
        let values = Box<[Int]>([])
        let completed = Promise<Void>()
        let failed = Promise<Void>()
        Thread.detachNewThread {
            _ = Observable.from([1, 2]).subscribe(
                onMain: { value in
                    values.change { $0.append(value) }
                },
                onCompleted: {
                    MainActor.assertIsolated()
                    completed.fulfill(())
                })
            _ = Observable<Int>.error(Failure()).subscribe(
                onMain: { _ in },
                onError: { _ in
                    MainActor.assertIsolated()
                    failed.fulfill(())
                })
        }
        try await completed.value()
        try await failed.value()
        expectEqual(values.value, [1, 2])
    }

    @MainActor
    @Test("subscribe(onMain:scheduler:) delivers on the virtual clock of a test, in its order, until a cancel")
    func subscribeOnMainInVirtualTime() {
        final class Model { var events: [String] = [] }
        let (time, model) = (VirtualTime(), Model())
        let source = time.cold("a-b|")
        _ = source.subscribe(
            onMain: { model.events.append($0) }, onCompleted: { model.events.append("completed") }, scheduler: time)
        _ = Observable<Int>.error(Failure()).subscribe(
            onMain: { _ in }, onError: { _ in model.events.append("failed") }, scheduler: time)
        let cancelled = source.subscribe(onMain: { model.events.append("cancelled \($0)") }, scheduler: time)
        cancelled.cancel()
        #expect(model.events.isEmpty)
        time.run()
        expectEqual(model.events, ["failed", "a", "b", "completed"])
    }

    @Test("R25: a producer that is faster than its observer does not block the queue, and the order is preserved")
    func givesWay() async throws {
        let queue = DispatchQueue(label: "moya.tests.fairness")
        let (signal, emitter) = Signal<Int>.pipe()
        let isOver = Box(false)
        let received = Box<[Int]>([])
        let clock = ContinuousClock()
        signal.observe(on: .queue(queue)).subscribeNext { value in
            received.change { $0.append(value) }
            // The observer takes 200 µs and sends three more values, so that the queue of values grows.
            guard !isOver.value else { return }
            let end = clock.now + .microseconds(200)
            while clock.now < end {}
            for next in 1...3 { emitter.send(value * 3 + next) }
        }
        emitter.send(0)
        let others = Box(0)
        let done = Promise<Void>()
        @Sendable func next() {
            queue.async {
                others.change { $0 += 1 }
                guard others.value == 20 else { return next() }
                isOver.value = true
                done.fulfill(())
            }
        }
        next()
        try await done.value(within: .seconds(60))
        // The queue may still deliver values, so the array is read once.
        let values = received.value
        expectEqual(values, Array(values.indices))
    }

    @Test("R25: in virtual time, all queued events are one piece of work, because no time passes during it")
    func virtualTimeKnowsNoSlices() {
        let time = VirtualTime()
        let (signal, emitter) = Signal<Int>.pipe()
        let log = Log()
        signal.observe(on: time).subscribeNext { value in
            if value.isMultiple(of: 500) { log.add("\(value)") }
        }
        for value in 0..<1000 { emitter.send(value) }
        time.schedule { log.add("other") }
        time.run()
        expectEqual(log.entries, ["0", "500", "other"])
    }
}
