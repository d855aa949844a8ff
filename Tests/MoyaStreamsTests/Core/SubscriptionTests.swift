import Dispatch
import Foundation
import Moya
import TestSupport
import Testing

@testable import MoyaStreams

@Suite(.queued, .timeLimit(.minutes(10))) struct SubscriptionTests {
    @Test("R21, R23: a bag that is released cancels in the order of insertion")
    func bagCancelsInOrder() {
        let log = Log()
        do {
            let bag = SubscriptionBag()
            for index in 0..<3 {
                Observable<Int> { $0.onTermination { log.add("\(index)") } }.subscribeNext { _ in }.store(in: bag)
            }
            #expect(log.entries.isEmpty)
        }
        expectEqual(log.entries, ["0", "1", "2"])
    }

    @Test("R23: a cancelled bag cancels inserted subscriptions immediately")
    func cancelledBagCancelsAtOnce() {
        let bag = SubscriptionBag()
        bag.cancel()
        let subscription = Observable<Int>.never().subscribeNext { _ in }
        subscription.store(in: bag)
        #expect(subscription.isCancelled)
    }

    @Test("R22: a bag does not retain subscriptions that have ended")
    func bagForgetsTheFinished() {
        let bag = SubscriptionBag()
        weak var held: Lifetime?
        do {
            let kept = Box<Emitter<Int>?>(nil)
            let subscription = Observable<Int> { kept.value = $0 }.subscribeNext { _ in }
            held = subscription.lifetime
            subscription.store(in: bag)
            kept.value?.complete()
        }
        #expect(held == nil)
        #expect(!bag.isCancelled)
    }

    @Test("R12: a cancel does not wait for a callback on another thread")
    func cancelDoesNotWait() async throws {
        let kept = Box<Emitter<Int>?>(nil)
        let isInside = Promise<Void>()
        let mayLeave = DispatchSemaphore(value: 0)
        let seen = Box<[Int]>([])
        let hasLeft = Promise<Void>()
        let subscription = Observable<Int> { kept.value = $0 }.subscribeNext { value in
            seen.change { $0.append(value) }
            isInside.fulfill(())
            mayLeave.wait()
            hasLeft.fulfill(())
        }
        Thread.detachNewThread { kept.value?.send(1) }
        try await isInside.value()
        kept.value?.send(2)
        subscription.cancel()
        #expect(!hasLeft.isFulfilled)
        mayLeave.signal()
        try await hasLeft.value()
        #expect(kept.value?.send(3) == false)
        expectEqual(seen.value, [1])
    }

    @Test("R5: a second cancel, and a cancel after the end, do nothing")
    func cancelIsIdempotent() {
        let ended = Observable.just(1).subscribeNext { _ in }
        ended.cancel()
        #expect(!ended.isCancelled)
        let running = Observable<Int>.never().subscribeNext { _ in }
        running.cancel()
        running.cancel()
        #expect(running.isCancelled)
    }
}

/// The handler is global: the tests run one at a time, and each reads only its own reports.
@Suite(.serialized, .queued, .timeLimit(.minutes(10))) struct UnhandledErrorTests {
    private func reports(_ body: () -> Void) -> [UnhandledError] {
        let reports = Box<[UnhandledError]>([])
        UnhandledError.setHandler { report in reports.change { $0.append(report) } }
        body()
        UnhandledError.setHandler(nil)
        return reports.value.filter { $0.error is Failure }
    }

    @Test("R19: an error without a closure for it is reported with the source location of the subscription")
    func unhandledErrorsAreReported() {
        let line: UInt = #line + 2
        let reports = reports {
            Observable<Int>.error(Failure(id: 19)).map { $0 + 1 }.take(1).subscribeNext { _ in }
        }.filter { $0.error as? Failure == Failure(id: 19) }
        expectEqual(reports.map(\.line), [line])
        expectEqual(reports.first?.fileID, "MoyaStreamsTests/SubscriptionTests.swift")
        let description = reports.first?.description
        #expect(description?.hasSuffix("unhandled stream error: Failure(id: 19)") == true)
    }

    @Test("R19: an error with a closure for it is not reported")
    func handledErrorsAreNot() {
        let reports = reports {
            Observable<Int>.error(Failure(id: 20)).subscribeError { _ in }
            Observable<Int>.error(Failure(id: 20)).subscribe { _ in }
        }.filter { $0.error as? Failure == Failure(id: 20) }
        #expect(reports.isEmpty)
    }
}
