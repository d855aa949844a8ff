import RxMoyaCompatibility
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct SubjectTests {
    /// Sends two values and an error to any subject.
    private func send<Subject: SubjectType>(to subject: Subject) where Subject.Element == Int {
        subject.onNext(1)
        subject.asObserver().onNext(2)
        subject.on(.error(Failure(id: 3)))
    }

    @Test("a function for any subject sends events to each kind of subject")
    func anySubject() {
        let log = Log()
        let (publish, behavior) = (PublishSubject<Int>(), BehaviorSubject(value: 0))
        let replay = ReplaySubject<Int>.createUnbounded()
        publish.subscribe(onNext: { log.add("publish \($0)") }, onError: { _ in log.add("publish failed") })
        #expect(publish.hasObservers)
        #expect(!behavior.hasObservers)
        send(to: publish)
        send(to: behavior)
        send(to: replay)
        #expect(!publish.hasObservers)
        behavior.subscribe(onNext: { log.add("behavior \($0)") }, onError: { _ in log.add("behavior failed") })
        replay.subscribe(onNext: { log.add("replay \($0)") }, onError: { _ in log.add("replay failed") })
        #expect(
            log.entries == [
                "publish 1", "publish 2", "publish failed", "behavior failed", "replay 1", "replay 2", "replay failed",
            ])
    }

    @Test("a subject is stored as an AnyObserver, and observers of optional values receive the values of drivers")
    func observers() {
        let (subject, relay) = (PublishSubject<String?>(), BehaviorRelay<String?>(value: nil))
        let observer: AnyObserver<String?> = subject.asObserver()
        let log = Log()
        subject.subscribe(onNext: { log.add($0 ?? "nil") })
        observer.onNext(nil)
        let stream = Observable.just("a")
        let driver: Driver<String> = stream.asDriver(onErrorJustReturn: "")
        driver.drive(relay)
        driver.drive(BehaviorRelay(value: "b"))
        stream.bind(to: relay)
        stream.bind(to: subject)
        // The type of this observer is inferred.
        stream.bind(to: AnyObserver { event in log.add("\(event)") })
        expectEqual(log.entries, ["nil", "a", "next(a)", "completed"])
        expectEqual(relay.value, "a")
    }

    @Test("value() of a BehaviorSubject returns the latest value, and throws the error that has ended the subject")
    func behaviorValue() throws {
        let subject = BehaviorSubject(value: 1)
        #expect(try subject.value() == 1)
        subject.onNext(2)
        #expect(try subject.value() == 2)
        #expect(!subject.hasObservers)
        subject.onError(Failure(id: 4))
        #expect(throws: Failure(id: 4)) { try subject.value() }

        let completed = BehaviorSubject(value: 5)
        completed.onCompleted()
        #expect(try completed.value() == 5)
    }

    @Test("dispose() fails the subscribers of each kind of subject, present and later ones")
    func disposed() {
        func check(_ subject: some SubjectType<Int>) {
            let log = Log()
            subject.subscribe(onError: { log.add("present \($0)") })
            subject.dispose()
            subject.onNext(1)
            subject.subscribe(onNext: { log.add("later \($0)") }, onError: { log.add("later \($0)") })
            let error = RxError.disposed(object: "\(type(of: subject))")
            #expect(log.entries == ["present \(error)", "later \(error)"])
        }
        check(PublishSubject<Int>())
        check(BehaviorSubject(value: 0))
        check(ReplaySubject<Int>.create(bufferSize: 1))
        check(AsyncSubject<Int>())
        let subject = BehaviorSubject(value: 0)
        subject.dispose()
        #expect(throws: RxError.disposed(object: "BehaviorSubject<Int>")) { try subject.value() }
    }

    @Test("in async code, value() of a BehaviorSubject returns the latest value at once")
    func behaviorValueInAsyncCode() async throws {
        let subject = BehaviorSubject(value: 1)
        #expect(try await subject.value() == 1)
        subject.onNext(2)
        #expect(try await subject.value() == 2)
        let onMain = try await Task { @MainActor in try await subject.value() }.value
        #expect(onMain == 2)
        subject.onError(Failure(id: 4))
        await #expect(throws: Failure(id: 4)) { try await subject.value() }
    }

    @Test("a BehaviorSubject replays its value until it ends, also to a subscriber that its end makes")
    func behaviorAfterTheEnd() {
        let log = Log()
        let subject = BehaviorSubject(value: 1)
        @Sendable func subscribe(_ name: String) {
            subject.subscribe(onNext: { log.add("\(name) \($0)") }, onCompleted: { log.add("\(name) completed") })
        }
        subject.subscribe(onNext: { _ in }, onCompleted: { subscribe("nested") })
        subscribe("early")
        subject.onNext(2)
        subject.onCompleted()
        subscribe("late")
        #expect(
            log.entries == ["early 1", "early 2", "early completed", "nested completed", "late completed"])
    }

    @Test("values that are sent from inside an observer are delivered before the end that is sent with them")
    func behaviorEndInsideAnObserver() {
        let log = Log()
        let subject = BehaviorSubject(value: 0)
        subject.subscribe(
            onNext: { value in
                log.add("\(value)")
                if value == 1 {
                    subject.onNext(2)
                    subject.onCompleted()
                }
            }, onCompleted: { log.add("completed") })
        subject.onNext(1)
        #expect(log.entries == ["0", "1", "2", "completed"])
    }

    @Test("a subject or emitter that a stream is bound to receives its terminal event, too")
    func bindsToObservers() {
        let log = Log()
        let (first, second, failing) = (PublishSubject<Int>(), PublishSubject<Int>(), PublishSubject<Int>())
        first.subscribe(onNext: { log.add("first \($0)") }, onCompleted: { log.add("first completed") })
        second.subscribe(onNext: { log.add("second \($0)") }, onCompleted: { log.add("second completed") })
        failing.subscribe(onError: { log.add("\($0)") })
        Observable.of(1).bind(to: first, second)
        Observable.error(Failure(id: 2)).bind(to: failing.asObserver())
        #expect(
            log.entries == ["first 1", "second 1", "first completed", "second completed", "\(Failure(id: 2))"])
    }

    @Test("a relay that a stream is bound to receives its values, and does not end")
    func bindsToRelays() {
        let (relay, other) = (BehaviorRelay(value: 0), PublishRelay<Int>())
        let log = Log()
        other.subscribe(onNext: { log.add("\($0)") }, onCompleted: { log.add("completed") })
        Observable.of(1, 2).bind(to: relay)
        Observable.of(3).bind(to: other)
        other.accept(4)
        #expect(relay.value == 2)
        #expect(log.entries == ["3", "4"])
    }
}
