// swift-format-ignore-file
// Code as teams have it, in its own style.
// Small RxSwift programs with the output that RxSwift 6 yields.
// Format of a line: an element as is, "|" completion, "x:<error>" error.
import RxMoyaCompatibility

enum BehaviorError: Error, Equatable { case boom, other }
struct UnrelatedError: Error {}

func errorName(_ error: Swift.Error) -> String {
    guard let rx = error as? RxError else { return "\(error)" }
    switch rx {
    case .unknown: return "unknown"
    case .disposed: return "disposed"
    case .overflow: return "overflow"
    case .argumentOutOfRange: return "argumentOutOfRange"
    case .noElements: return "noElements"
    case .moreThanOneElement: return "moreThanOneElement"
    case .timeout: return "timeout"
    }
}

final class Log {
    var lines: [String] = []
    let bag = DisposeBag()
    func add(_ s: String) { lines.append(s) }

    @discardableResult
    func watch<O: ObservableConvertibleType>(_ source: O, _ prefix: String = "") -> Disposable {
        source.asObservable().subscribe { [self] (event: Event<O.Element>) in
            switch event {
            case .next(let e): add(prefix + "\(e)")
            case .error(let e): add(prefix + "x:" + errorName(e))
            case .completed: add(prefix + "|")
            }
        }
    }
}

final class OpenFile: Disposable {
    private let close: () -> Void
    private var closed = false
    init(close: @escaping () -> Void) { self.close = close }
    func dispose() { if !closed { closed = true; close() } }
}

struct Behavior {
    let name: String
    let expected: [String]
    let run: (Log) -> Void
}

final class BehaviorList {
    var all: [Behavior] = []
    func add(_ name: String, _ expected: [String], _ run: @escaping (Log) -> Void) {
        all.append(Behavior(name: name, expected: expected, run: run))
    }
}

/// The shape of the order: name, run, expected.
let behaviors: [(name: String, run: () -> [String], expected: [String])] = {
    let list = BehaviorList()
    creation(list); transforming(list); filtering(list); combining(list); trampoline(list)
    errors(list); sharing(list); subjects(list); traits(list); disposables(list); observing(list)
    return list.all.map { b in
        (
            name: b.name,
            run: {
                let l = Log(); b.run(l); return l.lines
            }, expected: b.expected
        )
    }
}()

func behaviorFailures() -> [String] {
    behaviors.compactMap { b in
        let actual = b.run()
        return actual == b.expected ? nil : "\(b.name)\n  got      \(actual)\n  expected \(b.expected)"
    }
}

/// An observable that emits the elements at once (no scheduler), then an optional error or completion.
func burst<T>(_ elements: T..., error: Swift.Error? = nil) -> Observable<T> {
    Observable.create { o in
        for e in elements { o.onNext(e) }
        if let error = error { o.onError(error) } else { o.onCompleted() }
        return Disposables.create()
    }
}

func creation(_ t: BehaviorList) {
    t.add("just", ["1", "|"]) { l in l.watch(Observable.just(1)) }
    t.add("of", ["1", "2", "3", "|"]) { l in l.watch(Observable.of(1, 2, 3)) }
    t.add("from array", ["a", "b", "|"]) { l in l.watch(Observable.from(["a", "b"])) }
    t.add("from set of one", ["7", "|"]) { l in l.watch(Observable.from(Set([7]))) }
    t.add("from optional some", ["1", "|"]) { l in l.watch(Observable.from(optional: 1)) }
    t.add("from optional none", ["|"]) { l in l.watch(Observable<Int>.from(optional: nil)) }
    t.add("empty", ["|"]) { l in l.watch(Observable<Int>.empty()) }
    t.add("never", []) { l in l.watch(Observable<Int>.never()) }
    t.add("error", ["x:boom"]) { l in l.watch(Observable<Int>.error(BehaviorError.boom)) }
    t.add("range", ["5", "6", "7", "|"]) { l in l.watch(Observable.range(start: 5, count: 3)) }
    t.add("range of zero", ["|"]) { l in l.watch(Observable.range(start: 5, count: 0)) }
    t.add("generate", ["1", "2", "4", "8", "|"]) { l in
        l.watch(Observable.generate(initialState: 1, condition: { $0 < 10 }, iterate: { $0 * 2 }))
    }
    t.add("generate throws in iterate", ["1", "x:boom"]) { l in
        l.watch(
            Observable.generate(initialState: 1, condition: { _ in true }, iterate: { _ in throw BehaviorError.boom }))
    }
    t.add("repeatElement take", ["z", "z", "|"]) { l in l.watch(Observable.repeatElement("z").take(2)) }
    t.add("deferred runs per subscription", ["1", "|", "2", "|"]) { l in
        var n = 0
        let o = Observable<Int>.deferred {
            n += 1; return .just(n)
        }
        l.watch(o); l.watch(o)
    }
    t.add("deferred throws", ["x:boom"]) { l in
        l.watch(Observable<Int>.deferred { throw BehaviorError.boom })
    }
    t.add("create ignores events after the stop event", ["1", "|"]) { l in
        l.watch(
            Observable<Int>.create { o in
                o.onNext(1); o.onCompleted(); o.onNext(2); o.onError(BehaviorError.boom)
                return Disposables.create()
            })
    }
    t.add("create disposes at completion", ["1", "|", "disposed"]) { l in
        l.watch(
            Observable<Int>.create { o in
                o.onNext(1); o.onCompleted()
                return Disposables.create { l.add("disposed") }
            })
    }
    t.add("create disposes at dispose without events", ["1", "disposed"]) { l in
        let d = l.watch(
            Observable<Int>.create { o in
                o.onNext(1)
                return Disposables.create { l.add("disposed") }
            })
        d.dispose(); d.dispose()
    }
    t.add("using", ["open", "1", "|", "close"]) { l in
        l.watch(
            Observable<Int>.using(
                { () -> OpenFile in
                    l.add("open"); return OpenFile { l.add("close") }
                },
                observableFactory: { (_: OpenFile) in Observable.of(1) }))
    }
    t.add("using whose source fails", ["x:boom", "close"]) { l in
        l.watch(
            Observable<Int>.using(
                { () -> OpenFile in OpenFile { l.add("close") } },
                observableFactory: { (_: OpenFile) in Observable<Int>.error(BehaviorError.boom) }))
    }
}

func transforming(_ t: BehaviorList) {
    t.add("map", ["2", "4", "|"]) { l in l.watch(Observable.of(1, 2).map { $0 * 2 }) }
    t.add("map throws", ["2", "x:boom"]) { l in
        l.watch(
            Observable.of(1, 2, 3).map { (x: Int) -> Int in
                if x == 2 { throw BehaviorError.boom }
                return x * 2
            })
    }
    t.add("compactMap", ["1", "3", "|"]) { l in l.watch(Observable.of("1", "x", "3").compactMap { Int($0) }) }
    t.add("enumerated", ["0a", "1b", "|"]) { l in
        l.watch(Observable.of("a", "b").enumerated().map { "\($0.index)\($0.element)" })
    }
    t.add("scan has no seed event", ["11", "13", "16", "|"]) { l in
        l.watch(Observable.of(1, 2, 3).scan(10) { $0 + $1 })
    }
    t.add("scan into", ["[1]", "[1, 2]", "|"]) { l in
        l.watch(Observable.of(1, 2).scan(into: [Int]()) { $0.append($1) })
    }
    t.add("scan of empty", ["|"]) { l in l.watch(Observable<Int>.empty().scan(10) { $0 + $1 }) }
    t.add("reduce", ["16", "|"]) { l in l.watch(Observable.of(1, 2, 3).reduce(10, accumulator: +)) }
    t.add("reduce of empty gives the seed", ["10", "|"]) { l in
        l.watch(Observable<Int>.empty().reduce(10, accumulator: +))
    }
    t.add("reduce mapResult", ["sum 6", "|"]) { l in
        l.watch(Observable.of(1, 2, 3).reduce(0, accumulator: +, mapResult: { "sum \($0)" }))
    }
    t.add("reduce of error", ["x:boom"]) { l in
        l.watch(burst(1, 2, error: BehaviorError.boom).reduce(0, accumulator: +))
    }
    t.add("toArray", ["[1, 2]", "|"]) { l in l.watch(Observable.of(1, 2).toArray()) }
    t.add("toArray of empty", ["[]", "|"]) { l in l.watch(Observable<Int>.empty().toArray()) }
    t.add("startWith several", ["1", "2", "3", "|"]) { l in l.watch(Observable.of(3).startWith(1, 2)) }
    t.add("startWith twice is outermost first", ["1", "2", "3", "|"]) { l in
        l.watch(Observable.of(3).startWith(2).startWith(1))
    }
    t.add("buffer by count", ["[1, 2]", "[3, 4]", "[5]", "|"]) { l in
        l.watch(
            Observable.of(1, 2, 3, 4, 5).buffer(timeSpan: .seconds(1000), count: 2, scheduler: MainScheduler.instance))
    }
    t.add("buffer by count leaves an empty rest", ["[1, 2]", "[3, 4]", "[]", "|"]) { l in
        l.watch(Observable.of(1, 2, 3, 4).buffer(timeSpan: .seconds(1000), count: 2, scheduler: MainScheduler.instance))
    }
    t.add("window by count", ["[1, 2]", "[3, 4]", "[5]", "|"]) { l in
        l.watch(
            Observable.of(1, 2, 3, 4, 5)
                .window(timeSpan: .seconds(1000), count: 2, scheduler: MainScheduler.instance)
                .flatMap { $0.toArray() })
    }
    t.add("groupBy interleaves in source order", ["odd:1", "even:2", "odd:3", "even:4", "|"]) { l in
        l.watch(
            Observable.of(1, 2, 3, 4).groupBy { $0 % 2 == 0 ? "even" : "odd" }
                .flatMap { g in g.map { "\(g.key):\($0)" } })
    }
    t.add("groupBy error reaches the groups", ["g1", "1.1", "1.x:boom", "x:boom"]) { l in
        let s = PublishSubject<Int>()
        s.groupBy { $0 }.subscribe(
            onNext: { g in
                l.add("g\(g.key)"); l.watch(g, "\(g.key).")
            },
            onError: { l.add("x:\(errorName($0))") }
        ).disposed(by: l.bag)
        s.onNext(1); s.onError(BehaviorError.boom)
    }
    t.add("materialize", ["next(1)", "completed", "|"]) { l in l.watch(Observable.just(1).materialize()) }
    t.add("materialize error completes", ["next(1)", "error(boom)", "|"]) { l in
        l.watch(burst(1, error: BehaviorError.boom).materialize())
    }
    t.add("dematerialize", ["1", "x:boom"]) { l in
        l.watch(Observable<Event<Int>>.of(.next(1), .error(BehaviorError.boom), .next(2)).dematerialize())
    }
}

func filtering(_ t: BehaviorList) {
    t.add("filter", ["2", "4", "|"]) { l in l.watch(Observable.of(1, 2, 3, 4).filter { $0 % 2 == 0 }) }
    t.add("ignoreElements", ["|"]) { l in l.watch(Observable.of(1, 2).ignoreElements()) }
    t.add("ignoreElements error", ["x:boom"]) { l in l.watch(burst(1, error: BehaviorError.boom).ignoreElements()) }
    t.add("take", ["1", "2", "|"]) { l in l.watch(Observable.of(1, 2, 3).take(2)) }
    t.add("take zero", ["|"]) { l in l.watch(Observable<Int>.never().take(0)) }
    t.add("take more than there is", ["1", "|"]) { l in l.watch(Observable.of(1).take(5)) }
    t.add("takeLast", ["2", "3", "|"]) { l in l.watch(Observable.of(1, 2, 3).takeLast(2)) }
    t.add("takeLast error drops", ["x:boom"]) { l in l.watch(burst(1, 2, error: BehaviorError.boom).takeLast(2)) }
    t.add("skip", ["3", "|"]) { l in l.watch(Observable.of(1, 2, 3).skip(2)) }
    t.add("skip while", ["3", "1", "|"]) { l in l.watch(Observable.of(1, 2, 3, 1).skip(while: { $0 < 3 })) }
    t.add("take while", ["1", "2", "|"]) { l in l.watch(Observable.of(1, 2, 3, 1).take(while: { $0 < 3 })) }
    t.add("take while inclusive", ["1", "2", "3", "|"]) { l in
        l.watch(Observable.of(1, 2, 3, 1).take(while: { $0 < 3 }, behavior: .inclusive))
    }
    t.add("take until predicate", ["1", "2", "|"]) { l in
        l.watch(Observable.of(1, 2, 3, 1).take(until: { $0 == 3 }))
    }
    t.add("take until predicate inclusive", ["1", "2", "3", "|"]) { l in
        l.watch(Observable.of(1, 2, 3, 1).take(until: { $0 == 3 }, behavior: .inclusive))
    }
    t.add("take until other element", ["1", "|"]) { l in
        let s = PublishSubject<Int>(), stop = PublishSubject<Void>()
        l.watch(s.take(until: stop))
        s.onNext(1); stop.onNext(()); s.onNext(2)
        if s.hasObservers || stop.hasObservers { l.add("still subscribed") }
    }
    t.add("take until other completion does not stop", ["1", "2"]) { l in
        let s = PublishSubject<Int>(), stop = PublishSubject<Void>()
        l.watch(s.take(until: stop))
        s.onNext(1); stop.onCompleted(); s.onNext(2)
    }
    t.add("take until other error fails", ["1", "x:boom"]) { l in
        let s = PublishSubject<Int>(), stop = PublishSubject<Void>()
        l.watch(s.take(until: stop))
        s.onNext(1); stop.onError(BehaviorError.boom); s.onNext(2)
    }
    t.add("skip until", ["2", "3", "|"]) { l in
        let s = PublishSubject<Int>(), go = PublishSubject<Void>()
        l.watch(s.skip(until: go))
        s.onNext(1); go.onNext(()); s.onNext(2); s.onNext(3); s.onCompleted()
    }
    t.add("skip until never opened swallows completion", []) { l in
        let s = PublishSubject<Int>(), go = PublishSubject<Void>()
        l.watch(s.skip(until: go))
        s.onNext(1); s.onCompleted()
    }
    t.add("element at", ["b", "|"]) { l in l.watch(Observable.of("a", "b", "c").element(at: 1)) }
    t.add("element at out of range", ["x:argumentOutOfRange"]) { l in l.watch(Observable.of("a").element(at: 1)) }
    t.add("single", ["1", "|"]) { l in l.watch(Observable.just(1).single()) }
    t.add("single of empty", ["x:noElements"]) { l in l.watch(Observable<Int>.empty().single()) }
    t.add("single of two emits the first before the error", ["1", "x:moreThanOneElement"]) { l in
        l.watch(Observable.of(1, 2, 3).single())
    }
    t.add("single with predicate", ["2", "|"]) { l in l.watch(Observable.of(1, 2, 3).single { $0 == 2 }) }
    t.add("first", ["Optional(1)", "|"]) { l in l.watch(Observable.of(1, 2).first()) }
    t.add("first of empty", ["nil", "|"]) { l in l.watch(Observable<Int>.empty().first()) }
    t.add("distinctUntilChanged", ["1", "2", "1", "|"]) { l in
        l.watch(Observable.of(1, 1, 2, 2, 1).distinctUntilChanged())
    }
    t.add("distinctUntilChanged comparer compares with the last emitted", ["1", "4", "7", "|"]) { l in
        l.watch(Observable.of(1, 2, 3, 4, 5, 7).distinctUntilChanged { (a: Int, b: Int) in b - a < 3 })
    }
    t.add("distinctUntilChanged key", ["apple", "bean", "axe", "|"]) { l in
        l.watch(
            Observable.of("apple", "ant", "bean", "axe").distinctUntilChanged { (s: String) -> String in
                String(s.prefix(1))
            })
    }
    t.add("distinctUntilChanged at key path", ["aa", "b", "|"]) { l in
        l.watch(Observable.of("aa", "bb", "b").distinctUntilChanged(at: \.count))
    }
    t.add("ifEmpty default", ["9", "|", "1", "|"]) { l in
        l.watch(Observable<Int>.empty().ifEmpty(default: 9)); l.watch(Observable.just(1).ifEmpty(default: 9))
    }
    t.add("ifEmpty switchTo", ["8", "9", "|"]) { l in l.watch(Observable<Int>.empty().ifEmpty(switchTo: .of(8, 9))) }
    t.add("sample", ["2", "4", "|"]) { l in
        let s = PublishSubject<Int>(), tick = PublishSubject<Void>()
        l.watch(s.sample(tick))
        tick.onNext(()); s.onNext(1); s.onNext(2); tick.onNext(()); tick.onNext(())
        s.onNext(3); s.onNext(4); s.onCompleted(); tick.onNext(())
    }
    t.add("sample default value", ["0", "1"]) { l in
        let s = PublishSubject<Int>(), tick = PublishSubject<Void>()
        l.watch(s.sample(tick, defaultValue: 0))
        tick.onNext(()); s.onNext(1); tick.onNext(())
    }
}
