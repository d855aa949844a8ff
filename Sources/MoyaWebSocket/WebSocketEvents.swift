import Foundation
public import Moya
import MoyaScheduling
public import MoyaStreams

/// What happens on the WebSocket of a stream.
public enum WebSocketEvent: Sendable {
    /// The handshake is complete.
    case opened(WebSocket)
    /// The server has sent a message.
    case message(WebSocketMessage)
    /// The connection is closed; the code is ``WebSocketCloseCode/abnormal`` if it was lost.
    case closed(WebSocketCloseCode, reason: String)
}

extension MoyaProvider {
    /// Returns a stream that opens a WebSocket for each subscription, and sends its events.
    ///
    /// ```swift
    /// let policy = RetryPolicy.exponential(initial: .seconds(1), times: 8)
    /// provider.webSocketEvents(.channel("lobby"), sending: outgoing, reconnecting: policy)
    ///     .subscribeNext { event in
    ///         if case .message(let message) = event { print(message) }
    ///     }
    /// ```
    /// The stream completes when the server closes the connection with code 1000, 1001 or none. After a failure, it
    /// connects again if the policy returns a delay, and fails otherwise. It always fails after a refusal with a status
    /// from 400 to 499 except 408 and 429, after the close code 1008, and after a request that cannot be built. A
    /// message resets the number of retries to 0, and so does a connection of half a minute. If a refusal has a field
    /// `Retry-After`, the delay is at least that long; if the field demands more than a minute, the stream fails.
    /// Cancelling the subscription closes the connection with code 1001.
    ///
    /// - Parameters:
    ///   - target: the target of the handshake.
    ///   - outgoing: the messages to send, in order. What it sends while there is no connection waits for the next one.
    ///     A message that was handed to a connection is not sent again, even if that connection is lost. The end of
    ///     this stream, also by an error, leaves the connection open. Cancelling the subscription drops what waits.
    ///   - policy: decides whether and after which delay to connect again. Defaults to never.
    ///   - scheduler: runs the timers of the delays; a virtual clock also runs the code between them.
    ///   - options: the options of each connection.
    ///   - onOpen: called after each handshake, to log in or to subscribe to topics. The messages that wait are sent
    ///     after it has returned, and its error is that of the connection.
    public func webSocketEvents(
        _ target: Target, sending outgoing: some Subscribable<WebSocketMessage> = Observable<WebSocketMessage>.never(),
        reconnecting policy: RetryPolicy? = nil, on scheduler: any Scheduler = .background,
        options: WebSocketOptions = WebSocketOptions(),
        onOpen: @escaping @Sendable (WebSocket) async throws -> Void = { _ in }
    ) -> Observable<WebSocketEvent> {
        Observable.deferred { [outgoing = outgoing.observable] in
            let outbox = Outbox(scheduler)
            let connection = Observable<WebSocketEvent> { emitter in
                // A virtual clock is an executor, too: then the test runs all code.
                let executor = scheduler as? any TaskExecutor
                let task = Task(executorPreference: executor) {
                    await self.send(eventsOf: target, to: emitter, outbox, options, on: executor, onOpen)
                }
                emitter.onTermination { task.cancel() }
            }
            return Observable.using(
                { outgoing.subscribe(onNext: { outbox.add($0) }, onError: { _ in }) },
                stream: { _ in
                    connection.inTrace(.current).retry(when: { error, _ -> Observable<Int> in
                        let retry = outbox.countRetry()
                        guard let policy, !error.isFinalForWebSockets,
                            let delay = policy.delay(beforeRetry: retry, after: error)
                        else { return .error(error) }
                        let requested = (error as? MoyaError)?.response?.retryAfter ?? .zero
                        guard requested <= .seconds(60) else { return .error(error) }
                        return .timer(after: max(delay, requested), on: scheduler)
                    })
                }, close: { $0.cancel() })
        }
    }

    /// Opens a socket and sends its events, until it is closed or the task is cancelled.
    private func send(
        eventsOf target: Target, to emitter: Emitter<WebSocketEvent>, _ outbox: Outbox, _ options: WebSocketOptions,
        on executor: (any TaskExecutor)?, _ onOpen: @Sendable (WebSocket) async throws -> Void
    ) async {
        do throws(MoyaError) {
            let socket = try await webSocket(target, options: options)
            outbox.connected()
            guard emitter.send(.opened(socket)) else { return socket.drop() }
            do {
                try await onOpen(socket)
            } catch {
                // A closure that could not send has not failed itself: the socket has ended.
                let end = error is MoyaError ? socket.session.end : nil
                socket.drop()
                let (code, reason) = end?.closure ?? (.goingAway, "")
                emitter.send(.closed(code, reason: reason))
                switch end {
                case .closed(.normal, _), .closed(.goingAway, _), .closed(.noStatus, _): return emitter.complete()
                case .closed: throw .underlying(WebSocketError.closed(code, reason: reason), nil)
                case .failed(let failure): throw failure
                case nil: throw error as? MoyaError ?? .underlying(error, nil)
                }
            }
            let sending = Task(executorPreference: executor) { await outbox.send(to: socket) }
            let result = await receive(from: socket) { message in
                outbox.resetRetries()
                emitter.send(.message(message))
            }
            // The next connection must not send while this one may still take a message.
            sending.cancel()
            await sending.value
            if let (code, reason) = socket.closure { emitter.send(.closed(code, reason: reason)) }
            try result.get()
            emitter.complete()
        } catch {
            emitter.fail(error)
        }
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Returns a stream of the events of a WebSocket; wraps a target of any type in a `MultiTarget`.
    @_disfavoredOverload
    public func webSocketEvents(
        _ target: some RelativeTarget,
        sending outgoing: some Subscribable<WebSocketMessage> = Observable<WebSocketMessage>.never(),
        reconnecting policy: RetryPolicy? = nil, on scheduler: any Scheduler = .background,
        options: WebSocketOptions = WebSocketOptions(),
        onOpen: @escaping @Sendable (WebSocket) async throws -> Void = { _ in }
    ) -> Observable<WebSocketEvent> {
        webSocketEvents(
            MultiTarget(target), sending: outgoing, reconnecting: policy, on: scheduler, options: options,
            onOpen: onOpen)
    }
}

private func receive(
    from socket: WebSocket, _ handle: (WebSocketMessage) -> Void
) async -> Result<Void, MoyaError> {
    do throws(MoyaError) {
        for try await message in socket.messages { handle(message) }
        return .success(())
    } catch {
        return .failure(error)
    }
}

extension Error {
    fileprivate var isFinalForWebSockets: Bool {
        guard let error = self as? MoyaError else { return true }
        if case .closed(.policyViolation, _) = error.webSocketError { return true }
        if let status = error.response?.statusCode {
            return (400..<500).contains(status) && ![408, 429].contains(status)
        }
        return [.request, .cancelled].contains(error.kind)
    }
}

/// The messages that were not handed to a connection yet, and the number of retries.
private final class Outbox: Sendable {
    private struct State: Sendable {
        var messages = Queue<WebSocketMessage>()
        var waiting: CheckedContinuation<Void, Never>?
        var retries = 0
        /// When the last connection was made.
        var connectedAt: Duration?
    }

    private static let longConnection = Duration.seconds(30)

    private let scheduler: any Scheduler
    private let state = Locked(State())

    init(_ scheduler: any Scheduler) {
        self.scheduler = scheduler
    }

    func connected() {
        let now = scheduler.now
        state.withLock { $0.connectedAt = now }
    }

    func resetRetries() { state.withLock { $0.retries = 0 } }

    /// Returns the number of this retry, from 1.
    func countRetry() -> Int {
        let now = scheduler.now
        return state.withLock { state in
            if let time = state.connectedAt.take(), now - time >= Self.longConnection { state.retries = 0 }
            state.retries += 1
            return state.retries
        }
    }

    func add(_ message: WebSocketMessage) {
        let waiting = state.withLock { state in
            state.messages.append(message)
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// Sends the messages, and removes each one as soon as it cannot be taken back, until the socket is closed or the
    /// task is cancelled.
    func send(to socket: WebSocket) async {
        while !Task.isCancelled {
            guard let message = state.withLock({ $0.messages.head }) else {
                await waitForMessage()
                continue
            }
            do {
                try await socket.session.send(message) { state.withLock { _ = $0.messages.popFirst() } }
            } catch { return }
        }
    }

    private func waitForMessage() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard state.messages.isEmpty, !Task.isCancelled else { return false }
                    state.waiting = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.take() }?.resume()
        }
    }
}
