import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange on a session, with the guards that Foundation on Linux needs.
///
/// There, a cancel that races with the completion or with the answer to a redirect ends the process. So each of these
/// happens under the exchange's lock, a cancel waits there until Foundation has dealt with it, and it comes from a queue
/// of its own, because Foundation's queue may be the caller's.
final class SessionExchange: TransportExchange {
    private struct State: Sendable {
        var task: URLSessionTask?
        var hasFinished = false
        /// Foundation was told to cancel the task.
        var isTaskCancelled = false
        /// The user wants no more.
        var isCancelled = false
        /// The task was cancelled to have its answer as it is, without an answer to its challenge.
        var isSettled = false
        var hasStartedOver = false
        var head: ResponseHead?
        var content: [Data] = []
        var bytesSent: Int64 = 0
        var unconsumed = 0
        /// The task is suspended until the receiver has dealt with half of its window.
        var isHeldBack = false
        var failure: URLError?
        var metrics = TransportMetrics()
    }

    private static let cancellations = DispatchQueue(label: "moya.urlsession.cancel")
    /// Whether a task that is suspended holds its server back; on Linux its request is sent again instead.
    #if canImport(FoundationNetworking)
        static let canHoldBack = false
    #else
        static let canHoldBack = true
    #endif

    private let request: TransportRequest
    /// How much may wait for the receiver, in bytes.
    private let maximumBufferedBytes: Int
    private let preparation: (any Cancellable)?
    private let receive: @Sendable (TransportEvents) -> Void
    private let state = Locked(State())
    private let begun = MonotonicTime.now
    /// The task is cancelled to be repeated on a new connection.
    ///
    /// Not under the lock: Foundation's queue says so, for which a cancel waits under the lock.
    private let startsOver = Atomic<Bool>(false)
    /// How to make the task again.
    private let again = Locked<(@Sendable () -> Void)?>(nil)

    /// - Parameters:
    ///   - request: what to send.
    ///   - maximumBufferedBytes: how much may wait for the receiver, in bytes, if that is more than its window.
    ///   - preparation: what comes before the task, and ends by itself when it is cancelled.
    ///   - receive: told what comes.
    init(
        _ request: TransportRequest, maximumBufferedBytes: Int, preparation: (any Cancellable)? = nil,
        _ receive: @escaping @Sendable (TransportEvents) -> Void
    ) {
        self.request = request
        self.maximumBufferedBytes = maximumBufferedBytes
        self.preparation = preparation
        self.receive = receive
    }

    func begin(
        _ task: URLSessionTask, _ delegate: SessionDelegate, again: @escaping @Sendable () throws -> URLSessionTask
    ) {
        self.again.withLock { repetition in
            repetition = { [self] in
                do { start(try again(), delegate) } catch { fail(error) }
            }
        }
        start(task, delegate)
    }

    private func start(_ task: URLSessionTask, _ delegate: SessionDelegate) {
        delegate.register(self, for: task)
        state.withLock { state in
            state.task = task
            state.isTaskCancelled = false
            state.isHeldBack = false
        }
        task.resume()
        if isCancelled { cancelTask(task) }
    }

    /// It cannot be started over.
    private func fail(_ error: any Error) {
        state.withLock { $0.hasFinished = true }
        forgetRepetition()
        let error = error as? URLError ?? URLError(.requestBodyStreamExhausted, userInfo: [NSUnderlyingErrorKey: error])
        receive(TransportEvents(outcome: TransportOutcome(error: error)))
    }

    func refuse(_ error: URLError, on queue: OperationQueue) {
        queue.addOperation { [self] in
            receive(TransportEvents(outcome: TransportOutcome(error: isCancelled ? URLError(.cancelled) : error)))
        }
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        if let task { cancelTask(task) } else { preparation?.cancel() }
    }

    func consumed(_ bytes: Int) {
        state.withLock { state in
            state.unconsumed = max(state.unconsumed - max(bytes, 0), 0)
            if state.isHeldBack, let window, state.unconsumed <= window / 2 { letGo(&state) }
        }
    }

    private var window: Int? { if case .chunks(let window) = request.delivery { window } else { nil } }

    private func letGo(_ state: inout State) {
        guard state.isHeldBack else { return }
        state.isHeldBack = false
        state.task?.resume()
    }

    private func cancelTask(_ task: URLSessionTask) {
        Self.cancellations.async { [self] in
            state.withLock { state in
                guard !state.hasFinished, !state.isTaskCancelled, state.task === task else { return }
                state.isTaskCancelled = true
                task.cancel()
                letGo(&state)
                // Reading this waits for Foundation's queue, and so for the cancel that was put there.
                _ = task.priority
            }
        }
    }

    #if canImport(FoundationNetworking)
        /// Calls Foundation back only while that is safe.
        func unlessCancelled(_ answer: () -> Void) {
            state.withLock { if !$0.isTaskCancelled { answer() } }
        }
    #endif

    func settleForChallenge(_ task: URLSessionTask) {
        state.withLock { $0.isSettled = true }
        cancelTask(task)
    }

    /// The connection was used again, and turned out to be dead.
    ///
    /// Without a new start the task fails, and the request was sent once at most.
    func startOver(_ task: URLSessionTask) {
        guard request.isRepeatable else {
            state.withLock { $0.failure = .notRepeated(request) }
            return cancelTask(task)
        }
        startsOver.store(true, ordering: .releasing)
        cancelTask(task)
    }
}

// MARK: What comes

extension SessionExchange {
    func received(_ response: HTTPURLResponse) {
        let isInterim = (100..<200).contains(response.statusCode) && response.statusCode != 101
        guard !isInterim else { return }
        let head = ResponseHead(response)
        let isFirst = state.withLock { state in
            defer { state.head = head }
            if state.head == nil { state.metrics.firstByte = MonotonicTime.now - begun }
            return state.head == nil
        }
        if isFirst, isDeliveredInTime(head) { receive(TransportEvents(head: head)) }
    }

    func received(_ data: Data) {
        guard isDeliveredInTime(state.withLock { $0.head }) else {
            state.withLock { $0.content.append(data) }
            return receive(TransportEvents())
        }
        let isTooMuch = state.withLock { state in
            state.unconsumed += data.count
            guard let window, state.unconsumed >= max(window, 1) else { return false }
            if Self.canHoldBack, !state.isHeldBack, !state.isTaskCancelled {
                state.isHeldBack = true
                state.task?.suspend()
            }
            guard state.unconsumed > max(window, maximumBufferedBytes) else { return false }
            let reason =
                "the receiver fell \(state.unconsumed) bytes behind, and URLSession did not hold the server back"
            state.failure = URLError(.dataLengthExceedsMaximum, userInfo: [NSLocalizedDescriptionKey: reason])
            return true
        }
        guard isTooMuch else { return receive(TransportEvents(chunks: [data])) }
        if let task = state.withLock({ $0.task }) { cancelTask(task) }
    }

    private func isDeliveredInTime(_ head: ResponseHead?) -> Bool {
        request.delivery != .whole || head?.mayBeFollowed == true
    }

    func sent(_ bytes: Int64) {
        let total = state.withLock { state in
            state.bytesSent += bytes
            return state.bytesSent
        }
        receive(TransportEvents(bytesSent: total))
    }

    /// Foundation's own measurements, which know more.
    func measured(_ metrics: TransportMetrics) {
        state.withLock { state in
            let firstByte = state.metrics.firstByte
            state.metrics = metrics
            state.metrics.firstByte = metrics.firstByte ?? firstByte
        }
    }

    /// The server is not trusted: its task is about to fail, for Foundation as if it was cancelled.
    func refused(_ failure: URLError) {
        state.withLock { $0.failure = failure }
    }

    func completed(_ task: URLSessionTask, _ error: (any Error)?) {
        let (repeats, left) = state.withLock { state in
            if startsOver.exchange(false, ordering: .acquiringAndReleasing), !state.isCancelled {
                if !state.hasStartedOver, state.head == nil {
                    state.hasStartedOver = true
                    state.task = nil
                    state.bytesSent = 0
                    return (true, state)
                }
                if error != nil, state.failure == nil {
                    state.failure = URLError(.networkConnectionLost, "a connection that was used again was dead, twice")
                }
            }
            state.hasFinished = true
            return (false, state)
        }
        if repeats {
            let again = again.withLock { $0 }
            again?()
            return
        }
        forgetRepetition()
        receive(last(left, task, error))
    }

    /// It holds this exchange.
    private func forgetRepetition() {
        let repetition = again.withLock { again in
            defer { again = nil }
            return again
        }
        withExtendedLifetime(repetition) {}
    }

    private func last(_ state: State, _ task: URLSessionTask, _ error: (any Error)?) -> TransportEvents {
        var metrics = state.metrics
        metrics.total = MonotonicTime.now - begun
        var events = TransportEvents(bytesSent: state.bytesSent)
        if !isDeliveredInTime(state.head) {
            events.head = state.head
            events.chunks = state.content
        }
        var failure = state.failure
        if state.isCancelled {
            failure = URLError(.cancelled)
        } else if failure == nil, !(state.isSettled && state.head != nil) {
            failure = error.map { URLError(foundation: $0, request.url, hasHead: state.head != nil) }
        }
        if state.head == nil, failure == nil {
            // A redirect without a location is not announced: it stands in the task alone.
            events.head = (task.response as? HTTPURLResponse).map { ResponseHead($0) }
            if events.head == nil { failure = URLError(.badServerResponse, "the answer has no head") }
        }
        events.outcome = TransportOutcome(error: failure, metrics: metrics)
        return events
    }
}

extension ResponseHead {
    fileprivate init(_ response: HTTPURLResponse) {
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            fields["\(name)"] = "\(value)".trimmingCharacters(in: .whitespaces)
        }
        var headers = HTTPHeaders(fields)
        if let cookies = headers["Set-Cookie"] {
            headers["Set-Cookie"] = nil
            for cookie in cookies.splitCookies { headers.add("Set-Cookie", cookie) }
        }
        self.init(statusCode: response.statusCode, version: "HTTP/1.1", headers: headers)
    }
}

extension String {
    /// The fields that Foundation has joined by commas, which values and dates may have, too.
    ///
    /// The next field begins where a name and `=` follow a comma. A value with both is split; only ``CurlTransport`` keeps it
    /// whole.
    fileprivate var splitCookies: [String] {
        split(separator: /,\s*(?=[^;,=\s]+=)/).map(String.init)
    }
}

extension URLError {
    /// Creates an error that names the host, the phase and the remedy from Foundation's error.
    ///
    /// Foundation on Linux reports most errors as "unknown", with the words of libcurl: their code is derived from these.
    fileprivate init(foundation error: any Error, _ url: URL, hasHead: Bool) {
        guard let error = error as? URLError else {
            self = URLError(.unknown, userInfo: [NSUnderlyingErrorKey: error])
            return
        }
        let reason =
            (error.userInfo[NSUnderlyingErrorKey] as? NSError)?.localizedDescription ?? error.localizedDescription
        let derived = Self.code(of: error, reason)
        let code = derived ?? error.code
        if let phase = FailedPhase(code, reason, hasHead: hasHead) {
            self = URLError(code, phase, url, reason, underlying: error)
        } else if derived != nil {
            self = URLError(code, userInfo: [NSLocalizedDescriptionKey: reason, NSUnderlyingErrorKey: error])
        } else {
            self = error
        }
    }

    private static func code(of error: URLError, _ reason: String) -> Code? {
        switch error.code {
        case .unknown where reason.contains("SSL") || reason.contains("certificate"),
            .cannotConnectToHost where reason.contains("SSL"):
            .secureConnectionFailed
        case .unknown where reason.contains("transfer closed") || reason.contains("bytes missing"):
            .networkConnectionLost
        case .unknown where reason.contains("encoding") || reason.contains("Failed writing received data"):
            .cannotDecodeContentData
        case .unknown where reason.contains("Out of memory") || reason.contains("Too large"): .dataLengthExceedsMaximum
        case .unknown where reason.contains("Failed writing header") || reason.contains("Failure writing output"):
            .cannotParseResponse
        case .unsupportedURL where reason.contains("HTTP/0.9"): .cannotParseResponse
        case .badServerResponse where reason.contains("Empty reply"): .networkConnectionLost
        default: nil
        }
    }
}
