import MoyaTesting
import RxMoyaCompatibility
import TestSupport
import Testing

/// The sequences with a known number of values, where a difference from RxSwift would be silent.
@Suite(.queued, .timeLimit(.minutes(10))) struct SequenceTests {
    private let time = VirtualTime()

    @Test(
        "asMaybe() sends the only value at the end, completes without one, and fails with a second one",
        arguments: [("-a-|", "---(a|)"), ("--|", "--|"), ("-a-b-c|", "---#"), ("-a-#", "---#"), ("-#", "-#")])
    func asMaybe(_ source: String, _ expected: String) {
        #expect(time.play(time.cold(source).asMaybe()).marbles == expected)
    }

    @Test("asMaybe() of a stream with two values fails with moreThanOneElement")
    func asMaybeError() async {
        await #expect(throws: RxError.moreThanOneElement) {
            try await Observable.of(1, 2).asMaybe().asObservable().first()
        }
    }

    @Test("timeout(_:scheduler:) of a sequence fails with RxError.timeout, as that of a stream does")
    func timeouts() {
        let pause = Duration.milliseconds(1)
        let errors = [
            time.play(time.cold("---").observable.asSingle().timeout(pause, scheduler: time)).error,
            time.play(time.cold("---").asMaybe().timeout(pause, scheduler: time)).error,
            time.play(time.cold("---").observable.timeout(pause, scheduler: time)).error,
        ]
        #expect(errors.allSatisfy { $0 as? RxError == .timeout })
    }

    @Test("a collection of Singles is combined in its order; an empty one has an empty array")
    func zipsCollections() async throws {
        let singles = [3, 1, 2].map { Single.just($0) }
        #expect(try await Single.zip(singles).asObservable().value() == [3, 1, 2])
        let sum = Single.zip(singles) { values in values.reduce(0, +) }
        #expect(try await sum.asObservable().value() == 6)
        #expect(try await Single<Int>.zip([]).asObservable().value() == [])
        await #expect(throws: Failure(id: 1)) {
            try await Single.zip(singles + [.error(Failure(id: 1))]).asObservable().value()
        }
    }

    @Test("do(…) of a Maybe or a Completable keeps its type")
    func sideEffects() {
        let log = Log()
        let maybe: Maybe<Int> = Maybe.just(1).do(onNext: { log.add("next \($0)") }, onDispose: { log.add("end") })
        maybe.filter { $0 > 1 }.subscribe { event in
            switch event {
            case .success(let value): log.add("success \(value)")
            case .error: log.add("error")
            case .completed: log.add("completed")
            }
        }
        let completable = Completable.empty().do(onCompleted: { log.add("do completed") })
        completable.andThen(Single.just(2)).subscribe(onSuccess: { log.add("then \($0)") })
        #expect(log.entries == ["next 1", "completed", "end", "do completed", "then 2"])
    }

    @Test("the closure of a Maybe or a Completable receives one event")
    func oneEvent() {
        let log = Log()
        Maybe.just(1).subscribe { log.add("\($0)") }
        Maybe<Int>.empty().ifEmpty(switchTo: Maybe.just(2)).subscribe { log.add("\($0)") }
        Completable.empty().subscribe { log.add("\($0)") }
        Completable.error(Failure(id: 3)).subscribe { event in if case .error = event { log.add("failed") } }
        #expect(log.entries == ["success(1)", "success(2)", "completed", "failed"])
    }

    @Test("onDisposed is called once, after the event or on a cancel")
    func onDisposed() {
        let log = Log()
        Maybe.just(1).subscribe(onSuccess: { log.add("\($0)") }, onDisposed: { log.add("disposed") })
        Completable.empty().subscribe(onCompleted: { log.add("completed") }, onDisposed: { log.add("disposed") })
        let subscription = Completable.never().subscribe(onDisposed: { log.add("cancelled") })
        subscription.dispose()
        subscription.dispose()
        #expect(log.entries == ["1", "disposed", "completed", "disposed", "cancelled"])
    }

    @Test("the value of a sequence is awaited as a property")
    func awaitedValues() async throws {
        #expect(try await Single.just(1).value == 1)
        #expect(try await Maybe.just(2).value == 2)
        #expect(try await Maybe<Int>.empty().value == nil)
        try await Completable.empty().value
        await #expect(throws: Failure(id: 3)) { try await Completable.error(Failure(id: 3)).value }
        await #expect(throws: Failure(id: 4)) { try await Single<Int>.error(Failure(id: 4)).value }
    }

    @Test("using(_:observableFactory:) disposes of its resource, also if the factory throws")
    func disposesResources() async {
        for fails in [false, true] {
            let resource = SerialDisposable()
            let stream = Observable<Int>.using(
                { resource },
                observableFactory: { _ in
                    if fails { throw Failure(id: 1) }
                    return .just(1)
                })
            _ = try? await stream.first()
            #expect(resource.isDisposed)
        }
    }

    @Test("work that runs immediately keeps what it has started, and periodic work continues")
    func startedAtOnce() {
        let started = SerialDisposable()
        let immediate: any Scheduler = .immediate
        let token = immediate.schedule(1) { _ in started }
        #expect(!started.isDisposed)
        token.dispose()
        #expect(started.isDisposed)
        let ticks = Box(0)
        let time = VirtualTime()
        let periodic = time.schedulePeriodic(0, startAfter: .zero, period: .seconds(1)) { number in
            ticks.value = number + 1
            return number + 1
        }
        time.advance(by: .seconds(3))
        #expect(ticks.value == 4)
        periodic.dispose()
        time.advance(by: .seconds(3))
        #expect(ticks.value == 4)
    }

    @Test("do(…) stops a sequence without end when its observer has enough")
    func stopsSequences() {
        let log = Log()
        Observable.from(1...).do(
            onNext: { log.add("\($0)") }, onCompleted: { log.add("completed") }, onDispose: { log.add("disposed") }
        ).take(2).subscribe(onNext: { log.add("got \($0)") }, onCompleted: { log.add("end") })
        #expect(log.entries == ["1", "got 1", "2", "got 2", "end", "disposed"])
    }
}
