import Foundation
public import Moya

extension MoyaProvider {
    /// The events of an event stream that is connected to again whenever it ends (WHATWG HTML, section 9.2.3).
    ///
    /// Each further request has the last id that the stream gave as `Last-Event-ID`, and events without one of their own have it,
    /// too. It waits for as long as the stream asked by `retry`, and otherwise as the policy says, whose retries are counted
    /// anew from each event on. Completes when an answer has the status code 204; fails with `MoyaError.statusCode` when one
    /// has another than 200, or with the last failure, of the kind `connectionLost` for a stream that ended, when the policy
    /// gives up.
    ///
    /// ```swift
    /// provider.serverSentEvents(.prices, reconnecting: .exponential(initial: .seconds(1), times: 8), on: .background)
    ///     .subscribeNext { print($0.data) }
    /// ```
    /// - Parameters:
    ///   - target: what to call.
    ///   - policy: when to connect again, and after how long.
    ///   - scheduler: the clock of the delays.
    ///   - longest: of how many bytes an event may be.
    public func serverSentEvents(
        _ target: Target, reconnecting policy: RetryPolicy, on scheduler: any Scheduler, longest: Int = 1 << 20
    ) -> Observable<ServerSentEvent> {
        Observable.deferred {
            let state = Guarded(Reconnection())
            let connection = Observable<ServerSentEvent>.deferred {
                let id = state.withLock { $0.id }
                let headers = ["Accept": "text/event-stream", "Last-Event-ID": id].filter { !$0.value.isEmpty }
                return self.requestStream(
                    target, headers: headers, callbackQueue: nil,
                    onHead: { head in state.withLock { $0.statusCode = head.statusCode } }
                )
                .parsed { ReconnectionParser(EventStreamParser(longest: longest, lastID: id)) }
                .handle(onNext: { step in state.withLock { $0.take(step) } })
                .compactMap(\.event)
            }
            return Observable.concat([connection, .deferred { try state.withLock { try $0.end() } }])
                .retry(when: { error, _ -> Observable<Int> in
                    let (retry, wait) = state.withLock { $0.nextRetry() }
                    let isRefused = (error as? MoyaError)?.kind == .http
                    guard !isRefused, let delay = policy.delay(beforeRetry: retry, after: error) else {
                        return .error(error)
                    }
                    return .timer(after: wait ?? delay, on: scheduler)
                })
        }
    }
}

/// What is known of the stream from one connection to the next.
private struct Reconnection: Sendable {
    var id = ""
    var statusCode = 200
    private var wait: Duration?
    private var retries = 0

    mutating func take(_ step: ReconnectionParser.Step) {
        id = step.id
        wait = step.retry ?? wait
        if step.event != nil { retries = 0 }
    }

    /// What follows on the end of a connection: nothing, a failure for good, or one that is worth another try.
    func end() throws -> Observable<ServerSentEvent> {
        switch statusCode {
        case 204: .empty()
        case 200: throw MoyaError.underlying(URLError(.networkConnectionLost), nil)
        default: throw MoyaError.statusCode(Response(statusCode: statusCode, data: Data()))
        }
    }

    /// Its number since the last event, and how long the stream wants to be left alone.
    mutating func nextRetry() -> (number: Int, wait: Duration?) {
        retries += 1
        return (retries, wait)
    }
}

/// The events of a stream, and behind those of a chunk where the stream is then: ids and times count without events, too.
private struct ReconnectionParser: ChunkParser {
    struct Step: Sendable {
        var event: ServerSentEvent?
        let id: String
        let retry: Duration?
    }

    private var parser: EventStreamParser

    init(_ parser: EventStreamParser) {
        self.parser = parser
    }

    mutating func add(_ chunk: Data) throws -> [Step] {
        let steps = try parser.add(chunk).map { Step(event: $0, id: $0.id, retry: $0.retry) }
        return steps + [Step(id: parser.lastID, retry: parser.retry)]
    }

    mutating func finish() -> [Step] { [] }
}

extension MoyaProvider where Target == MultiTarget {
    /// The events of an event stream for a target of any type; see the other `serverSentEvents`.
    public func serverSentEvents(
        _ target: some RelativeTarget, reconnecting policy: RetryPolicy, on scheduler: any Scheduler,
        longest: Int = 1 << 20
    ) -> Observable<ServerSentEvent> {
        serverSentEvents(MultiTarget(target), reconnecting: policy, on: scheduler, longest: longest)
    }
}
