import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct TasksTests {
    let time = VirtualTime()

    @Test func theResultIsAValueThenCompletion() {
        let time = time
        let stream = Observable(
            on: time,
            task: { () async throws -> String in
                try await time.sleep(for: .milliseconds(2))
                return "a"
            })
        expectEqual(time.play(stream), "--(a|)")
        expectEqual(time.play(stream), "--(a|)")
    }

    @Test("a task of a subscription that virtual time runs is on its clock, without naming it")
    func followsTheClock() throws {
        let time = time
        let later: @Sendable (String) async throws -> String = { name in
            try await time.sleep(for: .milliseconds(2))
            return name.uppercased()
        }
        let mapped = time.cold("a----b|").flatMapLatest { name in Observable(task: { try await later(name) }) }
        for _ in 0..<50 {
            expectEqual(time.play(Observable(task: { try await later("a") })), "--(A|)")
            expectEqual(time.play(mapped), "--A----(B|)")
            let numbers = AsyncStream<String> { continuation in
                continuation.yield("1")
                continuation.finish()
            }
            expectEqual(time.play(Observable.from(numbers)), "(1|)")
        }
        try expectEqual(time.run { try await mapped.toArray().value() }, ["A", "B"])
    }

    @Test("R32: an error of the function fails the stream, also a CancellationError")
    func failures() {
        let failing = Observable<String>(on: time, task: { throw Failure(id: 1) })
        expectEqual(time.play(failing).error as? Failure, Failure(id: 1))
        let cancelled = Observable<String>(on: time, task: { throw CancellationError() })
        #expect(time.play(cancelled).error is CancellationError)
    }

    @Test("R31: a cancel of the subscription cancels the task, and no event follows")
    func cancel() {
        let time = time
        let outcome = Log()
        let stream = Observable<String>(
            on: time,
            task: {
                do {
                    try await time.sleep(for: .seconds(1))
                } catch { outcome.add("\(type(of: error))") }
                return "late"
            })
        expectEqual(time.play(stream, during: "^-!"), "")
        time.run()
        expectEqual(outcome.entries, ["CancellationError"])
    }

    @Test func theValuesOfAnAsynchronousSequence() {
        let numbers = AsyncStream<String> { continuation in
            for number in 1...3 { continuation.yield("\(number)") }
            continuation.finish()
        }
        expectEqual(time.play(Observable.from(numbers, on: time)), "(123|)")
        let failing = AsyncThrowingStream<String, any Error> { $0.finish(throwing: Failure(id: 4)) }
        expectEqual(time.play(Observable.from(failing, on: time)).error as? Failure, Failure(id: 4))
    }

    @Test("R31: a cancel ends the iteration")
    func cancelEndsTheIteration() async throws {
        let ended = Promise<Bool>()
        let endless = AsyncStream<Int> { continuation in
            continuation.onTermination = { _ in ended.fulfill(true) }
            continuation.yield(1)
        }
        let first = Promise<Int>()
        let subscription = Observable.from(endless).subscribeNext { first.fulfill($0) }
        try await expectEqual(first.value(), 1)
        subscription.cancel()
        #expect(try await ended.value())
    }

    @Test func aSignalAndAnAsyncStreamPassThroughEachOther() async throws {
        let (signal, emitter) = Signal<Int>.pipe()
        var iterator = Observable.from(AsyncStream.makeStream(of: Int.self).stream).merge(with: signal).values
            .makeAsyncIterator()
        emitter.send(5)
        try await expectEqual(iterator.next(), 5)
    }
}
