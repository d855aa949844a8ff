import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One sending of a request: plugins, transport or stub, deadlines, validation.
///
/// `willSend` and `didReceive` of the plugins come in pairs, and `completion` is called exactly once, unless the attempt
/// is cancelled before it was started.
final class Attempt: Sendable {
    enum Source: Sendable {
        case transport(any Transport)
        case stub(StubBehavior, Endpoint.SampleResponseClosure)
    }

    private enum Stage {
        case preparing
        case running
        case over
    }

    private struct State: Sendable {
        var stage = Stage.preparing
        var isCancelled = false
        /// What to call off at the end: the exchange or the stub's delay, and the deadlines.
        var pending: [any Cancellable] = []
        var idleTimer: (any Cancellable)?
        /// Somebody is being told of progress; the outcome waits for that.
        var isReporting = false
        var postponed: Result<Response, MoyaError>?
        var sent: RequestType?
    }

    private let id: UInt64
    private let target: any RelativeTarget
    private let plugins: [any PluginType]
    private let timeouts: Timeouts
    private let scheduler: any Scheduler
    private let source: Source
    private let progress: (@Sendable (ProgressResponse) -> Void)?
    private let completion: @Sendable (Result<Response, MoyaError>) -> Void
    private let state = Guarded(State())
    private let answer = Guarded(Answer())
    /// The scheduler's time of the last sign of life, in nanoseconds.
    private let lastActivity = Atomic<Int64>(0)

    init(
        id: UInt64, target: any RelativeTarget, plugins: [any PluginType], timeouts: Timeouts,
        scheduler: any Scheduler, source: Source, progress: (@Sendable (ProgressResponse) -> Void)?,
        completion: @escaping @Sendable (Result<Response, MoyaError>) -> Void
    ) {
        self.id = id
        self.target = target
        self.plugins = plugins
        self.timeouts = timeouts
        self.scheduler = scheduler
        self.source = source
        self.progress = progress
        self.completion = completion
    }

    func start(_ request: URLRequest) {
        let prepared = plugins.reduce(request) { $1.prepare($0, target: target) }
        let timeouts: Timeouts
        let outgoing: TransportRequest
        do throws(MoyaError) {
            timeouts = try self.timeouts.merging(prepared)
            outgoing = try TransportRequest(
                prepared, connectTimeout: timeouts.connect, delivery: progress == nil ? .whole : .chunks(window: nil))
        } catch {
            return abandon(.failure(error))
        }
        let sent = RequestType(id: id, attempt: 1, request: prepared)
        let isCancelled = state.withLock { state in
            state.sent = sent
            return state.isCancelled
        }
        if isCancelled { return abandon(.failure(.cancelled)) }
        for plugin in plugins { plugin.willSend(sent, target: target) }
        launch(outgoing, timeouts)
    }

    func cancel() {
        let isRunning = state.withLock { state in
            state.isCancelled = true
            return state.stage == .running
        }
        if isRunning { finish(.failure(.cancelled)) }
    }

    /// Ends before anything was sent: no plugin was told of it.
    private func abandon(_ result: Result<Response, MoyaError>) {
        state.withLock { $0.stage = .over }
        completion(result)
    }

    private func launch(_ request: TransportRequest, _ timeouts: Timeouts) {
        let isCancelled = state.withLock { state in
            state.stage = .running
            return state.isCancelled
        }
        if isCancelled { return finish(.failure(.cancelled)) }
        if let total = timeouts.total { keep(scheduler.schedule(after: total) { self.timeOut() }) }
        switch source {
        case .transport(let transport):
            noteActivity()
            if let idle = timeouts.idle { watch(idle, after: idle) }
            let mailbox = Mailbox<TransportEvents>(on: .deliveries) { self.receive($0) }
            keep(
                transport.start(request) { events in
                    self.noteActivity()
                    if !events.isSignOfLife { mailbox.post(events) }
                })
        case .stub(.delayed(let seconds), let sample):
            keep(scheduler.schedule(after: Duration(clampedSeconds: seconds)) { self.answer(with: sample) })
        case .stub(_, let sample):
            answer(with: sample)
        }
    }

    private func answer(with sample: Endpoint.SampleResponseClosure) {
        let request = state.withLock { $0.sent?.request }
        finish(sample().result(for: request))
    }

    private func receive(_ events: TransportEvents) {
        let isRunning = state.withLock { state in
            guard state.stage == .running else { return false }
            state.isReporting = true
            return true
        }
        guard isRunning else { return }
        let (received, total) = answer.withLock { answer in
            answer.add(events)
            return (answer.received, answer.expected)
        }
        if let progress, !events.chunks.isEmpty { progress(ProgressResponse(completed: received, total: total)) }
        let postponed = state.withLock { state in
            state.isReporting = false
            defer { state.postponed = nil }
            return state.postponed
        }
        if let postponed { return conclude(postponed) }
        guard let outcome = events.outcome else { return }
        let request = state.withLock { $0.sent?.request }
        finish(answer.withLock { $0 }.result(for: request, outcome))
    }

    /// Called from several threads; the first decides.
    private func finish(_ result: Result<Response, MoyaError>) {
        let (isFirst, isFree, pending) = state.withLock { state in
            guard state.stage == .running else { return (false, false, [any Cancellable]()) }
            state.stage = .over
            if state.isReporting { state.postponed = result }
            defer {
                state.pending = []
                state.idleTimer = nil
            }
            return (true, !state.isReporting, state.pending + [state.idleTimer].compactMap(\.self))
        }
        guard isFirst else { return }
        for token in pending { token.cancel() }
        if isFree { conclude(result) }
    }

    private func conclude(_ result: Result<Response, MoyaError>) {
        let validated = result.flatMap { response in
            target.validationType.accepts(response.statusCode) ? .success(response) : .failure(.statusCode(response))
        }
        if let sent = state.withLock({ $0.sent }) {
            for plugin in plugins { plugin.didReceive(validated, for: sent, target: target) }
        }
        completion(validated)
    }
}

// MARK: Deadlines

extension Attempt {
    private func timeOut() {
        finish(.failure(.underlying(URLError(.timedOut), nil)))
    }

    private func noteActivity() {
        lastActivity.store(scheduler.now.nanoseconds, ordering: .relaxed)
    }

    /// One timer for the whole exchange: it looks when the last sign of life was, and sleeps for the rest.
    private func watch(_ idle: Duration, after delay: Duration) {
        let timer = scheduler.schedule(after: delay) { [self] in
            let quiet = scheduler.now - .nanoseconds(lastActivity.load(ordering: .relaxed))
            if quiet >= idle { timeOut() } else { watch(idle, after: idle - quiet) }
        }
        let isTooLate = state.withLock { state in
            if state.stage != .over { state.idleTimer = timer }
            return state.stage == .over
        }
        if isTooLate { timer.cancel() }
    }

    /// Keeps what is to be called off at the end; calls it off if that was before.
    private func keep(_ token: any Cancellable) {
        let isTooLate = state.withLock { state in
            guard state.stage != .over else { return true }
            state.pending.append(token)
            return false
        }
        if isTooLate { token.cancel() }
    }
}

extension Scheduler where Self == DispatchScheduler {
    /// Where answers are dealt with: foreign code may not hold up the thread of an engine.
    fileprivate static var deliveries: DispatchScheduler { .queue(.global()) }
}
