import Foundation

extension MoyaProvider {
    /// Returns a stream of server-sent events that reconnects when a connection ends (WHATWG HTML, section 9.2.3).
    ///
    /// Each further request contains the last event ID of the server in the field `Last-Event-ID`. An event without an
    /// ID gets the last event ID, too. All requests have `Cache-Control: no-store`, so that no cache replays them.
    ///
    /// The server may request a delay with a `retry` field. The first retry after an event uses the delay of the
    /// server, if any, and otherwise the delay of the policy. Each further retry uses the longer of the two delays.
    ///
    /// The server may be silent for any time unless you set `Timeouts.idle`: after a longer silence, the stream
    /// reconnects. Such a reconnection is the first retry for the policy, however many there were before. If the
    /// transport cannot detect the loss of a silent server (`TransportCapabilities.keepAlive`), the idle timeout
    /// defaults to two minutes, for example with `URLSession`; `Timeouts(idle: nil)` removes it.
    ///
    /// Completes after a response with the status code 204. The end of any other response is an error of the kind
    /// `connectionLost`. After an error, the stream reconnects if the policy returns a delay, and fails otherwise. It
    /// always fails after these errors:
    /// - a status code other than 200 and 204 (`MoyaError.statusCode`)
    /// - a content type other than `text/event-stream` (an error of the kind `badResponse`)
    /// - an event that is too long (`StreamingError`)
    /// - a request that cannot be built, or that `cancelAll()` has cancelled
    ///
    /// ```swift
    /// provider.serverSentEvents(.prices, reconnecting: .exponential(initial: .seconds(1), times: 8), on: .background)
    ///     .subscribeNext { print($0.data) }
    /// ```
    /// - Parameters:
    ///   - target: the target of the requests.
    ///   - policy: decides whether and after which delay to reconnect. Each event resets the number of retries to 0.
    ///   - scheduler: runs the timers of the delays. The stream reconnects on this scheduler.
    ///   - maximumLength: the maximum length of an event in bytes.
    public func serverSentEvents(
        _ target: Target, reconnecting policy: RetryPolicy, on scheduler: any Scheduler, maximumLength: Int = 1 << 20
    ) -> Observable<ServerSentEvent> {
        eventsWithHeads(target, policy, scheduler, maximumLength).map(\.event)
    }

    func eventsWithHeads(
        _ target: Target, _ policy: RetryPolicy, _ scheduler: any Scheduler, _ maximumLength: Int
    ) -> Observable<(event: ServerSentEvent, head: ResponseHead)> {
        Observable.deferred {
            let state = Locked(ReconnectionState())
            // A transport that cannot detect a lost server gets an idle timeout: the time that `CurlTransport` needs.
            let findsLostServers = self.configuration.transport.capabilities.contains(.keepAlive)
            let connection = Observable<(event: ServerSentEvent, head: ResponseHead)>.deferred {
                let (id, _) = state.withLock { $0.connect() }
                let field = String(id.trimmed)
                let isSent = !field.isEmpty && !field.utf8.contains(where: \.isControl)
                return self.requestStream(
                    target, headers: isSent ? ["Last-Event-ID": field] : [:], isEventStream: true,
                    eventStreamIdle: findsLostServers ? nil : .seconds(120)
                ) { head in try state.withLock { try $0.receive(head) } }
                .parsed {
                    let events = EventStreamParser(maximumLength: maximumLength, lastID: id)
                    let parser = ReconnectionParser(parser: events) { parser in state.withLock { $0.take(parser) } }
                    return self.checking(parser) { state.withLock { $0.head } }
                }
                .mapError { error in (error as? MoyaError).map { self.decodingErrorBody(of: $0.orRefusal) } ?? error }
                .compactMap { event in state.withLock { $0.receive(event) } }
            }
            return Observable.concat([connection.inTrace(.current), .deferred { try state.withLock { try $0.end() } }])
                .retry(when: { error, _ -> Observable<Int> in
                    guard let (retry, serverDelay) = state.withLock({ $0.nextRetry(after: error) }),
                        let delay = policy.delay(beforeRetry: retry, after: error)
                    else { return .error(error) }
                    return .timer(
                        after: retry == 1 ? serverDelay ?? delay : max(serverDelay ?? .zero, delay), on: scheduler)
                })
        }
    }
}

extension MoyaError {
    /// The refusal, if the connection was lost, or was silent, after a part of a refused response.
    fileprivate var orRefusal: MoyaError {
        guard case .underlying(_, let response?) = self, [.connectionLost, .timeout].contains(kind),
            ![200, 204].contains(response.statusCode)
        else { return self }
        return .statusCode(response)
    }
}

private struct ReconnectionState: Sendable {
    private var id = ""
    /// The head of the last response; `nil` while a connection has none.
    private(set) var head: ResponseHead?
    private var serverDelay: Duration?
    private var retries = 0

    /// Returns the last event's ID, and the former head, to be released outside the lock.
    mutating func connect() -> (id: String, former: ResponseHead?) { (id, head.take()) }

    /// A response that is refused, or no event stream, ends the reconnecting (WHATWG HTML, section 9.2.3).
    mutating func receive(_ head: ResponseHead) throws {
        self.head = head
        if head.statusCode == 200 { try head.checkIsEventStream() }
    }

    mutating func receive(_ event: ServerSentEvent) -> (event: ServerSentEvent, head: ResponseHead)? {
        retries = 0
        return head.map { (event, $0) }
    }

    private var isRefused: Bool {
        guard let head, head.statusCode != 204 else { return false }
        return head.statusCode != 200 || (try? head.checkIsEventStream()) == nil
    }

    mutating func take(_ parser: EventStreamParser) {
        id = parser.lastID
        serverDelay = parser.retry ?? serverDelay
    }

    /// Returns an empty stream after the status code 204; otherwise throws an error, so that `retry` reconnects.
    func end<Element>() throws -> Observable<Element> {
        if head?.statusCode == 204 { return .empty() }
        throw MoyaError.underlying(URLError(.networkConnectionLost, "the server has ended the event stream"), nil)
    }

    mutating func nextRetry(after error: any Error) -> (number: Int, serverDelay: Duration?)? {
        guard !isRefused, !isFinal(error) else { return nil }
        // Silence is no failure of an event stream, so that it does not use up the retries of the policy.
        if head?.statusCode == 200, (error as? MoyaError)?.kind == .timeout { retries = 0 }
        retries += 1
        return (retries, serverDelay)
    }

    private func isFinal(_ error: any Error) -> Bool {
        guard let error = error as? MoyaError else { return error is StreamingError }
        return [.http, .request, .cancelled].contains(error.kind)
    }
}

/// Reports the last event ID and the requested delay after each chunk, because a chunk may contain no event.
private struct ReconnectionParser: ChunkParser {
    var parser: EventStreamParser
    let report: @Sendable (EventStreamParser) -> Void

    mutating func add(_ chunk: Data, to events: inout [ServerSentEvent]) throws {
        defer { report(parser) }
        try parser.add(chunk, to: &events)
    }

    mutating func finish() -> [ServerSentEvent] { [] }
}

extension MoyaProvider where Target == MultiTarget {
    /// Returns a stream of server-sent events that reconnects; wraps a target of any type in a `MultiTarget`.
    public func serverSentEvents(
        _ target: some RelativeTarget, reconnecting policy: RetryPolicy, on scheduler: any Scheduler,
        maximumLength: Int = 1 << 20
    ) -> Observable<ServerSentEvent> {
        serverSentEvents(MultiTarget(target), reconnecting: policy, on: scheduler, maximumLength: maximumLength)
    }
}
