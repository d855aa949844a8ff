import MoyaStreams
import MoyaTesting
import TestSupport
import XCTest

/// Timers with a duration of zero on the main queue.
///
/// On Linux, Swift Testing does not run tests on the main thread, where the main scheduler can run work synchronously.
/// XCTest does.
final class ZeroDurationTests: XCTestCase {
    private func order(_ operation: (Signal<Int>) -> Observable<Int>) -> [String] {
        let (signal, emitter) = Signal<Int>.pipe()
        let (log, hasCome) = (Log(), expectation(description: "the value arrives"))
        let end: @Sendable () -> Void = { hasCome.fulfill() }
        let subscription = operation(signal).subscribe(
            onNext: { value in
                log.add("\(value)")
                end()
            }, onError: { _ in log.add("failed") })
        emitter.send(1)
        log.add("sent")
        wait(for: [hasCome], timeout: 60)
        subscription.cancel()
        return log.entries
    }

    func testDurationsOfZeroGoThroughTheMainQueue() {
        XCTAssertEqual(order { $0.delay(for: .zero, on: .main) }, ["sent", "1"])
        XCTAssertEqual(order { $0.debounce(for: .zero, on: .main) }, ["sent", "1"])
        XCTAssertEqual(order { $0.buffer(for: .zero, on: .main).compactMap(\.first) }, ["sent", "1"])
        XCTAssertEqual(
            order { $0.flatMap { value in Observable.timer(after: .zero, on: .main).map { _ in value } } },
            ["sent", "1"])
    }

    func testTimeoutOfZeroFailsAfterTheSourceHasRun() {
        let (log, hasFailed) = (Log(), expectation(description: "the stream fails"))
        let end: @Sendable () -> Void = { hasFailed.fulfill() }
        Observable<Int>.never().handleEvents(onSubscribe: { log.add("source") })
            .timeout(after: .zero, on: .main)
            .subscribe(
                onNext: { _ in },
                onError: { _ in
                    log.add("timeout")
                    end()
                })
        log.add("subscribed")
        wait(for: [hasFailed], timeout: 60)
        XCTAssertEqual(log.entries, ["source", "subscribed", "timeout"])
    }

    func testASourceThatSendsAtOnceMeetsATimeoutOfZero() {
        let log = Log()
        Observable.just(1).timeout(after: .zero, on: .main)
            .subscribe(onNext: { log.add("\($0)") }, onError: { _ in log.add("timeout") })
        XCTAssertEqual(log.entries, ["1"])
    }

    func testRetryAfterZeroGoesThroughTheMainQueue() {
        let (log, hasFailed) = (Log(), expectation(description: "the stream fails"))
        let end: @Sendable () -> Void = { hasFailed.fulfill() }
        Observable<Int>.error(Failure()).handleEvents(onSubscribe: { log.add("source") })
            .retry(.constant(.zero, times: 1), on: .main)
            .subscribe(onNext: { _ in }, onError: { _ in end() })
        log.add("subscribed")
        wait(for: [hasFailed], timeout: 60)
        XCTAssertEqual(log.entries, ["source", "subscribed", "source"])
    }

    /// R26: work on the main thread runs synchronously.
    func testObserveOnMainStaysSynchronous() {
        let log = Log()
        Observable.just(1).observe(on: .main).subscribeNext { log.add("\($0)") }
        XCTAssertEqual(log.entries, ["1"])
    }

    func testDurationsOfZeroTakeNoTimeInVirtualTime() {
        let time = VirtualTime()
        XCTAssertEqual(time.play(time.cold("a-b|").delay(for: .zero, on: time)), "a-b|")
        XCTAssertEqual(time.play(time.cold("a-b|").debounce(for: .zero, on: time)), "a-b|")
        XCTAssertEqual(time.play(Observable.timer(after: .zero, on: time)), "(0|)")
    }
}
