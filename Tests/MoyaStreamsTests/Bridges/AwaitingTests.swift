import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct AwaitingTests {
    @Test func theFirstValueReleasesTheSource() async throws {
        let released = Box(false)
        let source = Observable<Int> { emitter in
            emitter.onTermination { released.value = true }
            emitter.send(1)
            emitter.send(2)
        }
        try await expectEqual(source.first(), 1)
        #expect(released.value)
    }

    @Test func theOnlyValue() async throws {
        try await expectEqual(Observable.just(1).value(), 1)
        await #expect(throws: StreamError.moreThanOneElement) { try await Observable.of(1, 2).value() }
        await #expect(throws: StreamError.noElements) { try await Observable<Int>.empty().value() }
    }

    @Test func noValueAndFailuresAreThrown() async throws {
        await #expect(throws: StreamError.noElements) { try await Observable<Int>.empty().first() }
        await #expect(throws: Failure(id: 3)) { try await Observable<Int>.error(Failure(id: 3)).first() }
    }

    @Test("R30: cancelling the task cancels the subscription before cancel returns, and throws CancellationError")
    func cancelling() async throws {
        let released = Box(false)
        let started = Promise<Emitter<Int>>()
        let endless = Observable<Int> { emitter in
            emitter.onTermination { released.value = true }
            started.fulfill(emitter)
        }
        let task = Task { try await endless.value() }
        _ = try await started.value()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(released.value)
    }

    @Test("R30: a cancelled task does not wait")
    func cancelledBefore() async throws {
        let isCancelled = Promise<Bool>()
        let task = Task {
            _ = try? await isCancelled.value()
            return try await Observable<Int>.never().first()
        }
        task.cancel()
        isCancelled.fulfill(true)
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("R32: a CancellationError of the stream itself is a failure")
    func foreignCancellation() async throws {
        let events = Log()
        Observable<Int>.error(CancellationError()).subscribe(onError: { events.add("\(type(of: $0))") })
        expectEqual(events.entries, ["CancellationError"])
    }

    @Test("a cancelled task does not run the source")
    func cancelledBeforeStartsNothing() async throws {
        let log = Log()
        let isCancelled = Promise<Bool>()
        let task = Task {
            _ = try? await isCancelled.value()
            return try await Observable<Int> { _ in log.add("produced") }.first()
        }
        task.cancel()
        isCancelled.fulfill(true)
        _ = await task.result
        #expect(log.entries.isEmpty)
    }
}
