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
    /// What became of it.
    struct Ended: Sendable {
        let result: Result<Response, MoyaError>
        /// The bytes that progress was told of in all.
        let units: Int64
        /// The request and its number; nil if nothing was sent.
        let sent: (request: URLRequest, attempt: Int)?
        /// Parts of it were handed on already.
        let isDelivered: Bool

        /// Whether interceptors are asked: after a failure that is no cancel, and after a status code of 400 or more.
        var isWorthRetrying: Bool {
            switch result {
            case _ where isDelivered: false
            case .success(let response): response.statusCode >= 400
            case .failure(let error): error.kind != .cancelled
            }
        }
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
        var conversation: Conversation?
        /// The bytes that were acknowledged while they were held back, and that the receiver has not acknowledged yet.
        var acknowledged = 0
    }

    private let id: UInt64
    private let number: Int
    private let plan: Flight.Plan
    private let progress: (@Sendable (ProgressResponse) -> Void)?
    private let completion: @Sendable (Ended) -> Void
    private let state = Guarded(State())
    private let answer: Guarded<Answer>
    private let download: DownloadFile?
    /// The scheduler's time of the last sign of life, in nanoseconds.
    private let lastActivity = Atomic<Int64>(0)
    /// The bytes that were handed on, and not given back as credit.
    private let unconsumed = Atomic<Int>(0)

    init(
        id: UInt64, number: Int, plan: Flight.Plan, progress: (@Sendable (ProgressResponse) -> Void)?,
        completion: @escaping @Sendable (Ended) -> Void
    ) {
        self.id = id
        self.number = number
        self.plan = plan
        self.progress = progress
        self.completion = completion
        download = plan.endpoint.task.download.map {
            // A stub leaves alone what a real download has begun.
            DownloadFile($0.destination, partialFile: plan.behavior == .never ? $0.partialFile : nil)
        }
        let streaming = plan.parts.map { _ in Answer.Streaming(validation: plan.validation) }
        answer = Guarded(
            Answer(download: download, streaming: streaming, limit: plan.maximumResponseSize))
    }

    private var target: any RelativeTarget { plan.target }
    private var plugins: [any PluginType] { plan.equipment.plugins }
    private var scheduler: any Scheduler { plan.equipment.scheduler }

    func start(_ request: URLRequest) {
        let prepared = plugins.reduce(target.options.applied(to: request)) { $1.prepare($0, target: target) }
        let letter: Letter
        do throws(MoyaError) {
            letter = try Letter(
                prepared, plan, resumption: download?.resumption(),
                wantsProgress: progress != nil)
        } catch {
            return abandon(.failure(error))
        }
        answer.withLock { $0.upload = letter.upload }
        let sent = RequestType(id: id, attempt: number, request: letter.request, body: letter.outgoing.body)
        let isCancelled = state.withLock { state in
            state.sent = sent
            return state.isCancelled
        }
        if isCancelled { return abandon(.failure(.cancelled)) }
        let credential = credential(for: letter.request)
        for plugin in plugins { plugin.willSend(sent, target: target) }
        launch(letter, credential)
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
        completion(Ended(result: result, units: 0, sent: nil, isDelivered: false))
    }

    private func launch(_ letter: Letter, _ credential: URLCredential?) {
        let isCancelled = state.withLock { state in
            state.stage = .running
            return state.isCancelled
        }
        if isCancelled { return finish(.failure(.cancelled)) }
        if let total = letter.timeouts.total {
            keep(scheduler.schedule(after: total) { self.timeOut("it took longer than \(total.inSeconds) in all") })
        }
        switch plan.behavior {
        case .never:
            noteActivity()
            if let idle = letter.timeouts.idle { watch(idle, after: idle) }
            converse(letter, credential)
        case .delayed(let seconds):
            keep(scheduler.schedule(after: Duration(clampedSeconds: seconds)) { self.answerFromSample() })
        case .immediate:
            answerFromSample()
        }
    }

    /// Of the first plugin that has one.
    private func credential(for request: URLRequest) -> URLCredential? {
        for plugin in plugins {
            if let credential = plugin.credential(for: request, target: target) { return credential }
        }
        return nil
    }

    private func converse(_ letter: Letter, _ credential: URLCredential?) {
        let delivery = callsOthers ? SerialDelivery<TransportEvents>(on: .deliveries) { self.receive($0) } : nil
        let reportsUpload = letter.upload != nil && progress != nil
        let sequel = Sequel(letter, credential, plan.equipment.nonces, download)
        let conversation = Conversation(letter.outgoing, on: plan.equipment.transport, step: sequel.step) {
            [self] events in
            noteActivity()
            guard !events.isSignOfLife || reportsUpload else { return }
            if let delivery { delivery.post(events) } else { receive(events) }
        }
        let isOver = state.withLock { state in
            // It would hold this attempt, and nobody would let go of it.
            guard state.stage == .running else { return true }
            state.conversation = conversation
            state.pending.append(conversation)
            return false
        }
        if !isOver { conversation.start() }
    }

    /// Whether code of others runs on what comes, or a file is written: neither may hold up the engine.
    private var callsOthers: Bool {
        !plan.isHandedOver || plan.isShared || plan.endpoint.task.download != nil
            || progress != nil || !plugins.isEmpty || !plan.equipment.interceptors.isEmpty
    }

    private func receive(_ events: TransportEvents) {
        let isRunning = state.withLock { state in
            guard state.stage == .running else { return false }
            state.isReporting = true
            return true
        }
        guard isRunning else { return }
        let (step, failure) = add(events)
        // Bytes in the file, and those that are held back, reach no receiver that could acknowledge them.
        acknowledge(events, heldBack: step.heldBack)
        hand(step.parts)
        if let progress, let report = step.progress { progress(report) }
        let postponed = state.withLock { state in
            state.isReporting = false
            defer { state.postponed = nil }
            return state.postponed
        }
        if let postponed { return conclude(postponed) }
        if let failure { return finish(.failure(.underlying(failure, nil))) }
        guard let outcome = step.isEnough ? TransportOutcome(error: nil) : events.outcome else { return }
        finish(result(outcome))
    }

    /// Files are written under no lock: what looks at the response meanwhile must not wait for the disk.
    private func add(_ events: TransportEvents) -> (Answer.Step, (any Error)?) {
        do {
            let offset = try download?.store(events)
            return (try answer.withLock { try $0.add(events, fileOffset: offset) }, nil)
        } catch {
            return (Answer.Step(), error)
        }
    }

    private func acknowledge(_ events: TransportEvents, heldBack: Int) {
        let bytes = download == nil ? heldBack : events.length
        guard bytes > 0, download != nil || plan.parts?.window != nil else { return }
        let conversation = state.withLock { state in
            if download == nil { state.acknowledged += bytes }
            return state.conversation
        }
        conversation?.consumed(bytes)
    }

    /// What has been received so far, with an outcome.
    private func result(_ outcome: TransportOutcome) -> Result<Response, MoyaError> {
        let request = state.withLock { $0.sent?.request }
        let last = state.withLock { $0.conversation }?.request
        let final = request.map { request in last.map(request.redirected(to:)) ?? request }
        return answer.withLock { $0 }.result(for: final, outcome)
    }

    private func hand(_ parts: [ResponsePart]) {
        for part in parts {
            if case .chunk(let data) = part, plan.parts?.window != nil {
                unconsumed.wrappingAdd(data.count, ordering: .relaxed)
            }
            plan.parts?.receive(part)
        }
    }

    func consumed(_ bytes: Int) {
        unconsumed.wrappingSubtract(bytes, ordering: .relaxed)
        noteActivity()
        let (conversation, news) = state.withLock { state in
            let known = min(max(bytes, 0), state.acknowledged)
            state.acknowledged -= known
            return (state.conversation, bytes - known)
        }
        if news > 0 { conversation?.consumed(news) }
    }

    /// Called from several threads; the first decides.
    private func finish(_ result: Result<Response, MoyaError>) {
        let (isFirst, isFree, pending, timer) = state.withLock { state in
            guard state.stage == .running else { return (false, false, [any Cancellable](), (any Cancellable)?.none) }
            state.stage = .over
            if state.isReporting { state.postponed = result }
            defer {
                state.pending = []
                state.idleTimer = nil
                state.conversation = nil
            }
            return (true, !state.isReporting, state.pending, state.idleTimer)
        }
        guard isFirst else { return }
        for token in pending { token.cancel() }
        timer?.cancel()
        if isFree { conclude(result) }
    }

    private func conclude(_ result: Result<Response, MoyaError>) {
        let validated = result.flatMap { response -> Result<Response, MoyaError> in
            plan.validation.accepts(response.statusCode) ? .success(response) : .failure(.statusCode(response))
        }
        let last = answer.withLock { $0 }
        let settled = last.settle(validated)
        let sent = state.withLock { $0.sent }
        if let sent {
            for plugin in plugins { plugin.didReceive(settled, for: sent, target: target) }
        }
        completion(
            Ended(
                result: settled, units: last.units, sent: sent.flatMap { sent in sent.request.map { ($0, number) } },
                isDelivered: last.streaming?.isDelivered == true))
    }
}

// MARK: Stubs

extension Attempt {
    private func answerFromSample() {
        let sample = plan.endpoint.sampleResponseClosure()
        let request = state.withLock { $0.sent?.request }
        guard case .chunks(let statusCode, let chunks, let pause) = sample else {
            return finish(sample.result(for: request))
        }
        receive(TransportEvents(head: ResponseHead(statusCode: statusCode, version: "HTTP/1.1", headers: [:])))
        play(chunks[...], every: pause, of: statusCode)
    }

    /// The content piece by piece, as if a server sent it so.
    private func play(_ chunks: ArraySlice<Data>, every pause: Duration, of statusCode: Int) {
        guard let chunk = chunks.first else {
            let whole = answer.withLock { $0 }
            let request = state.withLock { $0.sent?.request }
            return finish(.success(Response(statusCode: statusCode, data: whole.data, request: request)))
        }
        keep(
            scheduler.schedule(after: pause) { [self] in
                receive(TransportEvents(chunks: [chunk]))
                play(chunks.dropFirst(), every: pause, of: statusCode)
            })
    }
}

// MARK: Deadlines

extension Attempt {
    /// - Parameter reason: which deadline passed, after how long.
    private func timeOut(_ reason: String) {
        let error = URLError(.timedOut, "the request for \(target.nameForLogs) timed out: \(reason)")
        // Closing and removing a file may wait for the disk, and other deadlines for this scheduler.
        guard download != nil, plan.behavior == .never else {
            return finish(result(TransportOutcome(error: error)))
        }
        (DispatchScheduler.deliveries as DispatchScheduler).schedule { [self] in
            finish(result(TransportOutcome(error: error)))
        }
    }

    private func noteActivity() {
        lastActivity.store(scheduler.now.nanoseconds, ordering: .relaxed)
    }

    /// One timer for the whole exchange: it looks when the last sign of life was, and sleeps for the rest.
    private func watch(_ idle: Duration, after delay: Duration) {
        let timer = scheduler.schedule(after: delay) { [self] in
            let quiet = scheduler.now - .nanoseconds(lastActivity.load(ordering: .relaxed))
            // While the receiver or the disk has content to deal with, the server is not idle.
            if unconsumed.load(ordering: .relaxed) > 0 || download != nil && state.withLock({ $0.isReporting }) {
                watch(idle, after: idle)
            } else if quiet >= idle {
                timeOut("nothing was sent or received for \(idle.inSeconds)")
            } else {
                watch(idle, after: idle - quiet)
            }
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

extension URLRequest {
    /// As it was sent in the end, after redirects.
    fileprivate func redirected(to last: TransportRequest) -> URLRequest {
        guard last.url != url || last.method.rawValue != httpMethod else { return self }
        var request = self
        request.url = last.url
        request.httpMethod = last.method.rawValue
        for name in (allHTTPHeaderFields ?? [:]).keys where last.headers[name] == nil {
            request.setValue(nil, forHTTPHeaderField: name)
        }
        if case .none = last.body { request.httpBody = nil }
        return request
    }
}
