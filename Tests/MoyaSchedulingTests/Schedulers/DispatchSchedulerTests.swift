import Dispatch
import Foundation
import MoyaScheduling
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct DispatchSchedulerTests {
    @Test("R24: work for the same instant runs first in, first out on a serial queue, and not before its time")
    func delaysInOrder() async throws {
        let scheduler = DispatchScheduler(queue: DispatchQueue(label: "test"))
        let ran = Box<[Int]>([])
        let done = Promise<Duration>()
        let start = scheduler.now
        for index in 0..<50 {
            scheduler.schedule(after: .milliseconds(30 - index % 3 * 10)) {
                ran.change { $0.append(index) }
                if ran.value.count == 50 { done.fulfill(scheduler.now - start) }
            }
        }
        #expect(try await done.value() >= .milliseconds(30))
        // Work with the same delay is due in the order of scheduling, also if this thread is slow.
        for delay in 0..<3 {
            let own = ran.value.filter { $0 % 3 == delay }
            expectEqual(own, own.sorted())
        }
        expectEqual(ran.value.count, 50)
    }

    @Test(
        "R24: cancelled work never runs, and is released immediately",
        arguments: [Duration.zero, .milliseconds(5), .seconds(3600)])
    func cancelled(_ delay: Duration) async throws {
        let queue = DispatchQueue(label: "test")
        queue.suspend()
        let scheduler = DispatchScheduler(queue: queue)
        let ran = Box(false)
        weak var held: Log?
        do {
            let log = Log()
            held = log
            let token = scheduler.schedule(after: delay) {
                log.add("ran")
                ran.value = true
            }
            token.cancel()
            #expect(token.isCancelled)
        }
        #expect(held == nil)
        let later = Promise<Void>()
        scheduler.schedule(after: .milliseconds(10)) { later.fulfill(()) }
        queue.resume()
        try await later.value()
        #expect(!ran.value)
    }

    @Test func aThousandCancelledDelaysDoNotHinderOne() async throws {
        let scheduler: any Scheduler = .background
        for number in 0..<5000 { scheduler.schedule(after: .seconds(10 + number)) {}.cancel() }
        let done = Promise<Void>()
        scheduler.schedule(after: .milliseconds(1)) { done.fulfill(()) }
        try await done.value()
    }

    @Test("a very long delay is clamped", arguments: [Duration.seconds(Int64.max), .seconds(-5), .nanoseconds(1)])
    func hostileDelays(_ delay: Duration) {
        DispatchScheduler.background.schedule(after: delay) {}.cancel()
    }

    @Test("a queue is a scheduler: its work runs on it, in order, and can be cancelled")
    func queues() async throws {
        let queue = DispatchQueue(label: "test")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let scheduler: any Scheduler = queue
        let ran = Log()
        let done = Promise<Bool>()
        queue.suspend()
        let token = scheduler.schedule { ran.add("cancelled") }
        scheduler.schedule { ran.add("first") }
        scheduler.schedule(after: .milliseconds(1)) { done.fulfill(DispatchQueue.getSpecific(key: key) == true) }
        token.cancel()
        queue.resume()
        #expect(try await done.value())
        expectEqual(ran.entries, ["first"])
        #expect(scheduler.now > .zero)
    }
}
