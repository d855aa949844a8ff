import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct ZipTests {
    let time = VirtualTime()

    private func zipped(_ way: Way, _ a: String, _ b: String) -> Recording<String> {
        time.play(CombinationRule.zip.rows(way, time.cold(a).observable, time.cold(b).observable).map { $0 + $1 })
    }

    @Test(arguments: Way.allCases)
    func pairsTheFirstWithTheFirstAndSoOn(way: Way) {
        expectEqual(zipped(way, "1--2----3-|", "-x----y--z-|"), "-{1x}----{2y}--{3z}|")
    }

    @Test(arguments: Way.allCases)
    func completesAsSoonAsAFinishedStreamHasNothingThatWaits(way: Way) {
        expectEqual(zipped(way, "1-2|", "-x------y-z-|"), "-{1x}------({2y}|)")
        expectEqual(zipped(way, "1--|", "-x--y"), "-{1x}-|")
        expectEqual(zipped(way, "|", "-x--y"), "|")
    }

    @Test(arguments: Way.allCases)
    func theFirstFailureEndsIt(way: Way) {
        expectEqual(zipped(way, "1--#", "-x--y"), "-{1x}-#")
    }

    @Test(arguments: Way.allCases)
    func aCancelReachesAllStreams(way: Way) {
        let (a, b) = (time.cold("---a|"), time.cold("----b|"))
        _ = time.play(CombinationRule.zip.rows(way, a.observable, b.observable).map { $0 + $1 }, during: "^-!")
        expectEqual(a.subscriptions, ["^-!"])
        expectEqual(b.subscriptions, ["^-!"])
    }

    @Test func eachSubscriptionHasItsOwn() {
        let pairs = Observable.zip(Observable.of(1, 2), Observable.of("a", "b")).map { "\($0)\($1)" }
        expectEqual(time.play(pairs), "({1a}{2b}|)")
        expectEqual(time.play(pairs), "({1a}{2b}|)")
    }

    @Test func takesStreamsOfManyTypesOrManyOfOneType() {
        let mixed = Observable.zip(Observable.just(1), Observable.just("b"), Observable.just(true)).map {
            "\($0)\($1)\($2)"
        }
        expectEqual(time.play(mixed), "({1btrue}|)")
        let alike = Observable.zip([time.cold("a-b|").observable, time.cold("-xy|").observable]).map { $0.joined() }
        expectEqual(time.play(alike), "-{ax}{by}|")
        expectEqual(time.play(Observable<[String]>.zip([Observable<String>]()).map(\.count).map(String.init)), "|")
    }

    @Test("R11: during an event, another thread can send", arguments: Way.allCases)
    func noLockIsHeld(way: Way) {
        let (signal, emitter) = Signal<Int>.pipe()
        let log = Log()
        CombinationRule.zip.rows(way, signal.observable, Observable.of(10, 20)).subscribeNext { a, b in
            log.add("\(a + b)")
            if a == 1 { log.add("\(finishesOnAnotherThread { emitter.send(2) })") }
        }
        emitter.send(1)
        expectEqual(log.entries, ["11", "true", "22"])
    }

    @Test("R7: if two threads send, no value is lost or combined with a wrong one", arguments: Way.allCases)
    func racing(way: Way) async throws {
        let (a, first) = Signal<Int>.pipe()
        let (b, second) = Signal<Int>.pipe()
        let sums = Log()
        let done = Promise<Bool>()
        CombinationRule.zip.rows(way, a.observable, b.observable).subscribe(
            onNext: { if $0 != $1 { sums.add("\($0) with \($1)") } }, onCompleted: { done.fulfill(true) })
        inParallel([first, second]) { emitter in
            for number in 0..<5000 { emitter.send(number) }
            emitter.complete()
        }
        #expect(try await done.value())
        #expect(sums.entries.isEmpty)
    }

    @Test("a closure combines the values, and fails the stream if it throws")
    func resultSelector() {
        let (a, b) = (time.cold("1--2-|").observable, time.cold("-x---(y|)").observable)
        expectEqual(time.play(Observable.zip(a, b) { "\($0)\($1)" }).marbles, "-{1x}---({2y}|)")
        #expect(time.play(Observable.zip(a, b, a) { $0 + $1 + $2 }).marbles.contains("2y2"))
        let failing = Observable<Int>.zip(a, b, resultSelector: { _, _ in throw Failure() })
        expectEqual(time.play(failing).marbles, "-#")
    }

    @Test("values that are optional stay so in a combination of three streams")
    func optionals() {
        let sent = Box<[String]>([])
        Observable.zip(Observable<Int?>.of(nil, 1), Observable.of("a", "b"), Observable<Void?>.of((), nil))
            .subscribeNext { first, second, third in
                sent.change { $0.append("\(first as Any) \(second) \(third == nil)") }
            }
        expectEqual(sent.value, ["nil a false", "Optional(1) b true"])
    }
}
