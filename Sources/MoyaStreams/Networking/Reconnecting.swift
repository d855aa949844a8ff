import Foundation
public import Moya

extension MoyaProvider {
    /// The events of an event stream that is connected to again whenever it ends (WHATWG HTML, section 9.2.3).
    ///
    /// Each further request has the last id that the stream gave as `Last-Event-ID`, and events without one of their own have it,
    /// too. It waits for as long as the stream asked by `retry`, and otherwise as the policy says, whose retries are counted
    /// anew from each event on. Completes when a response has the status code 204. Fails at once, without another connection,
    /// with `MoyaError.statusCode` when a response has another status code than 200, and with an error of the kind
    /// `badResponse` when it is not of the type `text/event-stream`; their content is not read as events. Fails with the last
    /// failure, of the kind `connectionLost` for a stream that ended, when the policy gives up.
    ///
    /// ```swift
    /// provider.serverSentEvents(.prices, reconnecting: .exponential(initial: .seconds(1), times: 8), on: .background)
    ///     .subscribeNext { print($0.data) }
    /// ```
    /// - Parameters:
    ///   - target: what to call.
    ///   - policy: when to connect again, and after how long.
    ///   - scheduler: the clock of the delays.
    ///   - maximumLength: of how many bytes an event may be.
    public func serverSentEvents(
        _ target: Target, reconnecting policy: RetryPolicy, on scheduler: any Scheduler, maximumLength: Int = 1 << 20
    ) -> Observable<ServerSentEvent> {
        Observable.deferred {
            let state = Guarded(Reconnection())
            let connection = Observable<ServerSentEvent>.deferred {
                let id = state.withLock { $0.id }
                let headers = ["Accept": "text/event-stream", "Last-Event-ID": id.asFieldValue].filter {
                    !$0.value.isEmpty
                }
                return self.requestStream(
                    target, headers: headers, callbackQueue: nil,
                    onHead: { head in try state.withLock { try $0.accept(head) } }
                )
                .parsed { ReconnectionParser(EventStreamParser(maximumLength: maximumLength, lastID: id)) }
                .handleEvents(onNext: { step in state.withLock { $0.take(step) } })
                .compactMap(\.event)
            }
            return Observable.concat([connection, .deferred { try state.withLock { try $0.end() } }])
                .retry(when: { error, _ -> Observable<Int> in
                    let (retry, wait) = state.withLock { $0.nextRetry() }
                    let isRefused = (error as? MoyaError)?.kind == .http || state.withLock { $0.isRefused }
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
    /// The server said 204: there is nothing to connect to any more.
    private var hasEnded = false
    /// The response is no event stream.
    private(set) var isRefused = false
    private var wait: Duration?
    private var retries = 0

    /// - Throws: for a response that is no event stream, which must not be read as one (WHATWG HTML, section 9.2.3).
    mutating func accept(_ head: ResponseHead) throws {
        hasEnded = head.statusCode == 204
        if hasEnded { return }
        isRefused = true
        let response = Response(statusCode: head.statusCode, data: Data(), headers: head.headers)
        guard head.statusCode == 200 else { throw MoyaError.statusCode(response) }
        try head.checkIsEventStream()
        isRefused = false
    }

    mutating func take(_ step: ReconnectionParser.Step) {
        id = step.id
        wait = step.retry ?? wait
        if step.event != nil { retries = 0 }
    }

    /// What follows on the end of a connection: nothing, a failure for good, or one that is worth another try.
    func end() throws -> Observable<ServerSentEvent> {
        if hasEnded { return .empty() }
        throw MoyaError.underlying(URLError(.networkConnectionLost), nil)
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

    mutating func add(_ chunk: Data, to steps: inout [Step]) throws {
        var events: [ServerSentEvent] = []
        let result = Result { try parser.add(chunk, to: &events) }
        steps += events.map { Step(event: $0, id: $0.id, retry: $0.retry) }
        steps.append(Step(id: parser.lastID, retry: parser.retry))
        try result.get()
    }

    mutating func finish() -> [Step] { [] }
}

extension MoyaProvider where Target == MultiTarget {
    /// The events of an event stream for a target of any type; see the other `serverSentEvents`.
    public func serverSentEvents(
        _ target: some RelativeTarget, reconnecting policy: RetryPolicy, on scheduler: any Scheduler,
        maximumLength: Int = 1 << 20
    ) -> Observable<ServerSentEvent> {
        serverSentEvents(MultiTarget(target), reconnecting: policy, on: scheduler, maximumLength: maximumLength)
    }
}

extension String {
    /// Without white space around it, as Fetch normalizes values; empty if it cannot be the value of a field at all.
    fileprivate var asFieldValue: String {
        let value = trimmingCharacters(in: CharacterSet(charactersIn: " \t\r\n"))
        return (try? HTTPHeaders(["Last-Event-ID": value]).validate()) == nil ? "" : value
    }
}
