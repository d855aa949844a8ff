import MoyaTesting
import RxMoyaCompatibility
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct RxOperatorTests {
    /// A stream that fails, and counts its subscriptions.
    private func failing(_ log: Log) -> Observable<Int> {
        Observable.create { observer in
            log.add("attempt")
            observer.onError(Failure())
            return Disposables.create()
        }
    }

    @Test("retry(_:) counts all attempts, as in RxSwift", arguments: [(0, 0), (1, 1), (3, 3)])
    func attempts(_ count: Int, _ expected: Int) {
        let log = Log()
        failing(log).retry(count).subscribe { _ in }
        #expect(log.entries.count == expected)
    }

    @Test("a Single counts its attempts in the same way")
    func attemptsOfSingle() {
        let log = Log()
        failing(log).asSingle().retry(2).subscribe { _ in }
        #expect(log.entries.count == 2)
    }

    @Test("retryWhen makes one stream of all errors, and an error of its stream fails the sequence")
    func retryWhen() {
        let log = Log()
        failing(log).retryWhen { errors in
            errors.enumerated().flatMap { index, error -> Observable<Void> in
                index < 2 ? .just(()) : .error(Failure(id: 7))
            }
        }.subscribe { event in
            if case .error(let error) = event { log.add("\(error)") }
        }
        #expect(log.entries == ["attempt", "attempt", "attempt", "\(Failure(id: 7))"])
    }

    @Test("when the stream of retryWhen completes, so does the sequence")
    func retryWhenCompletes() {
        let log = Log()
        failing(log).retry(when: { $0.take(1) }).subscribe { event in
            if case .completed = event { log.add("completed") }
        }
        #expect(log.entries == ["attempt", "attempt", "completed"])
    }

    @Test("a token that create returns is cancelled at the end, once, and on a cancel")
    func createTokens() {
        let log = Log()
        let stream = Observable<Int>.create { observer in
            observer.onNext(1)
            return Disposables.create { log.add("disposed") }
        }
        stream.take(1).subscribe { _ in }
        #expect(log.entries == ["disposed"])
        let subscription = stream.subscribe { _ in }
        #expect(log.entries == ["disposed"])
        subscription.dispose()
        subscription.dispose()
        #expect(log.entries == ["disposed", "disposed"])
    }

    @Test("a bag cancels subscriptions and other tokens when it is released")
    func bags() {
        let log = Log()
        var bag: DisposeBag? = DisposeBag()
        if let bag {
            Observable<Int>.never().do(onDispose: { log.add("stream") }).subscribe { _ in }.disposed(by: bag)
            Disposables.create { log.add("token") }.disposed(by: bag)
        }
        #expect(log.entries.isEmpty)
        bag = nil
        #expect(log.entries == ["stream", "token"])
    }

    @Test("a Single is created, mapped, filtered and combined")
    func singles() async throws {
        let single = Single<Int>.create { single in
            single(.success(20))
            single(.success(30))
            return Disposables.create()
        }
        let sum = Single.zip(single.map { $0 + 1 }, Single.just(1), resultSelector: { $0 + $1 })
        #expect(try await sum.asObservable().value() == 22)
        #expect(try await single.filter { $0 > 20 }.ifEmpty(default: 0).asObservable().value() == 0)
        #expect(try await single.flatMap { .just("\($0)") }.asObservable().value() == "20")
        let log = Log()
        single.do(onSuccess: { log.add("do \($0)") }, onDispose: { log.add("end") })
            .subscribe(onSuccess: { log.add("\($0)") }, onFailure: { _ in log.add("failure") })
        #expect(log.entries == ["do 20", "20", "end"])
    }

    @Test("asSingle fails without a value and with a second one")
    func asSingle() async {
        await #expect(throws: RxError.noElements) {
            try await Observable<Int>.empty().asSingle().asObservable().first()
        }
        await #expect(throws: RxError.moreThanOneElement) {
            try await Observable.of(1, 2).asSingle().asObservable().first()
        }
    }

    @Test("a Maybe completes once: with a value, or without one")
    func maybes() {
        let log = Log()
        Maybe.just(1).subscribe(onSuccess: { log.add("\($0)") }, onCompleted: { log.add("completed") })
        Maybe<Int>.empty().subscribe(onSuccess: { log.add("\($0)") }, onCompleted: { log.add("completed") })
        Maybe<Int>.create { maybe in
            maybe(.error(Failure()))
            return Disposables.create()
        }.subscribe(onError: { _ in log.add("error") })
        #expect(log.entries == ["1", "completed", "error"])
    }

    @Test("a Completable continues with another sequence")
    func completables() async throws {
        let completable = Completable.create { completable in
            completable(.completed)
            return Disposables.create()
        }
        #expect(try await completable.andThen(Single.just(3)).asObservable().value() == 3)
        #expect(try await completable.andThen(Observable.of(4)).value() == 4)
        let log = Log()
        Completable.error(Failure())
            .subscribe(onCompleted: { log.add("completed") }, onError: { _ in log.add("error") })
        #expect(log.entries == ["error"])
    }

    @Test("subjects and relays send their values to subscribers and replay them")
    func subjects() throws {
        let log = Log()
        let subject = PublishSubject<Int>()
        subject.onNext(0)
        subject.subscribe(onNext: { log.add("publish \($0)") }, onCompleted: { log.add("completed") })
        let relay = BehaviorRelay(value: 1)
        subject.bind(to: relay)
        let replay = ReplaySubject<Int>.create(bufferSize: 2)
        subject.bind(to: replay)
        let behavior = BehaviorSubject(value: 7)
        for value in 2...4 { subject.onNext(value) }
        subject.onCompleted()
        #expect(relay.value == 4)
        #expect(try behavior.value() == 7)
        replay.subscribe(onNext: { log.add("replay \($0)") })
        behavior.asObservable().subscribe(onNext: { log.add("behavior \($0)") })
        #expect(
            log.entries == [
                "publish 2", "publish 3", "publish 4", "completed", "replay 3", "replay 4", "behavior 7",
            ])
    }

    @Test("operators with a scheduler take RxSwift's arguments")
    func schedulers() {
        let time = VirtualTime()
        let source = time.cold("ab----c|").map { "\($0)" }
        #expect(time.play(source.debounce(.milliseconds(2), scheduler: time)).marbles == "---b---(c|)")
        #expect(time.play(Observable<Int>.timer(.milliseconds(3), scheduler: time)).marbles == "---(0|)")
    }

    @Test("flatMapLatest takes a closure that returns a Single")
    func flatMapOfSingles() async throws {
        let latest = Observable.of(1, 2).flatMapLatest { value -> Single<String> in .just("\(value)") }
        #expect(try await latest.toArray().value() == ["1", "2"])
        let merged = Observable.of(Observable.of(1), Observable.of(2)).merge()
        #expect(try await merged.toArray().value() == [1, 2])
    }

    @Test("a delay on the scheduler of the current thread is skipped")
    func skipsDelays() {
        let log = Log()
        Observable.of(1, 2).delay(.milliseconds(1), scheduler: CurrentThreadScheduler.instance)
            .subscribe(onNext: { log.add("\($0)") }, onCompleted: { log.add("completed") })
        #expect(log.entries == ["1", "2", "completed"])
    }

    @Test("withLatestFrom sends the values of any other stream, without those of the source")
    func withLatestFrom() {
        let log = Log()
        let (source, other) = (PublishSubject<String>(), BehaviorRelay(value: 1))
        let (subject, signal) = (BehaviorSubject(value: 20), Signal.pipe(value: 3).signal)
        source.withLatestFrom(other).map { $0 + 1 }.subscribe(onNext: { log.add("relay \($0)") })
        source.withLatestFrom(other.asObservable()).map { $0 + 1 }.subscribe(onNext: { log.add("observable \($0)") })
        source.asObservable().withLatestFrom(subject).map { $0 + 1 }.subscribe(onNext: { log.add("subject \($0)") })
        source.withLatestFrom(signal).map { $0 + 1 }.subscribe(onNext: { log.add("signal \($0)") })
        source.withLatestFrom(Single.just(4)).map { $0 + 1 }.subscribe(onNext: { log.add("single \($0)") })
        source.withLatestFrom(other) { $0 + "\($1)" }.subscribe(onNext: { log.add("both \($0)") })
        source.onNext("a")
        #expect(log.entries == ["relay 2", "observable 2", "subject 21", "signal 4", "single 5", "both a1"])
    }
}
