// swift-format-ignore-file
// Code as teams have it, in its own style.
// View models in the style of RxSwift 6 / RxRelay / RxCocoa without UIKit, and functions that drive them.
// Everything runs on the main thread; time is virtual (TestScheduler) where an operator needs it.
import Dispatch
import Foundation
import RxMoyaCompatibilityTesting

// MARK: Input / Output

protocol ViewModelType {
    associatedtype Input
    associatedtype Output
    func transform(_ input: Input) -> Output
}

protocol SearchService {
    func search(_ query: String) -> Single<[String]>
}

enum SearchError: Error, Equatable { case offline, tooLong }

final class FakeSearchService: SearchService {
    private(set) var queries: [String] = []
    func search(_ query: String) -> Single<[String]> {
        Single.deferred { [unowned self] in
            self.queries.append(query)
            if query == "fail" { return .error(SearchError.offline) }
            return .just(["\(query)1", "\(query)2"])
        }
    }
}

final class SearchViewModel: ViewModelType {
    struct Input {
        let query: Observable<String>
        let refresh: Observable<Void>
        let selection: Observable<Int>
    }
    struct Output {
        let results: Observable<[String]>
        let selected: Observable<String>
        let isLoading: Observable<Bool>
        let errors: Observable<String>
    }

    private let service: SearchService
    private let scheduler: SchedulerType
    private let loading = BehaviorRelay(value: false)
    private let errors = PublishRelay<Error>()

    init(service: SearchService, scheduler: SchedulerType) {
        self.service = service
        self.scheduler = scheduler
    }

    func transform(_ input: Input) -> Output {
        let query = input.query
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .debounce(.seconds(10), scheduler: scheduler)
            .distinctUntilChanged()
            .share(replay: 1)

        let results = Observable.merge(query, input.refresh.withLatestFrom(query))
            .flatMapLatest { [service, loading, errors] text -> Observable<[String]> in
                guard !text.isEmpty else { return .just([]) }
                return service.search(text)
                    .asObservable()
                    .do(
                        onError: { errors.accept($0) },
                        onSubscribe: { loading.accept(true) },
                        onDispose: { loading.accept(false) }
                    )
                    .catch { _ in .empty() }
            }
            .share(replay: 1, scope: .whileConnected)

        let selected = input.selection
            .withLatestFrom(results) { (index: Int, rows: [String]) -> String? in
                rows.indices.contains(index) ? rows[index] : nil
            }
            .compactMap { $0 }

        return Output(
            results: results, selected: selected,
            isLoading: loading.distinctUntilChanged(),
            errors: errors.map { "\($0)" })
    }
}

// MARK: A form of relays

final class FormViewModel {
    let name = BehaviorRelay<String>(value: "")
    let age = BehaviorRelay<Int?>(value: nil)
    let submit = PublishRelay<Void>()

    private let submittedRelay = PublishRelay<String>()
    private(set) var log: [String] = []
    private let disposeBag = DisposeBag()

    var isValid: Driver<Bool> {
        Observable.combineLatest(name, age) { !$0.isEmpty && ($1 ?? 0) >= 18 }
            .distinctUntilChanged()
            .asDriver(onErrorJustReturn: false)
    }
    var submitted: Observable<String> { submittedRelay.asObservable() }
    var greeting: Driver<String> {
        name.asDriver().filter { !$0.isEmpty }.map { "Hello, \($0)" }.distinctUntilChanged()
    }

    init() {
        submit
            .withLatestFrom(Observable.combineLatest(name, age.compactMap { $0 }), resultSelector: { $1 })
            .map { "\($0.0):\($0.1)" }
            .bind(to: submittedRelay)
            .disposed(by: disposeBag)

        name.skip(1)
            .withUnretained(self)
            .subscribe(onNext: { owner, value in owner.log.append("name \(value)") })
            .disposed(by: disposeBag)

        age.skip(1)
            .bind(with: self) { owner, value in owner.log.append("age \(value.map(String.init) ?? "-")") }
            .disposed(by: disposeBag)

        submit
            .subscribe(
                with: self, onNext: { owner, _ in owner.log.append("submit") },
                onDisposed: { owner in owner.log.append("disposed") }
            )
            .disposed(by: disposeBag)
    }
}

// MARK: A store (scan of actions)

final class CounterStore {
    enum Action { case increment, decrement, set(Int), fail }
    struct State: Equatable { var count = 0; var history: [Int] = [] }

    let actions = PublishSubject<Action>()
    let state: Observable<State>
    private let connection: Disposable

    init() {
        let connectable =
            actions
            .scan(into: State()) { state, action in
                switch action {
                case .increment: state.count += 1
                case .decrement: state.count -= 1
                case .set(let n):
                    guard n >= 0 else { throw RxError.argumentOutOfRange }
                    state.count = n
                case .fail: throw RxError.unknown
                }
                state.history.append(state.count)
            }
            .startWith(State())
            .replay(1)
        state = connectable.asObservable()
        connection = connectable.connect()
    }
    deinit { connection.dispose() }
}

// MARK: .rx on own types

final class Thermometer: ReactiveCompatible {
    fileprivate let readings = PublishSubject<Double>()
    var label = ""
    var unit = "C"
    func measure(_ value: Double) { readings.onNext(value) }
}

extension Reactive where Base == Thermometer {
    var reading: Observable<Double> { base.readings.asObservable() }
    static var name: String { "thermometer" }
}

struct Celsius { let degrees: Double }
extension Celsius: ReactiveCompatible {}
extension Reactive where Base == Celsius {
    var fahrenheit: Single<Double> { .just(base.degrees * 9 / 5 + 32) }
}

// MARK: Driving them

private func collect<O: ObservableConvertibleType>(_ source: O, into write: @escaping (String) -> Void) -> Disposable {
    source.asObservable().subscribe(
        onNext: { write("\($0)") }, onError: { write("error \($0)") }, onCompleted: { write("completed") })
}

final class Lines {
    private let lock = NSLock()
    private var lines: [String] = []
    var all: [String] { lock.lock(); defer { lock.unlock() }; return lines }
    func add(_ s: String) { lock.lock(); lines.append(s); lock.unlock() }
}

func searchViewModelResults() -> [(name: String, actual: [String], expected: [String])] {
    let scheduler = TestScheduler(initialClock: 0)
    let service = FakeSearchService()
    let model = SearchViewModel(service: service, scheduler: scheduler)
    let query = scheduler.createHotObservable([
        .next(210, "s"), .next(213, "sw"), .next(216, "swift"), .next(250, "swift "), .next(300, "fail"),
        .next(350, ""), .next(400, "rx"),
    ])
    let refresh = scheduler.createHotObservable([.next(280, ())])
    let selection = scheduler.createHotObservable([.next(205, 0), .next(290, 1), .next(295, 9), .next(450, 0)])
    let output = model.transform(
        .init(query: query.asObservable(), refresh: refresh.asObservable(), selection: selection.asObservable()))
    let results = scheduler.createObserver([String].self), selected = scheduler.createObserver(String.self)
    let loading = scheduler.createObserver(Bool.self), errors = scheduler.createObserver(String.self)
    let bag = DisposeBag()
    output.isLoading.subscribe(loading).disposed(by: bag)
    output.errors.subscribe(errors).disposed(by: bag)
    output.results.subscribe(results).disposed(by: bag)
    output.selected.subscribe(selected).disposed(by: bag)
    scheduler.start()
    func text<T>(_ o: TestableObserver<T>) -> [String] {
        o.events.map { "\($0.time) \($0.value.element.map { "\($0)" } ?? "end")" }
    }
    return [
        (
            "results", text(results),
            ["226 [\"swift1\", \"swift2\"]", "280 [\"swift1\", \"swift2\"]", "360 []", "410 [\"rx1\", \"rx2\"]"]
        ),
        ("selected", text(selected), ["290 swift2", "450 rx1"]),
        (
            "loading", text(loading),
            [
                "0 false", "226 true", "226 false", "280 true", "280 false", "310 true", "310 false", "410 true",
                "410 false",
            ]
        ),
        ("errors", text(errors), ["310 offline"]),
        ("queries", service.queries, ["swift", "swift", "fail", "rx"]),
    ]
}

func formResults() -> [(name: String, actual: [String], expected: [String])] {
    let valid = Lines(), submitted = Lines(), greeting = Lines(), other = Lines()
    var form: FormViewModel? = FormViewModel()
    weak var weakForm = form
    let bag = DisposeBag()
    form!.isValid.drive(onNext: { valid.add("\($0)") }).disposed(by: bag)
    form!.submitted.subscribe(onNext: { submitted.add($0) }).disposed(by: bag)
    form!.greeting.drive(onNext: { greeting.add($0) }).disposed(by: bag)
    let copy = BehaviorRelay<String>(value: "-")
    form!.greeting.drive(copy).disposed(by: bag)

    form!.submit.accept(())  // age is missing: nothing to combine
    form!.name.accept("Ann"); form!.age.accept(17); form!.age.accept(18)
    form!.submit.accept(())
    form!.name.accept("Ann"); form!.name.accept("")
    other.add(copy.value)
    let log = form!.log
    form = nil
    other.add(weakForm == nil ? "released" : "retained")
    return [
        ("valid", valid.all, ["false", "true", "false"]),
        ("submitted", submitted.all, ["Ann:18"]),
        ("greeting", greeting.all, ["Hello, Ann"]),
        ("log", log, ["submit", "name Ann", "age 17", "age 18", "submit", "name Ann", "name "]),
        ("other", other.all, ["Hello, Ann", "released"]),
    ]
}

func storeResults() -> [(name: String, actual: [String], expected: [String])] {
    let early = Lines(), late = Lines(), events = Lines()
    let store = CounterStore()
    let a = collect(store.state.map { $0.count }, into: early.add)
    let e = collect(store.state.map { $0.count }.materialize().map { $0.isStopEvent }, into: events.add)
    store.actions.onNext(.increment); store.actions.onNext(.increment); store.actions.onNext(.decrement)
    let b = collect(store.state.map { $0.history }, into: late.add)
    store.actions.onNext(.set(-1)); store.actions.onNext(.increment)
    [a, b, e].forEach { $0.dispose() }
    let text = { (lines: [String]) in lines.map { $0.hasPrefix("error") ? "error" : $0 } }
    return [
        ("early", text(early.all), ["0", "1", "2", "1", "error"]),
        ("late", text(late.all), ["[1, 2, 1]", "error"]),
        ("stop events", events.all, ["false", "false", "false", "false", "true", "completed"]),
    ]
}

func reactiveResults() -> [(name: String, actual: [String], expected: [String])] {
    let thermometer = Thermometer(), lines = Lines(), bag = DisposeBag()
    thermometer.rx.reading.map { "\($0)" }.bind(onNext: { thermometer.label = $0 }).disposed(by: bag)
    thermometer.rx.reading.filter { $0 > 30 }.bind(onNext: { lines.add("hot \($0)") }).disposed(by: bag)
    thermometer.measure(20); lines.add(thermometer.label)
    thermometer.measure(31); lines.add(thermometer.label)
    Observable.just("F").bind(onNext: { thermometer.unit = $0 }).disposed(by: bag)
    lines.add(thermometer.unit)
    lines.add(Thermometer.rx.name)
    _ = Celsius(degrees: 100).rx.fahrenheit.subscribe(onSuccess: { lines.add("\($0)") })
    return [("rx", lines.all, ["20.0", "hot 31.0", "31.0", "F", "thermometer", "212.0"])]
}

func driverResults() -> [(name: String, actual: [String], expected: [String])] {
    let d = Lines(), s = Lines(), m = Lines(), c = Lines()
    let subject = PublishSubject<Int>(), bag = DisposeBag()
    let driver = subject.asDriver(onErrorJustReturn: -1)
    driver.drive(onNext: { d.add("A\($0)") }, onCompleted: { d.add("A|") }).disposed(by: bag)
    subject.onNext(1)
    driver.drive(onNext: { d.add("B\($0)") }).disposed(by: bag)  // a Driver replays the last element
    subject.onError(SearchError.offline)

    let relay = PublishRelay<Int>()
    let signal = relay.asObservable()
    signal.subscribe(onNext: { s.add("A\($0)") }).disposed(by: bag)
    relay.accept(1)
    signal.subscribe(onNext: { s.add("B\($0)") }).disposed(by: bag)  // a Signal does not
    relay.accept(2)

    let x = BehaviorRelay(value: 1), y = BehaviorRelay(value: "a")
    Driver.combineLatest(x.asDriver(), y.asDriver()) { "\($0)\($1)" }.drive(onNext: { m.add($0) }).disposed(by: bag)
    x.accept(2); y.accept("b")
    Driver.merge(x.asDriver().map { "\($0)" }, y.asDriver()).drive(onNext: { c.add($0) }).disposed(by: bag)
    x.asDriver().flatMapLatest { n in Driver.of("n\(n)") }.withLatestFrom(y.asDriver()) { $0 + $1 }
        .drive(onNext: { c.add($0) }).disposed(by: bag)
    return [
        ("driver", d.all, ["A1", "B1", "A-1", "B-1", "A|"]),
        ("signal", s.all, ["A1", "A2", "B2"]),
        ("combineLatest", m.all, ["1a", "2a", "2b"]),
        ("merge", Array(c.all.prefix(2)), ["2", "b"]),
    ]
}

func schedulerResults() -> [(name: String, actual: [String], expected: [String])] {
    let done = DispatchSemaphore(value: 0), lines = Lines(), bag = CompositeDisposable()
    let serial = SerialDispatchQueueScheduler(qos: .userInitiated)
    let key = bag.insert(
        Observable.of(1, 2, 3)
            .map { n -> Int in
                lines.add(Thread.isMainThread ? "main" : "back"); return n
            }
            .subscribe(on: ConcurrentDispatchQueueScheduler(qos: .utility))
            .observe(on: serial)
            .subscribe(onNext: { lines.add("\($0)") }, onCompleted: { done.signal() }))
    let ended = done.wait(timeout: .now() + 5) == .success
    if let key = key { bag.remove(for: key) }
    let order = lines.all.filter { Int($0) != nil }, threads = Set(lines.all.filter { Int($0) == nil })
    return [
        ("observe(on:) keeps order", order, ["1", "2", "3"]), ("threads", threads.sorted(), ["back"]),
        ("ended", ["\(ended)", "\(bag.count)"], ["true", "0"]),
    ]
}

func groupedResults() -> [(name: String, actual: [String], expected: [String])] {
    let lines = Lines()
    let serial = SerialDisposable()
    let groups: Observable<GroupedObservable<Int, String>> = Observable.of("a", "bb", "c", "dd", "eee").groupBy(
        keySelector: { $0.count })
    serial.disposable =
        groups
        .flatMap { group in group.scan("\(group.key)") { $0 + $1 } }
        .toArray()
        .subscribe(onSuccess: { lines.add($0.joined(separator: " ")) }, onFailure: { _ in lines.add("error") })
    serial.dispose()
    let last = AsyncSubject<Int>(), memory = ReplaySubject<Int>.create(bufferSize: 1)
    _ = Observable.of(1, 2, 3).subscribe(last); _ = Observable.of(1, 2, 3).subscribe(memory)
    _ = Observable.zip(last, memory) { $0 * 10 + $1 }.subscribe(onNext: { lines.add("\($0)") })
    return [("grouped", lines.all, ["1a 2bb 1ac 2bbdd 3eee", "33"])]
}

func viewModelFailures() -> [String] {
    (searchViewModelResults() + formResults() + storeResults() + reactiveResults() + driverResults()
        + schedulerResults() + groupedResults())
        .compactMap { $0.actual == $0.expected ? nil : "\($0.name): got \($0.actual), expected \($0.expected)" }
}
