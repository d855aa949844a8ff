import Foundation

/// One call of a provider's `request` method: its callbacks, and what they have received.
struct CallRecord: Sendable {
    /// Receives a part of the response, and calls the second argument when the receiver has returned.
    typealias Receive = @Sendable (ResponsePart, _ hasReturned: (@Sendable () -> Void)?) -> Void

    let id: UInt64
    let target: any RelativeTarget
    let observation: CallObservation?
    /// Receives the parts of the response as they arrive; `nil` if the response is delivered when it is complete.
    private(set) var receive: Receive?
    private(set) var progress: (@Sendable (ProgressResponse) -> Void)?
    private(set) var lastProgress: (@Sendable (ProgressResponse) -> Void)?
    private(set) var completion: @Sendable (Result<Response, MoyaError>) -> Void
    /// Retained while the call is in flight.
    let provider: any AnyObject & Sendable
    /// ``Timeouts/total``, and the time at which it has passed on the scheduler's clock, in nanoseconds.
    var total: (limit: Duration, due: Int64)?
    /// The operation of the call's token, if the call has joined another operation.
    var owner: RequestOperation?
    var delivery = CompletionAfterCallback<Result<Response, MoyaError>>()
    var completedUnits: Int64 = 0
    var totalUnits: Int64?
    var hasReceived = false
    var departure: Departure?

    // Calls the callbacks on the scheduler of `delivery`, in order even on a concurrent queue. What waits there when
    // the token is cancelled is not delivered, but for the completion and the last progress value.
    mutating func deliver(by delivery: CallbackDelivery, of token: RequestOperation) {
        if let receive {
            self.receive = { part, hasReturned in delivery.post { if !token.isSilent { receive(part, hasReturned) } } }
        }
        if let progress {
            self.progress = { value in delivery.post { if !token.isSilent { progress(value) } } }
            lastProgress = { value in delivery.post { progress(value) } }
        }
        completion = { [completion] result in delivery.post { completion(result) } }
    }

    static func receiver(_ receive: (@Sendable (ResponsePart) -> Void)?) -> Receive? {
        guard let receive else { return nil }
        return { part, hasReturned in
            receive(part)
            hasReturned?()
        }
    }

    var isWaiting: Bool { !delivery.isCompleted }
    fileprivate var isStaying: Bool { isWaiting && departure == nil }
}

/// The reason why a call leaves its request before the request has ended.
enum Departure: Sendable {
    case cancelled
    case timedOut(Duration)

    static func reason(_ total: Duration) -> String { "it took longer than \(total.inSeconds) in total" }
}

// The calls that share a request; one is removed when its result is to be delivered. The first is not in an array,
// because most requests have one call.
struct CallRecords: Sendable {
    var first: CallRecord?
    var others: [CallRecord] = []

    var ids: [UInt64] { (first.map { [$0.id] } ?? []) + others.map(\.id) }

    var hasStaying: Bool { first?.isStaying == true || others.contains { $0.isStaying } }

    var observation: CallObservation? { (first ?? others.first)?.observation }

    mutating func update<Value>(_ id: UInt64, _ body: (inout CallRecord) -> Value?) -> Value? {
        if first?.id == id { return first?.changed(by: body) }
        guard let index = others.firstIndex(where: { $0.id == id }) else { return nil }
        return body(&others[index])
    }

    /// Returns when the first ``Timeouts/total`` has passed, in nanoseconds; the largest number if none will.
    mutating func earliestDue() -> Int64 {
        others.reduce(first?.changed { $0.due } ?? .max) { min($0, $1.due) }
    }

    /// Ends the calls that wait for the result, and returns those whose result is delivered now.
    mutating func end(_ result: Result<Response, MoyaError>, units: Int64?) -> CallRecords {
        var ended = CallRecords()
        if first?.end(result, units: units) == true { ended.first = first.take() }
        guard !others.isEmpty else { return ended }
        for index in others.indices.reversed() where others[index].end(result, units: units) {
            ended.others.insert(others.remove(at: index), at: 0)
        }
        return ended
    }

    mutating func end(_ id: UInt64, _ result: Result<Response, MoyaError>) -> CallRecord? {
        update(id) { $0.end(result, units: nil) } == true ? remove(id) : nil
    }

    /// Returns the receiver of a stream's parts, which is about to receive one.
    mutating func beginReceive() -> CallRecord.Receive? {
        first?.hasReceived = true
        return first?.receive
    }

    mutating func beginProgress(_ id: UInt64, _ value: ProgressResponse) -> (@Sendable (ProgressResponse) -> Void)? {
        update(id) { call in
            guard let progress = call.progress, call.delivery.beginCall() else { return nil }
            call.completedUnits = value.completedUnitCount
            call.totalUnits = value.totalUnitCount
            return progress
        }
    }

    /// Ends the callback; returns the call and its result if the request has ended meanwhile.
    mutating func endProgress(_ id: UInt64) -> (CallRecord, Result<Response, MoyaError>)? {
        guard let result = update(id, { $0.delivery.endCall() }), let call = remove(id) else { return nil }
        return (call, result)
    }

    private mutating func remove(_ id: UInt64) -> CallRecord? {
        if first?.id == id { return first.take() }
        return others.firstIndex { $0.id == id }.map { others.remove(at: $0) }
    }
}

extension CallRecord {
    fileprivate var due: Int64 { isWaiting ? total?.due ?? .max : .max }

    /// Changes this record in its place, also in an optional: a copy would retain each of its parts.
    fileprivate mutating func changed<Value>(by body: (inout CallRecord) -> Value?) -> Value? { body(&self) }

    /// Returns whether the result is delivered now.
    fileprivate mutating func end(_ result: Result<Response, MoyaError>, units: Int64?) -> Bool {
        guard isWaiting else { return false }
        if let units { completedUnits = units }
        return delivery.complete(result)
    }
}
