// swift-format-ignore-file
// Code as teams have it, in its own style.
import RxMoyaCompatibility

func combining(_ t: BehaviorList) {
    t.add("combineLatest subjects", ["1a", "2a", "2b", "|"]) { l in
        let a = PublishSubject<Int>(), b = PublishSubject<String>()
        l.watch(Observable.combineLatest(a, b) { "\($0)\($1)" })
        a.onNext(1); b.onNext("a"); a.onNext(2); a.onCompleted(); b.onNext("b"); b.onCompleted()
    }
    t.add("combineLatest error", ["11", "x:boom"]) { l in
        let a = PublishSubject<Int>(), b = PublishSubject<Int>()
        l.watch(Observable.combineLatest(a, b) { $0 + $1 })
        a.onNext(1); b.onNext(10); b.onError(BehaviorError.boom); a.onNext(2)
    }
    t.add("combineLatest whose other completed empty ends at the next element", ["before", "|", "after"]) { l in
        let a = PublishSubject<Int>(), b = PublishSubject<Int>()
        l.watch(Observable.combineLatest(a, b) { $0 + $1 })
        a.onCompleted(); l.add("before"); b.onNext(1); l.add("after")
    }
    t.add("combineLatest of empty collection completes", ["|"]) { l in
        l.watch(Observable.combineLatest([Observable<Int>]()))
    }
    t.add("zip of empty collection completes", ["|"]) { l in l.watch(Observable.zip([Observable<Int>]())) }
    t.add("combineLatest collection", ["[1, 2]", "[3, 2]"]) { l in
        let a = PublishSubject<Int>(), b = PublishSubject<Int>()
        l.watch(Observable.combineLatest([a, b]))
        a.onNext(1); b.onNext(2); a.onNext(3)
    }
    t.add("combineLatest collection of subjects completes with all", ["3", "|"]) { l in
        let a = PublishSubject<Int>(), b = PublishSubject<Int>()
        l.watch(Observable.combineLatest([a, b]) { $0.reduce(0, +) })
        a.onNext(1); b.onNext(2); a.onCompleted(); b.onCompleted()
    }
    t.add("zip subjects", ["1a", "2b"]) { l in
        let a = PublishSubject<Int>(), b = PublishSubject<String>()
        l.watch(Observable.zip(a, b) { "\($0)\($1)" })
        a.onNext(1); a.onNext(2); a.onNext(3); b.onNext("a"); b.onNext("b")
    }
    t.add("zip ends when all sources have", ["11", "unmatched", "|"]) { l in
        let a = PublishSubject<Int>(), b = PublishSubject<Int>()
        l.watch(Observable.zip(a, b) { $0 + $1 })
        a.onNext(1); a.onCompleted(); b.onNext(10); b.onNext(20); l.add("unmatched"); b.onCompleted()
    }
    t.add("zip fails after one of three sources has ended", ["111", "x:boom"]) { l in
        let a = PublishSubject<Int>(), b = PublishSubject<Int>(), c = PublishSubject<Int>()
        l.watch(Observable.zip(a, b, c) { $0 + $1 + $2 })
        a.onNext(1); a.onCompleted(); b.onNext(10); c.onNext(100); b.onNext(20); c.onError(BehaviorError.boom)
    }
    t.add("zip tuple", ["(1, \"a\")", "|"]) { l in l.watch(Observable.zip(Observable.just(1), Observable.just("a"))) }
    t.add("merge subjects", ["1", "2", "3", "|"]) { l in
        let a = PublishSubject<Int>(), b = PublishSubject<Int>()
        l.watch(Observable.merge(a, b))
        a.onNext(1); b.onNext(2); a.onCompleted(); b.onNext(3); b.onCompleted()
    }
    t.add("merge error ends all", ["1", "x:boom"]) { l in
        let a = PublishSubject<Int>(), b = PublishSubject<Int>()
        l.watch(Observable.merge([a, b]))
        a.onNext(1); b.onError(BehaviorError.boom); a.onNext(2)
        if a.hasObservers { l.add("leak") }
    }
    t.add("merge of empty array", ["|"]) { l in l.watch(Observable.merge([Observable<Int>]())) }
    t.add("merge maxConcurrent 1", ["a1", "a2", "b2", "|"]) { l in
        let a = PublishSubject<String>(), b = PublishSubject<String>()
        l.watch(Observable.of(a, b).merge(maxConcurrent: 1))
        a.onNext("a1"); b.onNext("b1"); a.onNext("a2"); a.onCompleted(); b.onNext("b2"); b.onCompleted()
    }
    t.add("concat", ["1", "2", "3", "|"]) { l in l.watch(Observable.of(1, 2).concat(Observable.of(3))) }
    t.add("concat subscribes late", ["sub a", "1", "sub b", "2", "|"]) { l in
        let a = burst(1).do(onSubscribe: { l.add("sub a") }), b = burst(2).do(onSubscribe: { l.add("sub b") })
        l.watch(Observable.concat(a, b))
    }
    t.add("concat stops at error", ["1", "x:boom"]) { l in
        l.watch(Observable.concat([burst(1), .error(BehaviorError.boom), burst(2)]))
    }
    t.add("concat of inner observables", ["1", "2", "|"]) { l in
        l.watch(Observable.of(Observable.just(1), Observable.just(2)).concat())
    }
    t.add("amb", ["b1", "b2", "|"]) { l in
        let a = PublishSubject<String>(), b = PublishSubject<String>()
        l.watch(a.amb(b))
        b.onNext("b1"); a.onNext("a1"); b.onNext("b2"); b.onCompleted()
    }
    t.add("amb completion wins too", ["|"]) { l in
        let a = PublishSubject<String>(), b = PublishSubject<String>()
        l.watch(a.amb(b))
        a.onCompleted(); b.onNext("b")
    }
    t.add("switchLatest", ["a1", "b1", "b2", "outer", "b3", "|"]) { l in
        let a = PublishSubject<String>(), b = PublishSubject<String>(), outer = PublishSubject<PublishSubject<String>>()
        l.watch(outer.switchLatest())
        outer.onNext(a); a.onNext("a1"); outer.onNext(b); a.onNext("a2"); b.onNext("b1"); b.onNext("b2")
        outer.onCompleted(); l.add("outer"); b.onNext("b3"); b.onCompleted()
    }
    t.add("switchLatest keeps going when the inner completes", ["a1", "b1"]) { l in
        let outer = PublishSubject<Observable<String>>()
        l.watch(outer.switchLatest())
        outer.onNext(.just("a1")); outer.onNext(.just("b1"))
    }
    t.add("flatMapFirst ignores while busy", ["1a", "1b", "3a"]) { l in
        let outer = PublishSubject<Int>()
        var inner = PublishSubject<String>()
        l.watch(
            outer.flatMapFirst { n -> Observable<String> in
                inner = PublishSubject<String>()
                return inner.map { "\(n)\($0)" }
            })
        outer.onNext(1); inner.onNext("a"); outer.onNext(2); inner.onNext("b"); inner.onCompleted()
        outer.onNext(3); inner.onNext("a")
    }
    t.add("flatMap inner error ends all", ["1", "x:boom"]) { l in
        l.watch(
            Observable.of(1, 2, 3).flatMap { n -> Observable<Int> in n == 2 ? .error(BehaviorError.boom) : .just(n) })
    }
    t.add("flatMap waits for inner after outer completed", ["outer", "1", "|"]) { l in
        let inner = PublishSubject<Int>()
        l.watch(Observable.just(0).flatMap { _ in inner })
        l.add("outer"); inner.onNext(1); inner.onCompleted()
    }
    t.add("concatMap keeps order", ["1a", "2a", "|"]) { l in
        let first = PublishSubject<String>()
        l.watch(
            Observable.of(1, 2).concatMap { n -> Observable<String> in n == 1 ? first.asObservable() : .just("2a") })
        first.onNext("1a"); first.onCompleted()
    }
    t.add("withLatestFrom drops until there is a value", ["2a", "3b", "|"]) { l in
        let a = PublishSubject<Int>(), b = PublishSubject<String>()
        l.watch(a.withLatestFrom(b) { "\($0)\($1)" })
        a.onNext(1); b.onNext("a"); a.onNext(2); b.onNext("b"); b.onCompleted(); a.onNext(3); a.onCompleted()
    }
    t.add("withLatestFrom second only", ["x", "x"]) { l in
        let a = PublishSubject<Int>()
        l.watch(a.withLatestFrom(BehaviorRelay(value: "x")))
        a.onNext(1); a.onNext(2)
    }
    t.add("withLatestFrom error of the second", ["x:boom"]) { l in
        let a = PublishSubject<Int>(), b = PublishSubject<Int>()
        l.watch(a.withLatestFrom(b))
        b.onError(BehaviorError.boom); a.onNext(1)
    }
}

func trampoline(_ t: BehaviorList) {
    t.add("merge interleaves synchronous sources", ["1", "10", "2", "20", "3", "30", "|"]) { l in
        l.watch(Observable.merge(Observable.of(1, 2, 3), Observable.of(10, 20, 30)))
    }
    t.add("merge of bursts does not interleave", ["1", "2", "10", "20", "|"]) { l in
        l.watch(Observable.merge(burst(1, 2), burst(10, 20)))
    }
    t.add("combineLatest interleaves", ["1a", "2a", "2b", "3b", "3c", "|"]) { l in
        l.watch(Observable.combineLatest(Observable.of(1, 2, 3), Observable.of("a", "b", "c")) { "\($0)\($1)" })
    }
    t.add("combineLatest of bursts uses the last of the first", ["3a", "3b", "|"]) { l in
        l.watch(Observable.combineLatest(burst(1, 2, 3), burst("a", "b")) { "\($0)\($1)" })
    }
    t.add("zip of synchronous sources", ["1a", "2b", "|"]) { l in
        l.watch(Observable.zip(Observable.of(1, 2, 3), Observable.of("a", "b")) { "\($0)\($1)" })
    }
    t.add("flatMap interleaves longer inner sources", ["1a", "1b", "2a", "1c", "2b", "2c", "|"]) { l in
        l.watch(Observable.of(1, 2).flatMap { n in Observable.of("\(n)a", "\(n)b", "\(n)c") })
    }
    t.add("flatMapLatest synchronous", ["1a", "2a", "2b", "2c", "|"]) { l in
        l.watch(Observable.of(1, 2).flatMapLatest { n in Observable.of("\(n)a", "\(n)b", "\(n)c") })
    }
    t.add("flatMapFirst synchronous", ["1a", "1b", "1c", "|"]) { l in
        l.watch(Observable.of(1, 2).flatMapFirst { n in Observable.of("\(n)a", "\(n)b", "\(n)c") })
    }
    t.add("concatMap synchronous", ["1a", "1b", "2a", "2b", "|"]) { l in
        l.watch(Observable.of(1, 2).concatMap { n in Observable.of("\(n)a", "\(n)b") })
    }
    t.add("withLatestFrom synchronous", ["1-10", "2-20", "3-30", "|"]) { l in
        l.watch(Observable.of(1, 2, 3).withLatestFrom(Observable.of(10, 20, 30)) { "\($0)-\($1)" })
    }
    t.add("nested work on CurrentThreadScheduler runs later", ["a begin", "a end", "b begin", "b end", "c", "after"]) {
        l in
        let s = CurrentThreadScheduler.instance
        _ = s.schedule(()) { _ in
            l.add("a begin")
            _ = s.schedule(()) { _ in
                l.add("b begin")
                _ = s.schedule(()) { _ in
                    l.add("c"); return Disposables.create()
                }
                l.add("b end")
                return Disposables.create()
            }
            l.add("a end")
            return Disposables.create()
        }
        l.add("after")
    }
    t.add("isScheduleRequired", ["true", "false", "true"]) { l in
        l.add("\(CurrentThreadScheduler.isScheduleRequired)")
        _ = CurrentThreadScheduler.instance.schedule(()) { _ in
            l.add("\(CurrentThreadScheduler.isScheduleRequired)")
            return Disposables.create()
        }
        l.add("\(CurrentThreadScheduler.isScheduleRequired)")
    }
    t.add("disposed work on CurrentThreadScheduler is skipped", ["a"]) { l in
        _ = CurrentThreadScheduler.instance.schedule(()) { _ in
            CurrentThreadScheduler.instance.schedule(()) { _ in
                l.add("never"); return Disposables.create()
            }.dispose()
            l.add("a")
            return Disposables.create()
        }
    }
    t.add("subscription inside onNext of a queued source is queued", ["1", "a", "2", "b", "3", "|"]) { l in
        Observable.of(1, 2, 3).subscribe(
            onNext: { n in
                l.add("\(n)")
                if n == 1 { _ = Observable.of("a", "b").subscribe(onNext: { l.add($0) }) }
            }, onCompleted: { l.add("|") }
        ).disposed(by: l.bag)
    }
    t.add("just inside onNext is immediate", ["1", "in", "2"]) { l in
        _ = Observable.of(1, 2).subscribe(onNext: { n in
            l.add("\(n)")
            if n == 1 { _ = Observable.just("in").subscribe(onNext: { l.add($0) }) }
        })
    }
    t.add("re-entrant PublishSubject is depth first", ["A1", "A2", "B2", "B1"]) { l in
        let s = PublishSubject<Int>()
        _ = s.subscribe(onNext: {
            l.add("A\($0)"); if $0 == 1 { s.onNext(2) }
        })
        _ = s.subscribe(onNext: { l.add("B\($0)") })
        s.onNext(1)
    }
    t.add("repeatElement with take of an inner flatMap terminates", ["0", "0", "0", "|"]) { l in
        l.watch(Observable.repeatElement(0).flatMap { Observable.just($0) }.take(3))
    }
}

func errors(_ t: BehaviorList) {
    t.add("catch", ["1", "9", "|"]) { l in l.watch(burst(1, error: BehaviorError.boom).catch { _ in .just(9) }) }
    t.add("catch rethrows", ["1", "x:other"]) { l in
        l.watch(burst(1, error: BehaviorError.boom).catch { _ in throw BehaviorError.other })
    }
    t.add("catchAndReturn", ["1", "0", "|"]) { l in l.watch(burst(1, error: BehaviorError.boom).catchAndReturn(0)) }
    t.add("catch sequence", ["1", "2", "|"]) { l in
        l.watch(Observable<Int>.catch(sequence: [burst(1, error: BehaviorError.boom), burst(2), burst(3)]))
    }
    t.add("retry counts attempts", ["1", "1", "x:boom"]) { l in l.watch(burst(1, error: BehaviorError.boom).retry(2)) }
    t.add("retry(1) does not repeat", ["1", "x:boom"]) { l in l.watch(burst(1, error: BehaviorError.boom).retry(1)) }
    t.add("retry until success", ["1", "2", "3", "|"]) { l in
        var n = 0
        l.watch(
            Observable<Int>.deferred {
                n += 1; return n < 3 ? burst(n, error: BehaviorError.boom) : burst(n)
            }.retry())
    }
    t.add("retry when three attempts", ["1", "1", "1", "x:boom"]) { l in
        l.watch(
            burst(1, error: BehaviorError.boom).retry(when: { (errors: Observable<Swift.Error>) in
                errors.enumerated().flatMap { i, e -> Observable<Int> in i < 2 ? .just(i) : .error(e) }
            }))
    }
    t.add("retry when typed error matches", ["1", "1", "x:other"]) { l in
        l.watch(
            burst(1, error: BehaviorError.boom).retry(when: { (errors: Observable<BehaviorError>) in
                errors.enumerated().flatMap { i, _ -> Observable<Int> in i < 1 ? .just(i) : .error(BehaviorError.other)
                }
            }))
    }
    t.add("retry when typed error does not match", ["1", "x:UnrelatedError()"]) { l in
        l.watch(burst(1, error: UnrelatedError()).retry(when: { (errors: Observable<BehaviorError>) in errors }))
    }
    t.add("retry when another error follows, which the handler does not await", ["1", "x:UnrelatedError()"]) { l in
        var n = 0
        l.watch(
            Observable<Int>.deferred {
                n += 1
                return n == 1 ? burst(1, error: BehaviorError.boom) : .error(UnrelatedError())
            }.retry(when: { (errors: Observable<BehaviorError>) in errors.take(1) }))
    }
    t.add("retry when notifier completes at once", ["1", "|"]) { l in
        l.watch(
            burst(1, error: BehaviorError.boom).retry(when: { (_: Observable<Swift.Error>) in Observable<Int>.empty() })
        )
    }
    t.add("filter throws", ["x:boom"]) { l in
        l.watch(Observable.of(1).filter { _ in throw BehaviorError.boom })
    }
    t.add("flatMap selector throws", ["x:boom"]) { l in
        l.watch(Observable.of(1).flatMap { _ -> Observable<Int> in throw BehaviorError.boom })
    }
}

func sharing(_ t: BehaviorList) {
    func counted(_ l: Log, completing: Bool) -> Observable<Int> {
        var n = 0
        return Observable.create { o in
            n += 1
            l.add("sub\(n)")
            o.onNext(n)
            if completing { o.onCompleted() }
            return Disposables.create { l.add("unsub") }
        }
    }
    t.add("cold source runs per subscriber", ["sub1", "1", "sub2", "2"]) { l in
        let c = counted(l, completing: false)
        l.watch(c).disposed(by: l.bag); l.watch(c).disposed(by: l.bag)
    }
    t.add("share subscribes once", ["sub1", "1", "unsub"]) { l in
        let c = counted(l, completing: false).share()
        let a = l.watch(c), b = l.watch(c)
        a.dispose(); b.dispose()
    }
    t.add("share replay 1", ["sub1", "A1", "B1", "unsub", "sub2", "C2", "unsub"]) { l in
        let c = counted(l, completing: false).share(replay: 1)
        let a = l.watch(c, "A"), b = l.watch(c, "B")
        a.dispose(); b.dispose()
        l.watch(c, "C").dispose()
    }
    t.add("share replay 1 forever keeps the element", ["sub1", "A1", "unsub", "B1", "sub2", "B2", "unsub"]) { l in
        let c = counted(l, completing: false).share(replay: 1, scope: .forever)
        l.watch(c, "A").dispose()
        l.watch(c, "B").dispose()
    }
    t.add("share replay forever of a completed source does not resubscribe", ["sub1", "A1", "A|", "B1", "B|"]) { l in
        let c = counted(l, completing: true).share(replay: 1, scope: .forever)
        l.watch(c, "A"); l.watch(c, "B")
        l.lines = l.lines.filter { $0 != "unsub" }
    }
    t.add("share replay whileConnected of a completed source resubscribes", ["sub1", "A1", "A|", "sub2", "B2", "B|"]) {
        l in
        let c = counted(l, completing: true).share(replay: 1, scope: .whileConnected)
        l.watch(c, "A"); l.watch(c, "B")
        l.lines = l.lines.filter { $0 != "unsub" }
    }
    t.add("publish needs connect", ["ready", "A1", "B1"]) { l in
        let s = PublishSubject<Int>()
        let p = s.publish()
        l.watch(p, "A"); l.watch(p, "B")
        s.onNext(0); l.add("ready")
        p.connect().disposed(by: l.bag)
        s.onNext(1)
    }
    t.add("disconnect", ["1"]) { l in
        let s = PublishSubject<Int>()
        let p = s.publish()
        l.watch(p)
        let c = p.connect()
        s.onNext(1); c.dispose(); s.onNext(2)
        if s.hasObservers { l.add("leak") }
    }
    t.add("replay connectable", ["2", "3", "4"]) { l in
        let s = PublishSubject<Int>()
        let r = s.replay(2)
        r.connect().disposed(by: l.bag)
        s.onNext(1); s.onNext(2); s.onNext(3)
        l.watch(r)
        s.onNext(4)
    }
    t.add("replayAll", ["1", "2"]) { l in
        let s = PublishSubject<Int>()
        let r = s.replayAll()
        r.connect().disposed(by: l.bag)
        s.onNext(1); s.onNext(2)
        l.watch(r)
    }
    t.add("multicast with a behavior subject", ["0", "1"]) { l in
        let s = PublishSubject<Int>()
        let m = s.multicast(BehaviorSubject(value: 0))
        l.watch(m)
        m.connect().disposed(by: l.bag)
        s.onNext(1)
    }
    t.add("multicast selector", ["2", "|"]) { l in
        l.watch(Observable.just(1).multicast({ PublishSubject<Int>() }, selector: { $0.map { $0 + 1 } }))
    }
    t.add("publish refCount", ["sub1", "A1", "unsub", "sub2", "B2", "unsub"]) { l in
        let c = counted(l, completing: false).publish().refCount()
        l.watch(c, "A").dispose(); l.watch(c, "B").dispose()
    }
}
