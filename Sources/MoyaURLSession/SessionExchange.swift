import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An exchange performed by a `URLSession`, with workarounds for Foundation on Linux.
///
/// There, the process crashes if a task is cancelled while it completes or handles a redirect. So a cancel holds the
/// lock of `state` until Foundation's internal queue has processed it, and runs on a separate queue, because the
/// internal queue can't wait for itself.
final class SessionExchange: TransportExchange {
    private struct State: Sendable {
        /// The running task; `nil` before and after it.
        var task: URLSessionTask?
        /// Sends the request again with a new task; `nil` after the end, because it retains this exchange.
        var restart: (@Sendable () -> Void)?
        /// Whether the task was cancelled, by the user or by `SessionExchange`.
        var isTaskCancelled = false
        var isCancelled = false
        /// Whether the task was cancelled only to deliver a challenge, so that the cancellation is not an error.
        var deliversChallenge = false
        var hasStartedOver = false
        var head: ResponseHead?
        var isHeadDelivered = false
        var content: [Data] = []
        var bytesSent: Int64 = 0
        var received = 0
        var unconsumed = 0
        var isSuspended = false
        var failure: URLError?
        var metrics = TransportMetrics()
        var pump: RequestBodyPump?
    }

    private static let cancellations = DispatchQueue(label: "moya.urlsession.cancel")
    /// On Linux, Foundation would send a suspended request again.
    #if canImport(FoundationNetworking)
        static let canSuspend = false
        /// Whether Foundation may report the head of a proxy's tunnel before that of the server.
        static let mayUseTunnels = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].contains {
            ProcessInfo.processInfo.environment[$0]?.isEmpty == false
        }
    #else
        static let canSuspend = true
        static let mayUseTunnels = false
    #endif

    private let request: TransportRequest
    /// The exchange fails if the number of unconsumed bytes exceeds both this number and `window`.
    private let maximumBufferedBytes: Int
    private let receive: @Sendable (TransportEvents) -> Void
    /// Whether a head without content may be that of a proxy's tunnel.
    private let mayUseTunnel: Bool
    private let state: Locked<State>
    private let begun = MonotonicTime.now
    // Whether the task is cancelled to send the request again. Not part of `state`: it is set on Foundation's internal
    // queue, which must not wait for a lock that a cancel holds while it waits for the queue.
    private let startsOver = Atomic<Bool>(false)

    /// - Parameter pump: reads the content before the task starts; after a cancel, the transport calls ``end(_:on:)``.
    init(
        _ request: TransportRequest, maximumBufferedBytes: Int, pump: RequestBodyPump? = nil,
        mayUseTunnels: Bool = SessionExchange.mayUseTunnels, _ receive: @escaping @Sendable (TransportEvents) -> Void
    ) {
        self.request = request
        mayUseTunnel = mayUseTunnels && request.url.isSecure
        self.maximumBufferedBytes = maximumBufferedBytes
        state = Locked(State(pump: pump))
        self.receive = receive
    }

    func begin(
        _ session: URLSession, _ delegate: SessionDelegate, _ makeTask: @escaping @Sendable () throws -> URLSessionTask
    ) {
        let run: @Sendable () -> Void = { [self] in
            do {
                guard !isCancelled else { throw URLError(.cancelled) }
                let task = try makeTask()
                delegate.register(self, for: task)
                state.withLock { state in
                    state.task = task
                    state.isTaskCancelled = false
                    state.isSuspended = false
                }
                task.resume()
                if isCancelled { cancelTask(task) }
            } catch {
                end(error as? URLError ?? .unreadableContent(error), on: session.delegateQueue)
            }
        }
        state.withLock { $0.restart = run }
        run()
    }

    /// Reports that the content is being read, so that the idle time begins again.
    func reportReading(on queue: OperationQueue) {
        queue.addOperation { [self] in if !isCancelled { receive(TransportEvents()) } }
    }

    /// Ends the exchange without a task, because it could not be created.
    func end(_ error: URLError, on queue: OperationQueue) {
        _ = state.withLock { $0.restart.take() }
        queue.addOperation { [self] in
            receive(TransportEvents(outcome: TransportOutcome(error: isCancelled ? URLError(.cancelled) : error)))
        }
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        let (task, pump) = state.withLock { state in
            state.isCancelled = true
            return (state.task, state.pump)
        }
        if let task { cancelTask(task) } else { pump?.cancel() }
    }

    func acknowledge(_ bytes: Int) {
        state.withLock { state in
            state.unconsumed = max(state.unconsumed - max(bytes, 0), 0)
            if state.isSuspended, let window, state.unconsumed <= window / 2 { resumeTask(&state) }
        }
    }

    private var window: Int? { if case .chunks(let window) = request.delivery { window } else { nil } }

    private func resumeTask(_ state: inout State) {
        guard state.isSuspended else { return }
        state.isSuspended = false
        state.task?.resume()
    }

    private func cancelTask(_ task: URLSessionTask) {
        Self.cancellations.async { [self] in
            state.withLock { state in
                guard !state.isTaskCancelled, state.task === task else { return }
                state.isTaskCancelled = true
                task.cancel()
                resumeTask(&state)
                // Reading the priority waits until Foundation's internal queue has processed the cancel.
                _ = task.priority
            }
        }
    }

    #if canImport(FoundationNetworking)
        /// Calls a completion handler of Foundation, unless the task was cancelled; a call after a cancel would crash.
        func unlessCancelled(_ callback: () -> Void) {
            state.withLock { if !$0.isTaskCancelled { callback() } }
        }
    #endif

    func deliverChallenge(_ task: URLSessionTask) {
        state.withLock { $0.deliversChallenge = true }
        cancelTask(task)
    }

    #if !canImport(FoundationNetworking)
        var hasStream: Bool { if case .stream = request.body { true } else { false } }

        /// Opens the content of a stream: again only for a repeatable request, whose connection was closed.
        func openStream(_ task: URLSessionTask, _ open: @escaping @Sendable (InputStream?) -> Void) {
            let pump = RequestBodyPump()
            let former = state.withLock { exchange(&$0.pump, with: pump) }
            former?.cancel()
            guard former == nil || request.isRepeatable else {
                fail(.notRepeated(request))
                return open(nil)
            }
            pump.stream(request.body, open) { [weak self] error in self?.fail(.unreadableContent(error)) }
        }
    #endif

    /// Sends a repeatable request again after a reused connection was closed; any other request fails.
    func startOver(_ task: URLSessionTask) {
        startsOver.store(true, ordering: .releasing)
        cancelTask(task)
    }
}

extension SessionExchange {
    func received(_ response: HTTPURLResponse) {
        let isInterim = (100..<200).contains(response.statusCode) && response.statusCode != 101
        // An interim response shows that the server is there.
        guard !isInterim else { return receive(TransportEvents()) }
        let head = ResponseHead(response)
        guard head.headers.hasValidContentLength else {
            let reason = "the response has an invalid Content-Length"
            return fail(URLError(.badServerResponse, .waitingForResponse, request.url, reason))
        }
        let isFirst = state.withLock { state in
            defer { state.head = head }
            guard state.head == nil else { return false }
            state.metrics.firstByte = MonotonicTime.now - begun
            guard !mayUseTunnel, isDeliveredOnArrival(head) else { return false }
            state.isHeadDelivered = true
            return true
        }
        // A head that is delivered later shows that the server is there.
        receive(TransportEvents(head: isFirst ? head : nil))
    }

    func received(_ data: Data) {
        let result = state.withLock { state -> Result<TransportEvents, URLError>? in
            guard state.failure == nil else { return nil }
            let isDelivered = isDeliveredOnArrival(state.head)
            state.received += data.count
            if let failure = failure(for: data, isDelivered, &state) { return .failure(failure) }
            guard isDelivered else {
                state.content.append(data)
                return .success(TransportEvents())
            }
            let isFirst = !exchange(&state.isHeadDelivered, with: true)
            return .success(TransportEvents(head: isFirst ? state.head : nil, chunks: [data]))
        }
        switch result {
        case .success(let events): receive(events)
        case .failure(let failure): fail(failure)
        case nil: break
        }
    }

    /// Suspends the task if too much is unconsumed; returns an error if it can't, or if the response is too large.
    private func failure(for data: Data, _ isDelivered: Bool, _ state: inout State) -> URLError? {
        if let limit = request.maximumResponseSize, state.received > limit { return .tooLarge(limit: limit) }
        guard isDelivered else { return nil }
        state.unconsumed += data.count
        guard let window, state.unconsumed >= max(window, 1) else { return nil }
        if Self.canSuspend, !state.isSuspended, !state.isTaskCancelled {
            state.isSuspended = true
            state.task?.suspend()
        }
        guard state.unconsumed > max(window, maximumBufferedBytes) else { return nil }
        return URLError(
            .dataLengthExceedsMaximum,
            "the receiver has not consumed \(state.unconsumed) bytes, and URLSession on Linux cannot stop reading: consume "
                + "the content faster, or use CurlTransport")
    }

    private func isDeliveredOnArrival(_ head: ResponseHead?) -> Bool {
        request.delivery != .whole || head?.isDeliveredOnArrival == true
    }

    func sent(_ bytes: Int64) {
        let total = state.withLock { state in
            state.bytesSent += bytes
            return state.bytesSent
        }
        receive(TransportEvents(bytesSent: total))
    }

    /// Uses Foundation's metrics, which cover more, but keeps our time of the first byte if Foundation has none.
    func measured(_ metrics: TransportMetrics) {
        state.withLock { state in
            let firstByte = state.metrics.firstByte
            state.metrics = metrics
            state.metrics.firstByte = metrics.firstByte ?? firstByte
        }
    }

    /// Cancels the task because of an error, and stores it, because Foundation reports only a cancelled task.
    private func fail(_ failure: URLError) {
        let task = state.withLock { state in
            state.failure = failure
            state.content = []
            return state.task
        }
        if let task { cancelTask(task) }
    }

    /// Stores the error of a task that Foundation cancels because of it.
    func refused(_ failure: URLError) {
        state.withLock { $0.failure = failure }
    }

    func completed(_ task: URLSessionTask, _ error: (any Error)?) {
        var (repeats, last) = state.withLock { state in
            defer { state.task = nil }
            if startsOver.exchange(false, ordering: .acquiringAndReleasing), !state.isCancelled {
                if !request.isRepeatable {
                    state.failure = .notRepeated(request)
                } else if !state.hasStartedOver, state.head == nil {
                    state.hasStartedOver = true
                    state.bytesSent = 0
                    return (true, state)
                } else if error != nil, state.failure == nil {
                    state.failure = URLError(.networkConnectionLost, "two reused connections in a row were closed")
                }
            }
            defer { state.restart = nil }
            return (false, state)
        }
        if repeats {
            last.restart?()
            return
        }
        // Not under the lock, because this may release the transport.
        last.restart = nil
        last.pump?.cancel()
        receive(lastEvents(last, task, error))
    }

    private func isComplete(_ state: State) -> Bool {
        guard let headers = state.head?.headers, headers["Content-Encoding"] == nil else { return false }
        return headers["Content-Length"].flatMap { Int($0) } == state.received
    }

    private func lastEvents(_ state: State, _ task: URLSessionTask, _ error: (any Error)?) -> TransportEvents {
        var metrics = state.metrics
        metrics.total = MonotonicTime.now - begun - (metrics.queued ?? .zero)
        var events = TransportEvents(bytesSent: state.bytesSent)
        if !state.isHeadDelivered {
            events.head = state.head
            events.chunks = state.content
        }
        // The head may be that of the tunnel.
        let hasHead = state.head != nil && (!mayUseTunnel || state.received > 0)
        var failure = state.failure
        if state.isCancelled {
            failure = URLError(.cancelled)
        } else if failure == nil, !(state.deliversChallenge && state.head != nil) {
            failure = error.map { URLError(foundation: $0, request.url, hasHead: hasHead) }
            // The server has answered, and needs no more content of the request.
            if hasHead, failure?.code == .networkConnectionLost, request.hasContent, isComplete(state) { failure = nil }
        }
        if failure != nil, !hasHead { events.head = nil }
        if state.head == nil, failure == nil {
            // For a redirect without `Location`, Foundation does not call the delegate: only the task has the response.
            events.head = (task.response as? HTTPURLResponse).map { ResponseHead($0) }
            if events.head == nil { failure = URLError(.badServerResponse, "the response has no head") }
        }
        events.outcome = TransportOutcome(error: failure, metrics: metrics)
        return events
    }
}
