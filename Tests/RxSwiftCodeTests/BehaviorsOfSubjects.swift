// swift-format-ignore-file
// Code as teams have it, in its own style.
import RxMoyaCompatibility

func subjects(_ t: BehaviorList) {
    t.add("PublishSubject has no memory", ["2", "|"]) { l in
        let s = PublishSubject<Int>()
        s.onNext(1); l.watch(s); s.onNext(2); s.onCompleted(); s.onNext(3)
    }
    t.add("PublishSubject after the end", ["|", "x:boom"]) { l in
        let a = PublishSubject<Int>(); a.onNext(1); a.onCompleted(); l.watch(a)
        let b = PublishSubject<Int>(); b.onError(BehaviorError.boom); l.watch(b)
    }
    t.add("BehaviorSubject", ["1", "2", "|", "|"]) { l in
        let s = BehaviorSubject(value: 0)
        s.onNext(1); l.watch(s); s.onNext(2); s.onCompleted(); l.watch(s)
    }
    t.add("BehaviorSubject value", ["0", "1", "1", "boom"]) { l in
        let s = BehaviorSubject(value: 0)
        l.add("\((try? s.value()) ?? -1)"); s.onNext(1); l.add("\((try? s.value()) ?? -1)"); s.onCompleted(); l.add("\((try? s.value()) ?? -1)")
        let e = BehaviorSubject(value: 0)
        e.onError(BehaviorError.boom)
        do { _ = try e.value() } catch { l.add("\(error)") }
    }
    t.add("ReplaySubject", ["2", "3", "|"]) { l in
        let s = ReplaySubject<Int>.create(bufferSize: 2)
        s.onNext(1); s.onNext(2); s.onNext(3); s.onCompleted(); l.watch(s)
    }
    t.add("ReplaySubject unbounded with error", ["1", "2", "x:boom"]) { l in
        let s = ReplaySubject<Int>.createUnbounded()
        s.onNext(1); s.onNext(2); s.onError(BehaviorError.boom); l.watch(s)
    }
    t.add("AsyncSubject", ["2", "|", "2", "|"]) { l in
        let s = AsyncSubject<Int>()
        l.watch(s); s.onNext(1); s.onNext(2); s.onCompleted(); l.watch(s)
    }
    t.add("AsyncSubject empty and error", ["|", "x:boom"]) { l in
        let a = AsyncSubject<Int>(); l.watch(a); a.onCompleted()
        let b = AsyncSubject<Int>(); l.watch(b); b.onNext(1); b.onError(BehaviorError.boom)
    }
    t.add("hasObservers", ["false", "true", "false"]) { l in
        let s = PublishSubject<Int>()
        l.add("\(s.hasObservers)")
        let d = s.subscribe()
        l.add("\(s.hasObservers)"); d.dispose(); l.add("\(s.hasObservers)")
    }
    t.add("PublishRelay", ["2"]) { l in
        let r = PublishRelay<Int>()
        r.accept(1); l.watch(r); r.accept(2)
    }
    t.add("BehaviorRelay", ["0", "1", "1"]) { l in
        let r = BehaviorRelay(value: 0)
        l.watch(r); r.accept(1); l.add("\(r.value)")
    }
    t.add("ReplayRelay", ["2", "3", "4"]) { l in
        let r = ReplayRelay<Int>.create(bufferSize: 2)
        r.accept(1); r.accept(2); r.accept(3); l.watch(r); r.accept(4)
    }
    t.add("bind to relays", ["5", "s5", "s6"]) { l in
        let s = PublishSubject<Int>(), r = BehaviorRelay(value: 0), p = PublishRelay<Int?>()
        p.subscribe(onNext: { l.add("s\($0!)") }).disposed(by: l.bag)
        s.bind(to: r).disposed(by: l.bag)
        s.onNext(5)
        l.add("\(r.value)")
        r.bind(to: p).disposed(by: l.bag)
        s.onNext(6)
    }
    t.add("a subject as an observer", ["1", "2", "|"]) { l in
        let s = PublishSubject<Int>()
        l.watch(s)
        _ = Observable.of(1, 2).subscribe(s)
    }
    t.add("AnyObserver and mapObserver", ["n 4"]) { l in
        let o = AnyObserver<Int> { e in if case .next(let x) = e { l.add("n \(x)") } }
        let m: AnyObserver<String> = o.mapObserver { $0.count }
        m.onNext("four")
    }
}

func traits(_ t: BehaviorList) {
    t.add("Single.create takes the first result", ["1", "|"]) { l in
        l.watch(
            Single<Int>.create { s in
                s(.success(1)); s(.success(2)); return Disposables.create()
            })
    }
    t.add("Single subscribe", ["ok 1", "disposed", "failed boom", "disposed"]) { l in
        _ = Single.just(1).subscribe(
            onSuccess: { l.add("ok \($0)") }, onFailure: { l.add("failed \($0)") }, onDisposed: { l.add("disposed") })
        _ = Single<Int>.error(BehaviorError.boom).subscribe(
            onSuccess: { l.add("ok \($0)") }, onFailure: { l.add("failed \($0)") }, onDisposed: { l.add("disposed") })
    }
    t.add("Single result closure", ["success(3)"]) { l in
        _ = Single.just(3).subscribe { (r: Result<Int, Swift.Error>) in l.add("\(r)") }
    }
    t.add("Single map flatMap zip", ["6", "|", "3", "|"]) { l in
        l.watch(Single.just(2).map { $0 + 1 }.flatMap { Single.just($0 * 2) })
        l.watch(Single.zip(Single.just(1), Single.just(2)) { $0 + $1 })
    }
    t.add("Single zip collection", ["[1, 2]", "|"]) { l in l.watch(Single.zip([Single.just(1), Single.just(2)])) }
    t.add("Single map throws", ["x:boom"]) { l in l.watch(Single.just(1).map { _ -> Int in throw BehaviorError.boom }) }
    t.add("Single filter is a Maybe", ["|", "2", "|"]) { l in
        let m: Maybe<Int> = Single.just(1).filter { $0 > 1 }
        l.watch(m); l.watch(Single.just(2).filter { $0 > 1 })
    }
    t.add("Single catch and retry", ["7", "|", "x:boom", "2"]) { l in
        l.watch(Single<Int>.error(BehaviorError.boom).catchAndReturn(7))
        var n = 0
        l.watch(
            Single<Int>.deferred {
                n += 1; return .error(BehaviorError.boom)
            }.retry(2))
        l.add("\(n)")
    }
    t.add("Single do order", ["subscribe", "success", "1", "after", "|", "dispose"]) { l in
        l.watch(
            Single.just(1).do(
                onSuccess: { _ in l.add("success") }, afterSuccess: { _ in l.add("after") },
                onSubscribe: { l.add("subscribe") }, onDispose: { l.add("dispose") }
            ).asObservable())
    }
    t.add("Single flatMapCompletable and flatMapMaybe", ["|", "1", "|"]) { l in
        l.watch(Single.just(1).flatMapCompletable { _ in .empty() })
        l.watch(Single.just(1).flatMapMaybe { .just($0) })
    }
    t.add("asSingle", ["1", "|", "x:noElements", "x:moreThanOneElement"]) { l in
        l.watch(Observable.just(1).asSingle()); l.watch(Observable<Int>.empty().asSingle());
        l.watch(Observable.of(1, 2).asSingle())
    }
    t.add("asMaybe", ["1", "|", "|", "x:moreThanOneElement"]) { l in
        l.watch(Observable.just(1).asMaybe()); l.watch(Observable<Int>.empty().asMaybe());
        l.watch(Observable.of(1, 2).asMaybe())
    }
    t.add("Maybe subscribe", ["success 1", "completed", "error boom"]) { l in
        for m in [Maybe<Int>.just(1), Maybe<Int>.empty(), Maybe<Int>.error(BehaviorError.boom)] {
            _ = m.subscribe(
                onSuccess: { l.add("success \($0)") }, onError: { l.add("error \($0)") },
                onCompleted: { l.add("completed") })
        }
    }
    t.add("Maybe ifEmpty", ["5", "|", "6", "|"]) { l in
        l.watch(Maybe<Int>.empty().ifEmpty(default: 5)); l.watch(Maybe<Int>.empty().ifEmpty(switchTo: Single.just(6)))
    }
    t.add("Maybe asSingle of empty", ["x:noElements"]) { l in l.watch(Maybe<Int>.empty().asSingle()) }
    t.add("Maybe create", ["done", "got 2"]) { l in
        _ = Maybe<Int>.create { m in
            m(.completed); m(.success(1)); return Disposables.create()
        }
        .subscribe(onSuccess: { l.add("got \($0)") }, onCompleted: { l.add("done") })
        _ = Maybe<Int>.create { m in
            m(.success(2)); m(.completed); return Disposables.create()
        }
        .subscribe(onSuccess: { l.add("got \($0)") }, onCompleted: { l.add("done") })
    }
    t.add("Completable andThen", ["first", "second", "3", "|"]) { l in
        let c = Completable.create { o in
            l.add("first"); o(.completed); return Disposables.create()
        }
        l.watch(
            c.andThen(
                Single<Int>.deferred {
                    l.add("second"); return .just(3)
                }))
    }
    t.add("Completable andThen is not reached after an error", ["x:boom"]) { l in
        l.watch(Completable.error(BehaviorError.boom).andThen(Observable.of(1, 2)))
    }
    t.add("Completable concat and zip", ["a", "b", "|", "|"]) { l in
        let a = Completable.empty().do(onSubscribe: { l.add("a") }),
            b = Completable.empty().do(onSubscribe: { l.add("b") })
        l.watch(Completable.concat(a, b))
        l.watch(Completable.zip(.empty(), .empty()))
    }
    t.add("asCompletable", ["|", "|"]) { l in
        l.watch(Single.just(1).asCompletable()); l.watch(Observable.of(1, 2).ignoreElements().asCompletable())
    }
    t.add("Infallible", ["1", "|", "1", "0", "|"]) { l in
        l.watch(Infallible.just(1))
        l.watch(burst(1, error: BehaviorError.boom).asInfallible(onErrorJustReturn: 0))
    }
    t.add("Infallible create and operators", ["2", "4", "|"]) { l in
        l.watch(
            Infallible<Int>.create { o in
                o(.next(1)); o(.next(2)); o(.completed)
                return Disposables.create()
            }.map { $0 * 2 })
    }
}

func disposables(_ t: BehaviorList) {
    func named(_ l: Log, _ n: String) -> Disposable { Disposables.create { l.add(n) } }
    t.add("create runs once", ["a"]) { l in
        let d = named(l, "a"); d.dispose(); d.dispose()
    }
    t.add("create of two", ["a", "b"]) { l in Disposables.create(named(l, "a"), named(l, "b")).dispose() }
    t.add("CompositeDisposable", ["2", "a", "b", "late", "true"]) { l in
        let c = CompositeDisposable()
        _ = c.insert(named(l, "a")); _ = c.insert(named(l, "b"))
        l.add("\(c.count)")
        c.dispose(); c.dispose()
        let key = c.insert(named(l, "late"))
        l.add("\(key == nil)")
    }
    t.add("CompositeDisposable remove", ["a", "removed", "b"]) { l in
        let c = CompositeDisposable()
        let k = c.insert(named(l, "a"))!
        _ = c.insert(named(l, "b"))
        c.remove(for: k); l.add("removed"); c.dispose()
    }
    t.add("SerialDisposable", ["a", "b", "c", "true"]) { l in
        let s = SerialDisposable()
        s.disposable = named(l, "a"); s.disposable = named(l, "b")
        s.dispose()
        s.disposable = named(l, "c")
        l.add("\(s.isDisposed)")
    }
    t.add("SingleAssignmentDisposable set after dispose", ["a"]) { l in
        let s = SingleAssignmentDisposable()
        s.dispose(); s.setDisposable(named(l, "a"))
    }
    t.add("RefCountDisposable", ["primary", "one", "under", "two"]) { l in
        let r = RefCountDisposable(disposable: named(l, "under"))
        let a = r.retain(), b = r.retain()
        r.dispose(); l.add("primary")
        a.dispose(); a.dispose(); l.add("one")
        b.dispose(); l.add("two")
    }
    t.add("BooleanDisposable", ["false", "true"]) { l in
        let b = BooleanDisposable()
        l.add("\(b.isDisposed)"); b.dispose(); l.add("\(b.isDisposed)")
    }
    t.add("DisposeBag", ["before", "a", "b", "after"]) { l in
        var bag: DisposeBag? = DisposeBag()
        named(l, "a").disposed(by: bag!); named(l, "b").disposed(by: bag!)
        l.add("before"); bag = nil; l.add("after")
    }
    t.add("DisposeBag replaced", ["1"]) { l in
        var bag = DisposeBag()
        let s = PublishSubject<Int>()
        s.subscribe(onNext: { l.add("\($0)") }).disposed(by: bag)
        s.onNext(1); bag = DisposeBag(); s.onNext(2)
        _ = bag
    }
    t.add("dispose inside onNext", ["1"]) { l in
        let s = PublishSubject<Int>()
        let serial = SerialDisposable()
        serial.disposable = s.subscribe(onNext: {
            l.add("\($0)"); serial.dispose()
        })
        s.onNext(1); s.onNext(2)
    }
}

func observing(_ t: BehaviorList) {
    let all = ["onSubscribe", "do 1", "1", "after 1", "do |", "|", "disposed", "after |", "onSubscribed", "onDispose"]
    func traced(_ source: Observable<Int>, _ l: Log) {
        _ = source.do(
            onNext: { l.add("do \($0)") }, afterNext: { l.add("after \($0)") },
            onError: { l.add("do x:\($0)") }, afterError: { l.add("after x:\($0)") },
            onCompleted: { l.add("do |") }, afterCompleted: { l.add("after |") },
            onSubscribe: { l.add("onSubscribe") }, onSubscribed: { l.add("onSubscribed") },
            onDispose: { l.add("onDispose") }
        )
        .subscribe(
            onNext: { l.add("\($0)") }, onError: { l.add("x:\($0)") },
            onCompleted: { l.add("|") }, onDisposed: { l.add("disposed") })
    }
    t.add("do order with just", all) { l in traced(.just(1), l) }
    t.add(
        "do order with a queued source",
        ["onSubscribe", "onSubscribed", "do 1", "1", "after 1", "do |", "|", "disposed", "after |", "onDispose"]
    ) { l in
        traced(.of(1), l)
    }
    t.add(
        "do order with error",
        ["onSubscribe", "do x:boom", "x:boom", "disposed", "after x:boom", "onSubscribed", "onDispose"]
    ) { l in
        traced(.error(BehaviorError.boom), l)
    }
    t.add("do onNext throws", ["x:boom"]) { l in
        l.watch(Observable.just(1).do(onNext: { _ in throw BehaviorError.boom }))
    }
    t.add("onDisposed at dispose", ["1", "disposed"]) { l in
        let s = PublishSubject<Int>()
        let d = s.subscribe(onNext: { l.add("\($0)") }, onCompleted: { l.add("|") }, onDisposed: { l.add("disposed") })
        s.onNext(1); d.dispose(); s.onCompleted()
    }
    t.add("subscribe(with:) does not retain and stops silently", ["1 of owner", "gone"]) { l in
        final class Owner { let name = "owner" }
        var owner: Owner? = Owner()
        weak var weakOwner = owner
        let s = PublishSubject<Int>()
        s.subscribe(with: owner!, onNext: { o, n in l.add("\(n) of \(o.name)") }).disposed(by: l.bag)
        s.onNext(1); owner = nil; s.onNext(2)
        l.add(weakOwner == nil ? "gone" : "retained")
    }
    t.add("withUnretained completes when the object is gone", ["owner 1", "|"]) { l in
        final class Owner { let name = "owner" }
        var owner: Owner? = Owner()
        let s = PublishSubject<Int>()
        l.watch(s.withUnretained(owner!) { "\($0.name) \($1)" })
        s.onNext(1); owner = nil; s.onNext(2); s.onNext(3)
    }
    t.add("Event members", ["Optional(1)", "false", "nil", "true", "next(2)", "Optional(boom)", "true"]) { l in
        let n = Event.next(1), c = Event<Int>.completed, e = Event<Int>.error(BehaviorError.boom)
        l.add("\(String(describing: n.element))"); l.add("\(n.isStopEvent)")
        l.add("\(String(describing: c.element))"); l.add("\(c.isCompleted)")
        l.add("\(n.map { $0 + 1 })")
        l.add("\(String(describing: e.error as? BehaviorError))".replacingBehaviorPrefix()); l.add("\(e.isStopEvent)")
    }
    t.add("observe on the current thread scheduler", ["1", "2", "|"]) { l in
        l.watch(Observable.of(1, 2).observe(on: CurrentThreadScheduler.instance))
    }
    t.add("bind(with:)", ["owner 1"]) { l in
        final class Owner { let name = "owner" }
        let owner = Owner()
        let s = PublishSubject<Int>()
        s.bind(with: owner) { o, n in l.add("\(o.name) \(n)") }.disposed(by: l.bag)
        s.onNext(1)
    }
}

extension String {
    /// "Optional(Module.BehaviorError.boom)" -> "Optional(boom)"
    fileprivate func replacingBehaviorPrefix() -> String {
        guard hasPrefix("Optional("), let dot = lastIndex(of: ".") else { return self }
        return "Optional(" + self[index(after: dot)...]
    }
}
