import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct CombineLatestTests {
    let time = VirtualTime()

    private func combined(_ way: Way, _ a: String, _ b: String) -> Recording<String> {
        time.play(
            CombinationRule.combineLatest.rows(way, time.cold(a).observable, time.cold(b).observable).map { $0 + $1 })
    }

    @Test(arguments: Way.allCases)
    func sendsTheLatestOfAllOnceAllHaveSent(way: Way) {
        expectEqual(combined(way, "1----2---|", "--x----y---|"), "--{1x}--{2x}-{2y}---|")
        expectEqual(combined(way, "12---3", "--x----y"), "--{2x}--{3x}-{3y}")
    }

    @Test(arguments: Way.allCases)
    func completesWhenAllHaveOrOneHasSentNothing(way: Way) {
        expectEqual(combined(way, "1|", "--x|"), "--{1x}|")
        expectEqual(combined(way, "-|", "--x|"), "-|")
    }

    @Test(arguments: Way.allCases)
    func theFirstFailureEndsIt(way: Way) {
        expectEqual(combined(way, "1--#", "-x--y|"), "-{1x}-#")
    }

    @Test(arguments: Way.allCases)
    func aCancelReachesAllStreams(way: Way) {
        let (a, b) = (time.cold("---a|"), time.cold("----b|"))
        _ = time.play(
            CombinationRule.combineLatest.rows(way, a.observable, b.observable).map { $0 + $1 }, during: "^-!")
        expectEqual(a.subscriptions, ["^-!"])
        expectEqual(b.subscriptions, ["^-!"])
    }

    @Test func takesStreamsOfManyTypesOrManyOfOneType() {
        let mixed = Observable.combineLatest(Observable.just(1), Observable.just("b"), Observable.just(true)).map {
            "\($0)\($1)\($2)"
        }
        expectEqual(time.play(mixed), "({1btrue}|)")
        let streams = ["a-b|", "-x-y|"].map { time.cold($0).observable }
        expectEqual(time.play(Observable.combineLatest(streams).map { $0.joined() }), "-{ax}{bx}({by})|")
        expectEqual(
            time.play(Observable<[String]>.combineLatest([Observable<String>]()).map(\.count).map(String.init)), "|")
    }

    @Test("R11: during an event, another thread can send", arguments: Way.allCases)
    func noLockIsHeld(way: Way) {
        let (signal, emitter) = Signal<Int>.pipe()
        let log = Log()
        CombinationRule.combineLatest.rows(way, signal.observable, Observable.just(10)).subscribeNext { a, b in
            log.add("\(a + b)")
            if a == 1 { log.add("\(finishesOnAnotherThread { emitter.send(2) })") }
        }
        Observable.just(1).subscribeNext { emitter.send($0) }
        expectEqual(log.entries, ["11", "true", "12"])
    }

    @Test("R7, R8: if two threads send, every value is delivered, in the order of its stream", arguments: Way.allCases)
    func racing(way: Way) async throws {
        let (a, first) = Signal<Int>.pipe()
        let (b, second) = Signal<Int>.pipe()
        let seen = Box((count: 0, last: (0, 0), backwards: 0))
        let done = Promise<Bool>()
        CombinationRule.combineLatest.rows(way, a.observable.startWith(0), b.observable.startWith(0)).subscribe(
            onNext: { pair in
                seen.change {
                    $0.count += 1
                    if pair.0 < $0.last.0 || pair.1 < $0.last.1 { $0.backwards += 1 }
                    $0.last = pair
                }
            }, onCompleted: { done.fulfill(true) })
        inParallel([first, second]) { emitter in
            for number in 1...5000 { emitter.send(number) }
            emitter.complete()
        }
        #expect(try await done.value())
        expectEqual(seen.value.count, 10_001)
        expectEqual(seen.value.backwards, 0)
        #expect(seen.value.last == (5000, 5000))
    }

    @Test("a closure combines the values, and fails the stream if it throws")
    func resultSelector() {
        let (a, b) = (time.cold("1--2-|").observable, time.cold("-x---(y|)").observable)
        expectEqual(time.play(Observable.combineLatest(a, b) { "\($0)\($1)" }).marbles, "-{1x}-{2x}-({2y}|)")
        #expect(time.play(Observable.combineLatest(a, b, a) { $0 + $1 + $2 }).marbles.contains("2y2"))
        let failing = Observable<Int>.combineLatest(a, b, resultSelector: { _, _ in throw Failure() })
        expectEqual(time.play(failing).marbles, "-#")
    }
}
