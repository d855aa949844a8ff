import RxMoyaCompatibilityTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct TestSchedulerTests {
    @Test("the initial clock and the resolution count for hot and cold streams", arguments: [0.5, 1, 60])
    func resolution(_ seconds: Double) {
        let scheduler = TestScheduler(initialClock: 1000, resolution: seconds)
        let hot = scheduler.createHotObservable([.next(1150, 1), .next(1210, 2), .completed(1300)])
        let cold = scheduler.createColdObservable([.next(10, 3), .completed(20)])
        let result = scheduler.start(created: 1100, subscribed: 1200, disposed: 2000) {
            Observable.merge(hot.asObservable(), cold.asObservable())
        }
        #expect(result.events == [.next(1210, 2), .next(1210, 3), .completed(1300)])
        #expect(hot.subscriptions == [.init(1200, 1300)])
        #expect(cold.subscriptions == [.init(1200, 1220)])
    }

    @Test("without a simulated processing delay, immediate work runs in the same tick")
    func processingDelay() {
        for (simulates, tick) in [(true, 201), (false, 200)] as [(Bool, TestTime)] {
            let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: simulates)
            let result = scheduler.start { Observable.just(7, scheduler: scheduler) }
            #expect(result.events.first == .next(tick, 7))
        }
    }

    @Test("an observer that is released, and a stream without subscribers, leave nothing")
    func leftovers() {
        let scheduler = TestScheduler(initialClock: 0)
        weak var hot: TestableObservable<Int>?
        do {
            let stream = scheduler.createHotObservable([.next(210, 1)])
            hot = stream
        }
        scheduler.start()
        #expect(hot == nil)
        #expect(scheduler.time.leftovers.isEmpty)
    }
}
