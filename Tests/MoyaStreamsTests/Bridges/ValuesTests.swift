import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct ValuesTests {
    private func all<S: AsyncSequence>(_ sequence: S) async throws -> [S.Element] {
        var elements: [S.Element] = []
        for try await element in sequence { elements.append(element) }
        return elements
    }

    @Test func returnsTheValuesAndTheEnd() async throws {
        try await expectEqual(all(Observable.of(1, 2, 3).values), [1, 2, 3])
        await #expect(throws: Failure(id: 2)) {
            try await all(Observable.of(1).concat(Observable.error(Failure(id: 2))).values)
        }
    }

    @Test("R33: no value is lost between the subscription and the first wait")
    func nothingIsLost() async throws {
        let (signal, emitter) = Signal<Int>.pipe()
        var iterator = signal.values.makeAsyncIterator()
        emitter.send(1)
        emitter.send(2)
        try await expectEqual(iterator.next(), 1)
        emitter.complete()
        try await expectEqual(iterator.next(), 2)
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test func returnsTheValuesBeforeAFailure() async throws {
        let (signal, emitter) = Signal<Int>.pipe()
        var iterator = signal.values.makeAsyncIterator()
        emitter.send(1)
        emitter.fail(Failure())
        try await expectEqual(iterator.next(), 1)
        do {
            _ = try await iterator.next()
            Issue.record("did not throw")
        } catch { #expect(error is Failure) }
        #expect(try await iterator.next() == nil)
    }

    @Test(arguments: [
        (BufferingPolicy.unbounded, [1, 2, 3, 4]), (.oldest(2), [1, 2]), (.newest(2), [3, 4]), (.newest(0), []),
    ])
    func buffersAsItIsTold(_ policy: BufferingPolicy, _ expected: [Int]) async throws {
        try await expectEqual(all(Observable.of(1, 2, 3, 4).values(buffering: policy)), expected)
    }

    @Test("R30: leaving the loop cancels the subscription")
    func leavingCancels() async throws {
        let released = Box(false)
        let endless = Observable<Int> { emitter in
            emitter.onTermination { released.value = true }
            emitter.send(1)
        }
        for try await _ in endless.values { break }
        #expect(released.value)
    }

    @Test("R30: cancelling the task cancels the subscription before cancel returns, and the loop ends")
    func cancellingTheTask() async throws {
        let released = Box(false)
        let started = Promise<Bool>()
        let kept = Box<Emitter<Int>?>(nil)
        let endless = Observable<Int> { emitter in
            kept.value = emitter
            emitter.onTermination { released.value = true }
            emitter.send(1)
        }
        let task = Task {
            var count = 0
            for try await _ in endless.values {
                count += 1
                started.fulfill(true)
            }
            return count
        }
        _ = try await started.value()
        task.cancel()
        try await expectEqual(task.value, 1)
        #expect(released.value)
    }

    @Test("100,000 values are received on another thread, in order")
    func acrossThreads() async throws {
        let count = 100_000
        let (signal, emitter) = Signal<Int>.pipe()
        var iterator = signal.values.makeAsyncIterator()
        let producer = Task.detached {
            for number in 0..<count { emitter.send(number) }
            emitter.complete()
        }
        var next = 0
        while let number = try await iterator.next() {
            if number != next { break }
            next += 1
        }
        await producer.value
        expectEqual(next, count)
    }

    @Test("values are received in virtual time")
    func virtualTime() throws {
        let time = VirtualTime()
        let seen = try time.run {
            try await all(Observable<Int>.interval(.seconds(60), on: time).take(3).values)
        }
        expectEqual(seen, [0, 1, 2])
        expectEqual(time.elapsed, .seconds(180))
    }

    @Test("R30: cancelling the task reaches a source that sends while it is subscribed")
    func cancellingWhileSubscribing() async throws {
        let task = Box<Task<Void, any Error>?>(nil)
        let isKept = Promise<Bool>()
        let sent = Box(0)
        let endless = Observable<Int> { emitter in
            while sent.value < 10_000, emitter.send(1) {
                sent.change { $0 += 1 }
                if sent.value == 100 { task.value?.cancel() }
            }
        }
        task.value = Task {
            _ = try await isKept.value()
            for try await _ in endless.values(buffering: .newest(1)) {}
        }
        isKept.fulfill(true)
        try await task.value?.value
        #expect(sent.value < 120)
    }
}
