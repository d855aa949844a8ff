import Foundation

/// The state machine of a request: its calls, its phase and its current attempt.
///
/// `CONTRIBUTING.md` draws the phases. Each method is an event. It calls no closures and no code of users, and returns
/// what the ``RequestOperation`` does after unlocking, together with the objects to be released outside the lock.
struct RequestState: Sendable {
    enum Phase: Sendable {
        /// Waiting for the request closure, an interceptor or a delay; the token has finished when the wait is over.
        case waiting(SingleAssignmentCancellable?)
        case preparing
        case exchanging
        case concluding
        case joining
        case joined(RequestOperation)
        case ended
    }

    private(set) var phase = Phase.waiting(nil)
    var calls: CallRecords
    /// Why the last call has left while an attempt was running; the request ends as soon as the attempt has ended.
    private(set) var departure: Departure?
    fileprivate(set) var request: TransportRequest?
    /// The number of further attempts that each interceptor has requested, by the index of the interceptor.
    var retries: [Int: Int] = [:]
    var attempt = AttemptState()
    /// The timer of the earliest deadline, unless a ``DeadlineWatch`` has the timer.
    var timer: (token: SingleAssignmentCancellable, due: Int64)?

    init(_ call: consuming CallRecord) {
        calls = CallRecords(first: call)
    }

    var isEnded: Bool { if case .ended = phase { true } else { false } }

    mutating func store(_ request: TransportRequest) {
        if !isEnded { self.request = request }
    }

    // `token` cancels the interceptor or delay. Returns `false` if the request ends, because its last call has left.
    mutating func wait(_ token: SingleAssignmentCancellable?) -> Bool {
        switch phase {
        case .waiting, .concluding:
            guard departure == nil else { return false }
            phase = .waiting(token)
            return true
        default: return false
        }
    }

    /// Begins an attempt; returns whether progress is reported, or `nil` if the request has ended.
    mutating func begin(
        _ number: Int, reportsProgress: Bool, _ leftovers: inout Leftovers,
        _ accumulator: ResponseAccumulator = ResponseAccumulator(), _ download: DownloadFile? = nil,
        _ adapted: [TransportRequest] = []
    ) -> Bool? {
        guard case .waiting = phase else { return nil }
        phase = .preparing
        leftovers.takeAttempt(of: &self)
        attempt.number = number
        attempt.reportsProgress = reportsProgress || calls.first?.progress != nil
        attempt.accumulator = accumulator
        attempt.download = download
        attempt.adapted = adapted
        return attempt.reportsProgress
    }

    /// Stores the prepared request before plugins see it; returns `false` if the last call has left.
    mutating func prepared(_ request: TransportRequest, start: Duration) -> Bool {
        attempt.sent = request
        attempt.start = start
        return departure == nil
    }

    /// Begins the exchange; returns the departure of the last call, if it has left meanwhile.
    mutating func beginExchange(
        _ request: TransportRequest, _ stub: (any TransportExchange)?, _ deadlines: AttemptDeadlines,
        upload: ResponseAccumulator.UploadProgress? = nil
    ) -> Departure? {
        phase = .exchanging
        attempt.sent = request
        attempt.accumulator.upload = upload
        attempt.followUps = FollowUpState(request)
        if let stub { _ = attempt.followUps?.started(stub, hop: 0) }
        attempt.deadlines = deadlines
        return departure
    }

    var isAttemptRunning: Bool {
        if case .exchanging = phase { !attempt.completion.isCompleted } else { false }
    }

    func mayComplete(_ number: Int) -> Bool { attempt.number == number && isAttemptRunning }

    // Completes the attempt, or lets the end of a running callback do so; `exchange` receives what the caller cancels.
    mutating func complete(
        _ number: Int, _ result: Result<Response, MoyaError>, exchange: inout (any TransportExchange)?
    ) -> AttemptEnd? {
        guard mayComplete(number) else { return nil }
        exchange = attempt.followUps?.cancel() ?? nil
        return attempt.completion.complete(result) ? conclude(result) : nil
    }

    /// Ends the callback of a batch; returns the end of the attempt if it was completed meanwhile.
    mutating func endBatch() -> AttemptEnd? { attempt.completion.endCall().map { conclude($0) } }

    private mutating func conclude(_ result: Result<Response, MoyaError>) -> AttemptEnd {
        phase = .concluding
        return AttemptEnd(
            number: attempt.number, result: result, units: attempt.accumulator.units, sent: attempt.sent,
            adapted: attempt.adapted, start: attempt.start, download: attempt.download,
            isDelivered: attempt.accumulator.isDelivering, isAbandoned: departure != nil)
    }

    /// Begins the callbacks of a batch; returns whether progress is reported, or `nil` if the attempt has ended.
    mutating func beginBatch(_ number: Int, _ head: ResponseHead? = nil) -> Bool? {
        guard attempt.number == number, attempt.completion.beginCall() else { return nil }
        // Also if the batch cannot be stored: the response of the error has the head.
        if let head { attempt.accumulator.head = head }
        return attempt.reportsProgress
    }

    // For a response that's delivered as a whole; returns the end of the attempt, if any. `progress` receives what to
    // report; the caller then calls ``endBatch()``.
    mutating func addWhole(
        _ batch: TransportEvents, _ number: Int, _ progress: inout ProgressResponse?,
        exchange: inout (any TransportExchange)?
    ) -> AttemptEnd? {
        guard mayComplete(number) else { return nil }
        do {
            let added = try attempt.accumulator.add(batch, fileOffset: nil)
            // If this batch contains the complete response, no progress is reported here, but at the end of the call.
            if attempt.reportsProgress, !batch.isWhole { progress = added.progress }
        } catch {
            return complete(number, .failure(.underlying(error, nil)), exchange: &exchange)
        }
        if progress != nil, !attempt.completion.beginCall() { progress = nil }
        guard let outcome = batch.outcome else { return nil }
        return complete(number, attempt.result(of: outcome), exchange: &exchange)
    }

    /// Ends a wait, if any; returns the receiver of a whole response, or `nil` if the request has ended.
    mutating func beginDelivery() -> CallRecord.Receive? {
        guard !isEnded, let receive = calls.beginReceive() else { return nil }
        phase = .concluding
        return receive
    }

    enum Leaving {
        /// The call ends with its request, which is about to end.
        case noted
        /// The call ends now, and with the last call the request, which waits; otherwise, it continues for others.
        case endCall(isLast: Bool)
        case endAttempt(Int)
        /// The call has joined another operation, which it leaves now.
        case forward(RequestOperation)
    }

    /// Returns `nil` if the call has ended or left before.
    mutating func leave(_ id: UInt64, _ reason: Departure, _ leftovers: inout Leftovers) -> Leaving? {
        switch phase {
        case .joined(let other): return .forward(other)
        case .joining:
            guard departure == nil else { return nil }
            departure = reason
            return .noted
        default: break
        }
        let isLeaving: Bool? = calls.update(id) { call in
            guard call.isWaiting, call.departure == nil else { return nil }
            call.departure = reason
            return true
        }
        guard isLeaving == true else { return nil }
        guard !calls.hasStaying else { return .endCall(isLast: false) }
        switch phase {
        case .waiting:
            leftovers.phase = phase
            phase = .ended
            return .endCall(isLast: true)
        case .preparing, .concluding:
            departure = reason
            return .noted
        case .exchanging:
            departure = reason
            return .endAttempt(attempt.number)
        case .joining, .joined, .ended: return .noted
        }
    }

    /// Ends the request; returns the calls whose result is delivered now, or `nil` if it has ended before.
    mutating func end(
        _ result: Result<Response, MoyaError>, units: Int64?, _ leftovers: inout Leftovers
    ) -> CallRecords? {
        guard !isEnded else { return nil }
        leftovers.takeAll(of: &self)
        phase = .ended
        return calls.end(result, units: units)
    }

    /// Takes the call out, so that it can join another operation; returns `nil` if the call has left.
    mutating func beginJoin() -> CallRecord? {
        guard case .waiting = phase, let call = calls.first.take() else { return nil }
        phase = .joining
        return call
    }

    /// Adds a call of another operation; returns `false` if the request ends, because no other call waits for it.
    mutating func join(_ call: CallRecord) -> Bool {
        guard calls.hasStaying else { return false }
        calls.others.append(call)
        return true
    }

    // `other` is what the call has joined; `nil` puts it back. Returns why the call has left meanwhile, if it has.
    mutating func endJoin(_ other: RequestOperation?, _ call: CallRecord) -> Departure? {
        if let other {
            phase = .joined(other)
        } else {
            phase = .waiting(nil)
            calls.first = call
        }
        return departure.take()
    }
}

/// What an event has removed from the state of a request, to be released outside the lock.
struct Leftovers: Sendable {
    var phase: RequestState.Phase?
    private var attempt: AttemptState?
    private var request: TransportRequest?

    mutating func takeAll(of state: inout RequestState) {
        phase = state.phase
        request = state.request.take()
        takeAttempt(of: &state)
    }

    mutating func takeAttempt(of state: inout RequestState) {
        guard state.attempt.number > 0 else { return }
        attempt = exchange(&state.attempt, with: AttemptState())
    }
}

struct AttemptState: Sendable {
    /// The ordinal number, from 1; 0 before the first attempt.
    var number = 0
    var completion = CompletionAfterCallback<Result<Response, MoyaError>>()
    var accumulator = ResponseAccumulator()
    var reportsProgress = false
    var download: DownloadFile?
    /// What each interceptor has returned.
    var adapted: [TransportRequest] = []
    var sent: TransportRequest?
    /// The time at which the request was sent; `nil` without plugins.
    var start: Duration?
    /// The exchanges with servers, or that of a stub; `nil` before.
    var followUps: FollowUpState?
    var deadlines = AttemptDeadlines()
    /// Delivered bytes that the receiver has not acknowledged yet.
    var unacknowledged = 0
    /// Bytes held back and so acknowledged on arrival; the receiver's later acknowledgement is not passed on.
    var acknowledgedOnArrival = 0
    /// Bytes that the receiver has acknowledged, and that are not yet acknowledged to the exchange.
    var processed = 0

    /// Returns the received response, or the error of the outcome with the part of the response received so far.
    mutating func result(of outcome: TransportOutcome) -> Result<Response, MoyaError> {
        accumulator.result(for: lastSent(), outcome)
    }

    /// As `result(of:)`; `nil` before the head of a response.
    mutating func partialResult(_ outcome: TransportOutcome) -> Result<Response, MoyaError>? {
        accumulator.head == nil ? nil : result(of: outcome)
    }

    /// Returns the last request, after redirects and challenges.
    mutating func lastSent() -> TransportRequest? {
        let next = followUps?.changed { $0.hop > 0 ? $0.request : nil }
        var last = next.map { sent?.followed(by: $0) } ?? sent
        last?.releaseContext()
        return last
    }

    /// Acknowledges processed bytes once there are `minimum`; returns the exchange to acknowledge to, and how many.
    mutating func acknowledge(_ bytes: Int, atOnceFrom minimum: Int) -> ((any TransportExchange)?, Int) {
        let bytes = max(bytes, 0)
        unacknowledged = max(unacknowledged - bytes, 0)
        // Bytes that the accumulator held back were acknowledged on arrival.
        let known = min(bytes, acknowledgedOnArrival)
        acknowledgedOnArrival -= known
        processed += bytes - known
        guard processed >= minimum else { return (nil, 0) }
        defer { processed = 0 }
        return (followUps?.acknowledge(processed) ?? nil, processed)
    }
}

struct AttemptEnd: Sendable {
    let number: Int
    var result: Result<Response, MoyaError>
    /// The number of bytes that were transferred, as ``ProgressResponse/completedUnitCount`` reports them.
    let units: Int64
    let sent: TransportRequest?
    let adapted: [TransportRequest]
    let start: Duration?
    let download: DownloadFile?
    /// Whether a part of the response was delivered to the receiver of a stream.
    let isDelivered: Bool
    /// Whether no call waits for the outcome any more.
    let isAbandoned: Bool
}
