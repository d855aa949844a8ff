// swift-format-ignore-file
// Code as teams have it, in its own style.
// Tests in the style of RxTest, without XCTest. Every function is independent; runOperatorTests() runs all.
import RxMoyaCompatibilityTesting

struct OperatorTestFailure {
    let test: String
    let message: String
}

final class OperatorTestLog {
    nonisolated(unsafe) static var failures: [OperatorTestFailure] = []
    nonisolated(unsafe) static var checks = 0
}

func check<T: Equatable>(_ actual: T, _ expected: T, test: String = #function, line: UInt = #line) {
    OperatorTestLog.checks += 1
    if actual != expected {
        OperatorTestLog.failures.append(
            OperatorTestFailure(test: "\(test):\(line)", message: "got      \(actual)\nexpected \(expected)"))
    }
}

enum TestError: Error, Equatable {
    case boom
    case other
}

// MARK: RxTest itself

func testHotObservableMissesEventsBeforeAndAtSubscription() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([
        .next(150, 0), .next(200, 1), .next(210, 2), .completed(300), .next(310, 3),
    ])
    let res = scheduler.start { xs.map { $0 * 10 } }
    check(res.events, [.next(210, 20), .completed(300)])
    check(xs.subscriptions, [Subscription(200, 300)])
}

func testColdObservableIsRelativeToSubscription() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createColdObservable([.next(10, 1), .next(20, 2), .completed(30)])
    let res = scheduler.start { xs.asObservable() }
    check(res.events, [.next(210, 1), .next(220, 2), .completed(230)])
    check(xs.subscriptions, [Subscription(200, 230)])
}

func testStartWithOwnTimes() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(5, 1), .next(15, 2), .next(25, 3), .next(35, 4)])
    let res = scheduler.start(created: 1, subscribed: 10, disposed: 30) { xs.asObservable() }
    check(res.events, [.next(15, 2), .next(25, 3)])
    check(xs.subscriptions, [Subscription(10, 30)])
}

func testStartDisposedAtThousand() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(999, 1), .next(1000, 2), .next(1001, 3)])
    let res = scheduler.start { xs.asObservable() }
    check(res.events, [.next(999, 1), .next(1000, 2)])  // the hot source was scheduled before the disposal
    check(xs.subscriptions, [Subscription(200, 1000)])
}

func testScheduleAtAndCreateObserver() {
    let scheduler = TestScheduler(initialClock: 0)
    let observer = scheduler.createObserver(Int.self)
    let subject = PublishSubject<Int>()
    var subscription: Disposable?
    scheduler.scheduleAt(100) { subject.onNext(1) }
    scheduler.scheduleAt(150) { subscription = subject.subscribe(observer) }
    scheduler.scheduleAt(200) { subject.onNext(2) }
    scheduler.scheduleAt(250) { subject.onNext(3) }
    scheduler.scheduleAt(300) { subscription?.dispose() }
    scheduler.scheduleAt(350) { subject.onNext(4) }
    scheduler.start()
    check(observer.events, [.next(200, 2), .next(250, 3)])
    check(observer.events.map { $0.time }, [200, 250])
    check(observer.events.compactMap { $0.value.element }, [2, 3])
}

func testAdvanceToIsInclusive() {
    let scheduler = TestScheduler(initialClock: 0)
    var log: [Int] = []
    for t in [10, 20, 30] { scheduler.scheduleAt(t) { log.append(t) } }
    scheduler.advanceTo(20)
    check(log, [10, 20])
    check(scheduler.clock, 20)
    scheduler.advanceTo(25)
    check(log, [10, 20])
    check(scheduler.clock, 25)
    scheduler.start()
    check(log, [10, 20, 30])
    check(scheduler.clock, 30)
}

func testRecordedEventsHelper() {
    let a: [Recorded<Event<String>>] = Recorded.events(.next(1, "a"), .next(2, "b"), .error(3, TestError.boom))
    let b: [Recorded<Event<String>>] = [.next(1, "a"), .next(2, "b"), .error(3, TestError.boom)]
    check(a, b)
    check(a == [.next(1, "a"), .next(2, "b"), .completed(3)], false)
    check(Recorded.completed(5, Int.self) == Recorded<Event<Int>>(time: 5, value: .completed), true)
}

func testObserverRecordsSynchronousSource() {
    let scheduler = TestScheduler(initialClock: 0)
    let observer = scheduler.createObserver(String.self)
    _ = Observable.of("a", "b").subscribe(observer)
    check(observer.events, [.next(0, "a"), .next(0, "b"), .completed(0)])
}

// MARK: creation with a scheduler

func testJustWithScheduler() {
    let scheduler = TestScheduler(initialClock: 0)
    let res = scheduler.start { Observable.just(42, scheduler: scheduler) }
    check(res.events, [.next(201, 42), .completed(202)])
}

func testOfWithScheduler() {
    let scheduler = TestScheduler(initialClock: 0)
    let res = scheduler.start { Observable.of(3, 1, 2, 4, scheduler: scheduler) }
    check(res.events, [.next(201, 3), .next(202, 1), .next(203, 2), .next(204, 4), .completed(205)])
}

func testRangeWithScheduler() {
    let scheduler = TestScheduler(initialClock: 0)
    let res = scheduler.start { Observable.range(start: 10, count: 3, scheduler: scheduler) }
    check(res.events, [.next(201, 10), .next(202, 11), .next(203, 12), .completed(204)])
}

func testRepeatElementWithScheduler() {
    let scheduler = TestScheduler(initialClock: 0)
    let res = scheduler.start(disposed: 205) { Observable.repeatElement(7, scheduler: scheduler) }
    check(res.events, [.next(201, 7), .next(202, 7), .next(203, 7), .next(204, 7)])
}

func testGenerateWithScheduler() {
    let scheduler = TestScheduler(initialClock: 0)
    let res = scheduler.start {
        Observable.generate(initialState: 0, condition: { $0 <= 3 }, scheduler: scheduler, iterate: { $0 + 1 })
    }
    check(res.events, [.next(201, 0), .next(202, 1), .next(203, 2), .next(204, 3), .completed(205)])
}

func testTimerOneShot() {
    let scheduler = TestScheduler(initialClock: 0)
    let res = scheduler.start { Observable<Int>.timer(.seconds(300), scheduler: scheduler) }
    check(res.events, [.next(500, 0), .completed(500)])
}

func testTimerZero() {
    let scheduler = TestScheduler(initialClock: 0)
    let res = scheduler.start { Observable<Int>.timer(.seconds(0), scheduler: scheduler) }
    check(res.events, [.next(201, 0), .completed(201)])
}

func testTimerPeriodic() {
    let scheduler = TestScheduler(initialClock: 0)
    let res = scheduler.start(disposed: 500) {
        Observable<Int>.timer(.seconds(50), period: .seconds(100), scheduler: scheduler)
    }
    check(res.events, [.next(250, 0), .next(350, 1), .next(450, 2)])
}

func testInterval() {
    let scheduler = TestScheduler(initialClock: 0)
    let res = scheduler.start { Observable<Int>.interval(.seconds(100), scheduler: scheduler) }
    check(
        res.events,
        [
            .next(300, 0), .next(400, 1), .next(500, 2), .next(600, 3), .next(700, 4), .next(800, 5), .next(900, 6),
        ])
}

func testIntervalZero() {
    let scheduler = TestScheduler(initialClock: 0)
    let res = scheduler.start(disposed: 205) { Observable<Int>.interval(.seconds(0), scheduler: scheduler) }
    check(res.events, [.next(201, 0), .next(202, 1), .next(203, 2), .next(204, 3)])
}

// MARK: time

func testDebounceAllPass() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([
        .next(150, 1), .next(210, 2), .next(240, 3), .next(270, 4), .next(300, 5), .completed(400),
    ])
    let res = scheduler.start { xs.debounce(.seconds(20), scheduler: scheduler) }
    check(res.events, [.next(230, 2), .next(260, 3), .next(290, 4), .next(320, 5), .completed(400)])
    check(xs.subscriptions, [Subscription(200, 400)])
}

func testDebounceFlushesAtCompletion() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([
        .next(150, 1), .next(210, 2), .next(240, 3), .next(270, 4), .next(300, 5),
        .next(330, 6), .next(360, 7), .next(390, 8), .completed(400),
    ])
    let res = scheduler.start { xs.debounce(.seconds(40), scheduler: scheduler) }
    check(res.events, [.next(400, 8), .completed(400)])
}

func testDebounceDropsPendingAtError() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 2), .next(240, 3), .error(250, TestError.boom)])
    let res = scheduler.start { xs.debounce(.seconds(20), scheduler: scheduler) }
    check(res.events, [.next(230, 2), .error(250, TestError.boom)])
}

func testThrottleLatest() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([
        .next(210, 1), .next(220, 2), .next(250, 3), .next(320, 4), .completed(400),
    ])
    let res = scheduler.start { xs.throttle(.seconds(50), scheduler: scheduler) }
    check(res.events, [.next(210, 1), .next(260, 3), .next(320, 4), .completed(400)])
}

func testThrottleNotLatest() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([
        .next(210, 1), .next(220, 2), .next(250, 3), .next(320, 4), .next(330, 5), .completed(400),
    ])
    let res = scheduler.start { xs.throttle(.seconds(50), latest: false, scheduler: scheduler) }
    check(res.events, [.next(210, 1), .next(320, 4), .completed(400)])
}

func testThrottlePendingHoldsCompletion() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .completed(230)])
    let res = scheduler.start { xs.throttle(.seconds(50), scheduler: scheduler) }
    check(res.events, [.next(210, 1), .next(260, 2), .completed(260)])
}

func testDelay() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([
        .next(150, 1), .next(250, 2), .next(350, 3), .next(450, 4), .completed(550),
    ])
    let res = scheduler.start { xs.delay(.seconds(100), scheduler: scheduler) }
    check(res.events, [.next(350, 2), .next(450, 3), .next(550, 4), .completed(650)])
    check(xs.subscriptions, [Subscription(200, 550)])
}

func testDelayErrorIsImmediate() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(250, 2), .next(350, 3), .error(370, TestError.boom)])
    let res = scheduler.start { xs.delay(.seconds(50), scheduler: scheduler) }
    check(res.events, [.next(300, 2), .error(370, TestError.boom)])
}

func testDelaySubscription() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createColdObservable([.next(50, 42), .next(60, 43), .completed(70)])
    let res = scheduler.start { xs.delaySubscription(.seconds(30), scheduler: scheduler) }
    check(res.events, [.next(280, 42), .next(290, 43), .completed(300)])
    check(xs.subscriptions, [Subscription(230, 300)])
}

func testTimeoutErrors() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 1), .next(250, 2), .next(400, 3), .completed(410)])
    let res = scheduler.start { xs.timeout(.seconds(100), scheduler: scheduler) }
    check(res.events, [.next(210, 1), .next(250, 2), .error(350, RxError.timeout)])
    check(xs.subscriptions, [Subscription(200, 350)])
}

func testTimeoutOther() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 1), .next(400, 2)])
    let ys = scheduler.createColdObservable([.next(10, 100), .completed(20)])
    let res = scheduler.start { xs.timeout(.seconds(50), other: ys, scheduler: scheduler) }
    check(res.events, [.next(210, 1), .next(270, 100), .completed(280)])
    check(xs.subscriptions, [Subscription(200, 260)])
    check(ys.subscriptions, [Subscription(260, 280)])
}

func testBufferWithTimeOrCount() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([
        .next(205, 1), .next(210, 2), .next(240, 3), .next(280, 4), .next(320, 5),
        .next(350, 6), .next(370, 7), .next(420, 8), .next(470, 9), .completed(600),
    ])
    let res = scheduler.start { xs.buffer(timeSpan: .seconds(70), count: 3, scheduler: scheduler) }
    check(
        res.events,
        [
            .next(240, [1, 2, 3]), .next(310, [4]), .next(370, [5, 6, 7]), .next(440, [8]),
            .next(510, [9]), .next(580, []), .next(600, []), .completed(600),
        ])
    check(xs.subscriptions, [Subscription(200, 600)])
}

func testWindowWithTimeOrCount() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([
        .next(205, 1), .next(210, 2), .next(240, 3), .next(280, 4), .next(320, 5),
        .next(350, 6), .next(370, 7), .next(420, 8), .next(470, 9), .completed(600),
    ])
    let res = scheduler.start {
        xs.window(timeSpan: .seconds(70), count: 3, scheduler: scheduler)
            .enumerated()
            .map { index, window in window.map { "\(index) \($0)" } }
            .merge()
    }
    check(
        res.events,
        [
            .next(205, "0 1"), .next(210, "0 2"), .next(240, "0 3"), .next(280, "1 4"), .next(320, "2 5"),
            .next(350, "2 6"), .next(370, "2 7"), .next(420, "3 8"), .next(470, "4 9"), .completed(600),
        ])
}

func testTakeFor() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 1), .next(240, 2), .next(260, 3), .completed(300)])
    let res = scheduler.start { xs.take(for: .seconds(50), scheduler: scheduler) }
    check(res.events, [.next(210, 1), .next(240, 2), .completed(250)])
    check(xs.subscriptions, [Subscription(200, 250)])
}

func testSkipDuration() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 1), .next(240, 2), .next(260, 3), .completed(300)])
    let res = scheduler.start { xs.skip(.seconds(50), scheduler: scheduler) }
    check(res.events, [.next(260, 3), .completed(300)])
}

func testSample() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([
        .next(150, 1), .next(220, 2), .next(240, 3), .next(290, 4), .next(300, 5), .next(310, 6), .completed(400),
    ])
    let ys = scheduler.createHotObservable([
        .next(150, ""), .next(210, "bar"), .next(250, "foo"), .next(260, "qux"), .next(320, "baz"), .completed(500),
    ])
    let res = scheduler.start { xs.sample(ys) }
    check(res.events, [.next(250, 3), .next(320, 6), .completed(500)])
    check(xs.subscriptions, [Subscription(200, 400)])
    check(ys.subscriptions, [Subscription(200, 500)])
}

// MARK: filtering
