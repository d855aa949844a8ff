import Dispatch
import Foundation
import Moya
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite struct ObserveOnTests {
    let time = VirtualTime()

    @Test("R25: the end keeps its place behind the values")
    func keepsTheOrder() {
        #expect(time.play(time.cold("a-(bc|)").observe(on: time)) == "a-(bc|)")
        #expect(time.play(time.cold("a-(bc#)").observe(on: time)) == "a-(bc#)")
    }

    @Test("R13: nothing is delivered before the scheduler's turn")
    func waitsForTheScheduler() {
        let recording = time.record(Observable.from(["a", "b"]).observe(on: time))
        #expect(recording.events.isEmpty)
        time.run()
        #expect(recording == "(ab|)")
    }

    @Test("R25: a cancel drops what is queued")
    func cancelDropsTheQueue() {
        let recording = time.record(Observable.from(["a", "b"]).observe(on: time))
        recording.cancel()
        time.run()
        #expect(recording.events.isEmpty)
    }

    @Test("R25: events do not overlap and stay in order, on a concurrent queue, too")
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
            }, onCompleted: { done.fulfil(()) })
        try await done.value()
        #expect(values.value == Array(0..<5000))
        #expect(overlaps.value == 0)
    }

    @Test("subscribeOnMain delivers values, error and completion on the main actor")
    func subscribeOnMain() async throws {
        let values = Box<[Int]>([])
        let completed = Promise<Void>()
        let failed = Promise<Void>()
        Thread.detachNewThread {
            Observable.from([1, 2]).subscribeOnMain { value in
                values.change { $0.append(value) }
            } onCompleted: {
                MainActor.assertIsolated()
                completed.fulfil(())
            }
            Observable<Int>.error(Failure()).subscribeOnMain { _ in
            } onError: { _ in
                MainActor.assertIsolated()
                failed.fulfil(())
            }
        }
        try await completed.value()
        try await failed.value()
        #expect(values.value == [1, 2])
    }
}
