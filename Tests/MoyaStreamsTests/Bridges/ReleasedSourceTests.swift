import Foundation
import Moya
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

/// Sources that release their observers without an end.
@Suite(.queued, .timeLimit(.minutes(10))) struct ReleasedSourceTests {
    /// A source that drops its observer after one value, through operators.
    enum Chain: CaseIterable {
        case plain, map, share, shareForever, flatMap, observe, merge, combine, scan, catching, signal, debounce

        func stream(of source: Observable<Int>) -> Observable<Int> {
            switch self {
            case .plain: source
            case .map: source.map { $0 + 0 }.filter { _ in true }
            case .share: source.share(replay: .latest(1))
            case .shareForever: source.share(scope: .forever)
            case .flatMap: Observable.just(0).flatMap { _ in source }
            case .observe: source.observe(on: .background)
            case .merge: Observable.merge(source, .never())
            case .combine: Observable.combineLatest(source, Observable.just(0)) { left, _ in left }
            case .scan: source.scan(0) { $0 + $1 }.distinctUntilChanged()
            case .catching: source.catch { _ in .just(3) }.retry(times: 1)
            case .signal: source.multicast().signal.observable
            case .debounce: source.debounce(for: .milliseconds(1), on: .background)
            }
        }
    }

    @Test("awaiting a stream that can send nothing ends", arguments: Chain.allCases)
    func never(_ chain: Chain) async throws {
        await #expect(throws: StreamError.noElements) { try await chain.stream(of: .never()).first() }
        await #expect(throws: StreamError.noElements) { try await chain.stream(of: .never()).value() }
        var count = 0
        for try await _ in chain.stream(of: .never()).values { count += 1 }
        expectEqual(count, 0)
    }

    @Test("values ends after the last value that the source has sent, and releases what the stream holds")
    func valuesEnd() async throws {
        let isReleased = Box(false)
        let source = Observable<Int> { emitter in
            emitter.onTermination { isReleased.value = true }
            emitter.send(1)
            emitter.send(2)
        }
        var values: [Int] = []
        for try await value in source.values { values.append(value) }
        expectEqual(values, [1, 2])
        #expect(isReleased.value)
    }

    @Test("a value that is not followed by an end is not the only value")
    func valueNeedsTheEnd() async throws {
        let isReleased = Box(false)
        let source = Observable<Int> { emitter in
            emitter.onTermination { isReleased.value = true }
            emitter.send(1)
        }
        await #expect(throws: StreamError.noElements) { try await source.value() }
        #expect(isReleased.value)
        try await expectEqual(source.first(), 1)
    }

    @Test("a waiting task is resumed when the emitter of a signal is released, although the signal is not")
    func emitterIsReleased() async throws {
        let emitter = Box<Emitter<Int>?>(nil)
        let signal: Signal<Int>
        (signal, emitter.value) = Signal<Int>.pipe()
        let isWaiting = Promise<Bool>()
        let task = Task { [signal] in
            var iterator = signal.values.makeAsyncIterator()
            isWaiting.fulfill(true)
            return try await iterator.next()
        }
        _ = try await isWaiting.value()
        emitter.value?.send(4)
        try await expectEqual(task.value, 4)
        let second = Task { [signal] in try await signal.map { $0 }.first() }
        while !signal.hasObservers { await Task.yield() }
        emitter.value = nil
        await #expect(throws: StreamError.noElements) { try await second.value }
        await #expect(throws: StreamError.noElements) { try await signal.first() }
        #expect(!signal.hasObservers)
    }

    @Test("R3: a plain subscriber receives no event", arguments: Chain.allCases)
    func plainSubscribers(_ chain: Chain) {
        let log = Log()
        chain.stream(of: .never()).subscribe { log.add("\($0)") }
        #expect(log.entries.isEmpty)
    }

    @Test("R4: a failure is thrown although the source is released before it", arguments: Chain.allCases)
    func failures(_ chain: Chain) async throws {
        guard ![.catching, .signal].contains(chain) else { return }
        for _ in 0..<20 {
            let source = Observable<Int> { emitter in
                Thread.detachNewThread { emitter.fail(Failure(id: 5)) }
            }
            await #expect(throws: Failure(id: 5)) { try await chain.stream(of: source).first() }
            await #expect(throws: Failure(id: 5)) {
                for try await _ in chain.stream(of: source).values {}
            }
        }
    }

    @Test("values of a shared stream are not ended by the cancel of another task that delivers")
    func anotherTaskDelivers() async throws {
        let shared = Observable<Int> { emitter in
            let time = VirtualTime()
            let other = Task.detached(executorPreference: time) {
                for value in 0..<100 { emitter.send(value) }
                emitter.complete()
            }
            other.cancel()
            // The cancelled task sends its values while the iterator subscribes.
            #expect(finishesOnAnotherThread { time.run() })
        }.share()
        var values: [Int] = []
        for try await value in shared.values { values.append(value) }
        expectEqual(values, Array(0..<100))
    }
}
