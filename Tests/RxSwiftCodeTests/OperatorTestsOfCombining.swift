// swift-format-ignore-file
// Code as teams have it, in its own style.
import RxMoyaCompatibilityTesting

func testTakeCount() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .next(230, 3), .completed(300)])
    let res = scheduler.start { xs.take(2) }
    check(res.events, [.next(210, 1), .next(220, 2), .completed(220)])
    check(xs.subscriptions, [Subscription(200, 220)])
}

func testTakeZeroDoesNotSubscribe() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 1), .completed(300)])
    let res = scheduler.start { xs.take(0) }
    check(res.events, [.completed(200)])
    check(xs.subscriptions, [])
}

func testTakeUntil() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 2), .next(220, 3), .next(230, 4), .completed(250)])
    let ys = scheduler.createHotObservable([.next(225, 99), .completed(235)])
    let res = scheduler.start { xs.take(until: ys) }
    check(res.events, [.next(210, 2), .next(220, 3), .completed(225)])
    check(xs.subscriptions, [Subscription(200, 225)])
    check(ys.subscriptions, [Subscription(200, 225)])
}

func testSkipUntil() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([
        .next(210, 2), .next(220, 3), .next(230, 4), .next(240, 5), .completed(250),
    ])
    let ys = scheduler.createHotObservable([.next(225, 99), .completed(230)])
    let res = scheduler.start { xs.skip(until: ys) }
    check(res.events, [.next(230, 4), .next(240, 5), .completed(250)])
    check(xs.subscriptions, [Subscription(200, 250)])
    check(ys.subscriptions, [Subscription(200, 225)])
}

func testSkipUntilOtherCompletesWithoutElement() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 2), .next(220, 3), .completed(250)])
    let ys = scheduler.createHotObservable([.completed(215)] as [Recorded<Event<Int>>])
    let res = scheduler.start { xs.skip(until: ys) }
    check(res.events, [])  // never opened: elements and completion are both held back
}

func testTakeWhileExclusiveAndInclusive() {
    for (behavior, expected) in [
        (TakeBehavior.exclusive, [Recorded<Event<Int>>.next(210, 1), .next(220, 2), .completed(230)]),
        (TakeBehavior.inclusive, [Recorded<Event<Int>>.next(210, 1), .next(220, 2), .next(230, 3), .completed(230)]),
    ] {
        let scheduler = TestScheduler(initialClock: 0)
        let xs = scheduler.createHotObservable([
            .next(210, 1), .next(220, 2), .next(230, 3), .next(240, 1), .completed(300),
        ])
        let res = scheduler.start { xs.take(while: { $0 < 3 }, behavior: behavior) }
        check(res.events, expected)
        check(xs.subscriptions, [Subscription(200, 230)])
    }
}

func testElementAt() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .next(230, 3), .completed(300)])
    let res = scheduler.start { xs.element(at: 1) }
    check(res.events, [.next(220, 2), .completed(220)])
}

func testElementAtOutOfRange() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 1), .completed(300)])
    let res = scheduler.start { xs.element(at: 3) }
    check(res.events, [.error(300, RxError.argumentOutOfRange)])
}

func testDistinctUntilChangedAndTakeLast() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([
        .next(210, 1), .next(220, 1), .next(230, 2), .next(240, 1), .completed(300),
    ])
    let res = scheduler.start { xs.distinctUntilChanged().takeLast(2) }
    check(res.events, [.next(300, 2), .next(300, 1), .completed(300)])
}

func testSingleMoreThanOne() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .completed(300)])
    let res = scheduler.start { xs.single() }
    check(res.events, [.next(210, 1), .error(220, RxError.moreThanOneElement)])
}

// MARK: combining

func testMerge() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 1), .next(230, 3), .completed(240)])
    let ys = scheduler.createHotObservable([.next(220, 2), .next(250, 4), .completed(260)])
    let res = scheduler.start { Observable.merge(xs.asObservable(), ys.asObservable()) }
    check(res.events, [.next(210, 1), .next(220, 2), .next(230, 3), .next(250, 4), .completed(260)])
    check(xs.subscriptions, [Subscription(200, 240)])
    check(ys.subscriptions, [Subscription(200, 260)])
}

func testConcat() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createColdObservable([.next(10, 1), .completed(25)])
    let ys = scheduler.createColdObservable([.next(10, 2), .completed(25)])
    let res = scheduler.start { xs.concat(ys) }
    check(res.events, [.next(210, 1), .next(235, 2), .completed(250)])
    check(xs.subscriptions, [Subscription(200, 225)])
    check(ys.subscriptions, [Subscription(225, 250)])
}

func testCombineLatest() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 1), .next(230, 2), .completed(240)])
    let ys = scheduler.createHotObservable([.next(220, 10), .next(250, 20), .completed(260)])
    let res = scheduler.start { Observable.combineLatest(xs, ys) { $0 + $1 } }
    check(res.events, [.next(220, 11), .next(230, 12), .next(250, 22), .completed(260)])
}

func testZipCompletesWithAllSources() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .completed(230)])
    let ys = scheduler.createHotObservable([.next(215, 10), .next(240, 20), .next(260, 30), .completed(300)])
    let res = scheduler.start { Observable.zip(xs, ys) { $0 + $1 } }
    check(res.events, [.next(215, 11), .next(240, 22), .completed(300)])
}

func testWithLatestFrom() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 1), .next(230, 2), .next(260, 3), .completed(300)])
    let ys = scheduler.createHotObservable([.next(220, 10), .next(250, 20), .completed(255)])
    let res = scheduler.start { xs.withLatestFrom(ys) { $0 + $1 } }
    check(res.events, [.next(230, 12), .next(260, 23), .completed(300)])
}

func testAmb() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(220, 1), .completed(300)])
    let ys = scheduler.createHotObservable([.next(210, 2), .completed(240)])
    let res = scheduler.start { xs.amb(ys) }
    check(res.events, [.next(210, 2), .completed(240)])
    check(xs.subscriptions, [Subscription(200, 210)])
    check(ys.subscriptions, [Subscription(200, 240)])
}

func testFlatMapLatest() {
    let scheduler = TestScheduler(initialClock: 0)
    let a = scheduler.createColdObservable([.next(10, "a1"), .next(30, "a2"), .completed(50)])
    let b = scheduler.createColdObservable([.next(10, "b1"), .completed(20)])
    let xs = scheduler.createHotObservable([.next(210, 0), .next(230, 1), .completed(240)])
    let res = scheduler.start { xs.flatMapLatest { $0 == 0 ? a : b } }
    check(res.events, [.next(220, "a1"), .next(240, "b1"), .completed(250)])
    check(a.subscriptions, [Subscription(210, 230)])
    check(b.subscriptions, [Subscription(230, 250)])
}

func testFlatMapFirstAndConcatMap() {
    let scheduler = TestScheduler(initialClock: 0)
    let inner = scheduler.createColdObservable([.next(10, 1), .completed(25)])
    let xs = scheduler.createHotObservable([.next(210, 0), .next(220, 0), .next(260, 0), .completed(270)])
    let res = scheduler.start { xs.flatMapFirst { _ in inner } }
    check(res.events, [.next(220, 1), .next(270, 1), .completed(285)])
    check(inner.subscriptions, [Subscription(210, 235), Subscription(260, 285)])

    let scheduler2 = TestScheduler(initialClock: 0)
    let inner2 = scheduler2.createColdObservable([.next(10, 1), .completed(25)])
    let ys = scheduler2.createHotObservable([.next(210, 0), .next(220, 0), .completed(230)])
    let res2 = scheduler2.start { ys.concatMap { _ in inner2 } }
    check(res2.events, [.next(220, 1), .next(245, 1), .completed(260)])
    check(inner2.subscriptions, [Subscription(210, 235), Subscription(235, 260)])
}

func testGroupByKeys() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([
        .next(210, 1), .next(220, 2), .next(230, 3), .next(240, 6), .completed(300),
    ])
    let res = scheduler.start { xs.groupBy { $0 % 3 }.map { $0.key } }
    check(res.events, [.next(210, 1), .next(220, 2), .next(230, 0), .completed(300)])
}

// MARK: errors

func testRetryForever() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createColdObservable([.next(100, 1), .next(150, 2), .next(200, 3), .error(250, TestError.boom)])
    let res = scheduler.start(disposed: 1100) { xs.retry() }
    check(
        res.events,
        [
            .next(300, 1), .next(350, 2), .next(400, 3), .next(550, 1), .next(600, 2), .next(650, 3),
            .next(800, 1), .next(850, 2), .next(900, 3), .next(1050, 1),
        ])
    check(
        xs.subscriptions,
        [Subscription(200, 450), Subscription(450, 700), Subscription(700, 950), Subscription(950, 1100)])
}

func testRetryCount() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createColdObservable([.next(5, 1), .next(10, 2), .error(20, TestError.boom)])
    let res = scheduler.start { xs.retry(3) }
    check(
        res.events,
        [
            .next(205, 1), .next(210, 2), .next(225, 1), .next(230, 2), .next(245, 1), .next(250, 2),
            .error(260, TestError.boom),
        ])
    check(xs.subscriptions, [Subscription(200, 220), Subscription(220, 240), Subscription(240, 260)])
}

func testRetryWhenWithTimer() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createColdObservable([.next(10, 1), .error(20, TestError.boom)])
    let res = scheduler.start(disposed: 300) {
        xs.retry(when: { (errors: Observable<Error>) in
            errors.flatMap { _ in Observable<Int>.timer(.seconds(10), scheduler: scheduler) }
        })
    }
    check(res.events, [.next(210, 1), .next(240, 1), .next(270, 1)])
    check(
        xs.subscriptions,
        [Subscription(200, 220), Subscription(230, 250), Subscription(260, 280), Subscription(290, 300)])
}

func testCatch() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 1), .error(230, TestError.boom)])
    let ys = scheduler.createColdObservable([.next(10, 2), .completed(20)])
    let res = scheduler.start { xs.catch { _ in ys.asObservable() } }
    check(res.events, [.next(210, 1), .next(240, 2), .completed(250)])
    check(xs.subscriptions, [Subscription(200, 230)])
    check(ys.subscriptions, [Subscription(230, 250)])
}

func testMaterialize() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 1), .error(230, TestError.boom)])
    let res = scheduler.start { xs.materialize().map { "\($0)" } }
    check(res.events, [.next(210, "next(1)"), .next(230, "error(boom)"), .completed(230)])
}

// MARK: scheduling and sharing

func testObserveOn() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .completed(230)])
    let res = scheduler.start { xs.observe(on: scheduler) }
    check(res.events, [.next(211, 1), .next(221, 2), .completed(231)])
    check(xs.subscriptions, [Subscription(200, 231)])
}

func testSubscribeOn() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(150, 1), .next(210, 2), .completed(250)])
    let res = scheduler.start { xs.subscribe(on: scheduler) }
    check(res.events, [.next(210, 2), .completed(250)])
    check(xs.subscriptions, [Subscription(201, 251)])
}

func testShareReplayWhileConnected() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([
        .next(210, 1), .next(230, 2), .next(250, 3), .next(290, 4), .completed(400),
    ])
    let shared = xs.share(replay: 1, scope: .whileConnected)
    let o1 = scheduler.createObserver(Int.self), o2 = scheduler.createObserver(Int.self),
        o3 = scheduler.createObserver(Int.self)
    var d1: Disposable?, d2: Disposable?
    scheduler.scheduleAt(200) { d1 = shared.subscribe(o1) }
    scheduler.scheduleAt(240) { d2 = shared.subscribe(o2) }
    scheduler.scheduleAt(260) {
        d1?.dispose(); d2?.dispose()
    }
    var d3: Disposable?
    scheduler.scheduleAt(280) { d3 = shared.subscribe(o3) }
    scheduler.scheduleAt(350) { d3?.dispose() }
    scheduler.start()
    check(o1.events, [.next(210, 1), .next(230, 2), .next(250, 3)])
    check(o2.events, [.next(240, 2), .next(250, 3)])
    check(o3.events, [.next(290, 4)])
    check(xs.subscriptions, [Subscription(200, 260), Subscription(280, 350)])
}

func testPublishConnect() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([
        .next(210, 1), .next(250, 2), .next(300, 3), .next(350, 4), .completed(400),
    ])
    let published = xs.publish()
    let observer = scheduler.createObserver(Int.self)
    var connection: Disposable?
    scheduler.scheduleAt(200) { _ = published.subscribe(observer) }
    scheduler.scheduleAt(240) { connection = published.connect() }
    scheduler.scheduleAt(320) { connection?.dispose() }
    scheduler.start()
    check(observer.events, [.next(250, 2), .next(300, 3)])
    check(xs.subscriptions, [Subscription(240, 320)])
}

func testToArrayAndReduce() {
    let scheduler = TestScheduler(initialClock: 0)
    let xs = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .completed(300)])
    let res = scheduler.start { xs.toArray().asObservable() }
    check(res.events, [.next(300, [1, 2]), .completed(300)])

    let scheduler2 = TestScheduler(initialClock: 0)
    let ys = scheduler2.createHotObservable([.next(210, 1), .next(220, 2), .completed(300)])
    let res2 = scheduler2.start { ys.reduce(10, accumulator: +) }
    check(res2.events, [.next(300, 13), .completed(300)])
}

func runOperatorTests() -> [OperatorTestFailure] {
    OperatorTestLog.failures = []
    testHotObservableMissesEventsBeforeAndAtSubscription(); testColdObservableIsRelativeToSubscription()
    testStartWithOwnTimes(); testStartDisposedAtThousand(); testScheduleAtAndCreateObserver()
    testAdvanceToIsInclusive(); testRecordedEventsHelper(); testObserverRecordsSynchronousSource()
    testJustWithScheduler(); testOfWithScheduler(); testRangeWithScheduler(); testRepeatElementWithScheduler()
    testGenerateWithScheduler(); testTimerOneShot(); testTimerZero(); testTimerPeriodic(); testInterval();
    testIntervalZero()
    testDebounceAllPass(); testDebounceFlushesAtCompletion(); testDebounceDropsPendingAtError()
    testThrottleLatest(); testThrottleNotLatest(); testThrottlePendingHoldsCompletion()
    testDelay(); testDelayErrorIsImmediate(); testDelaySubscription(); testTimeoutErrors(); testTimeoutOther()
    testBufferWithTimeOrCount(); testWindowWithTimeOrCount(); testTakeFor(); testSkipDuration(); testSample()
    testTakeCount(); testTakeZeroDoesNotSubscribe(); testTakeUntil(); testSkipUntil()
    testSkipUntilOtherCompletesWithoutElement(); testTakeWhileExclusiveAndInclusive()
    testElementAt(); testElementAtOutOfRange(); testDistinctUntilChangedAndTakeLast(); testSingleMoreThanOne()
    testMerge(); testConcat(); testCombineLatest(); testZipCompletesWithAllSources(); testWithLatestFrom();
    testAmb()
    testFlatMapLatest(); testFlatMapFirstAndConcatMap(); testGroupByKeys()
    testRetryForever(); testRetryCount(); testRetryWhenWithTimer(); testCatch(); testMaterialize()
    testObserveOn(); testSubscribeOn(); testShareReplayWhileConnected(); testPublishConnect(); testToArrayAndReduce()
    return OperatorTestLog.failures
}
