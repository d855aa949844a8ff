import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct ConcatTests {
    let time = VirtualTime()

    @Test func oneAfterTheOther() {
        let second = time.cold("-x|")
        expectEqual(time.play(time.cold("a-b|").concat(second)), "a-b-x|")
        expectEqual(second.subscriptions, ["---^-!"])
        expectEqual(time.play(time.cold("a#").concat(second)), "a#")
        expectEqual(second.subscriptions.count, 1)
        expectEqual(time.play(time.cold("a|").concat(.of("x", "y"))), "a(xy|)")
    }

    @Test func startsWithValues() {
        expectEqual(time.play(time.cold("--b|").startWith("a")), "a-b|")
        expectEqual(time.play(time.cold("--b|").startWith("x", "y")), "(xy)-b|")
    }

    @Test("R16: 50,000 streams one after the other do not grow the stack")
    func stack() {
        let count = Box(0)
        Observable.concat(Array(repeating: Observable.just(1), count: manyTimes)).subscribeNext { _ in
            count.change { $0 += 1 }
        }
        expectEqual(count.value, manyTimes)
    }

    @Test("R16: concatenations of values that are ready may be nested, at their ends, at any depth")
    func nesting() {
        let values = Box(0)
        let count = 3000
        let atEnd = (0..<count).reduce(Observable<Int>.empty()) { rest, number in .concat([.just(number), rest]) }
        let started = (0..<count).reduce(Observable<Int>.empty()) { rest, number in rest.startWith(number) }
        let isReturned = finishesOnAnotherThread {
            for stream in [atEnd, started] { stream.subscribeNext { _ in values.change { $0 += 1 } } }
        }
        #expect(isReturned)
        expectEqual(values.value, 2 * count)
    }

    @Test("the other stream may be written without its type, also if it is made by a closure")
    func implicitMembers() {
        @Sendable func page(_ number: Int) -> Observable<Int> {
            Observable.just(number).concat(.deferred { page(number + 1) })
        }
        expectEqual(time.record(page(1).take(3)).elements, [1, 2, 3])
        let merged = Observable.just(1).merge(with: .deferred { .just(2) }).concat(.from(Result { 3 }))
        expectEqual(time.record(merged).elements, [1, 2, 3])
    }

    @Test("R16: a stream that is concatenated with itself 50,000 times does not grow the stack")
    func recursion() {
        @Sendable func numbers(from first: Int) -> Observable<Int> {
            .concat([.just(first), .deferred { first < manyTimes ? numbers(from: first + 1) : .empty() }])
        }
        let last = Box(0)
        let isCompleted = Box(false)
        numbers(from: 1).subscribe(onNext: { last.value = $0 }, onCompleted: { isCompleted.value = true })
        expectEqual(last.value, manyTimes)
        #expect(isCompleted.value)
    }

    @Test("R4: each stream that ends while it is subscribed is released before the next one is subscribed")
    func releases() {
        let log = Log()
        let stream = Observable<Int> { emitter in
            log.add("subscribe")
            emitter.onTermination { log.add("release") }
            emitter.complete()
        }
        for repeated in [Observable.concat([stream, stream, stream]), stream.repeat(times: 3)] {
            repeated.subscribeNext { _ in }
        }
        expectEqual(log.entries, Array(repeating: ["subscribe", "release"], count: 6).flatMap(\.self))
    }

    @Test("R21: a producer that retains what holds its emitter is released with it")
    func dropped() {
        weak var held: Box<Emitter<Int>?>?
        do {
            let holder = Box<Emitter<Int>?>(nil)
            held = holder
            Observable<Int> { emitter in holder.value = emitter }.concat(Observable.just(9)).subscribeNext { _ in }
        }
        #expect(held == nil)
    }

    @Test("R13: an error of a stream is delivered while its producer runs")
    func errors() {
        let isSeen = Box(false)
        let failing = Observable<Int> { emitter in
            emitter.fail(CancellationError())
            #expect(isSeen.value)
        }
        Observable.concat([.empty(), failing, .just(1)]).subscribe(
            onNext: { _ in }, onError: { _ in isSeen.value = true })
        #expect(isSeen.value)
    }
}
