import MoyaStreams
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct UsingTests {
    let log = Log()

    private func stream(_ make: @escaping @Sendable (Int) throws -> Observable<Int>) -> Observable<Int> {
        let count = Box(0)
        return .using {
            count.change { $0 += 1 }
            self.log.add("open \(count.value)")
            return count.value
        } stream: {
            try make($0)
        } close: {
            self.log.add("close \($0)")
        }
    }

    private func subscribe(_ stream: Observable<Int>) -> Subscription {
        stream.subscribe(
            onNext: { self.log.add("\($0)") }, onError: { _ in self.log.add("failed") },
            onCompleted: { self.log.add("completed") })
    }

    @Test("R4: the resource is opened for each subscription and closed once after its completion")
    func completion() {
        let stream = stream { .of($0 * 10) }
        _ = (subscribe(stream), subscribe(stream))
        expectEqual(log.entries, ["open 1", "10", "completed", "close 1", "open 2", "20", "completed", "close 2"])
    }

    @Test("R4: the resource is closed before a failure is delivered")
    func failure() {
        _ = subscribe(stream { _ in .error(Failure()) })
        _ = subscribe(stream { _ in throw Failure() })
        expectEqual(log.entries, ["open 1", "close 1", "failed", "open 1", "close 1", "failed"])
    }

    @Test("R5: the resource is closed by a cancel")
    func cancel() {
        subscribe(stream { _ in .never() }).cancel()
        expectEqual(log.entries, ["open 1", "close 1"])
    }

    @Test("R17: a resource that cannot be opened fails the stream, and is not closed")
    func failingOpen() {
        _ = subscribe(
            .using {
                throw Failure()
            } stream: { (_: Int) in
                .never()
            } close: { _ in
                self.log.add("closed")
            })
        expectEqual(log.entries, ["failed"])
    }

    @Test("a resource whose subscription is cancelled while it is opened is closed, and not used")
    func cancelledWhileOpening() {
        let log = log
        let (trigger, emitter) = Signal<Int>.pipe()
        Observable<Int>.using {
            emitter.send(0)
            log.add("open")
            return 1
        } stream: { _ in
            log.add("stream")
            return .never()
        } close: { _ in
            log.add("close")
        }.take(until: trigger).subscribeNext { _ in }
        expectEqual(log.entries, ["open", "close"])
    }
}
