import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The reason why a call leaves its request before the request has ended.
enum Departure: Sendable {
    case cancelled
    /// The call has taken longer than ``Timeouts/total``.
    case timedOut(Duration)

    static func reason(_ total: Duration) -> String { "it took longer than \(total.inSeconds) in all" }

    /// The error that the call ends with.
    func error(_ target: any RelativeTarget) -> MoyaError {
        switch self {
        case .cancelled: .cancelled
        case .timedOut(let total): .underlying(URLError(timeoutOf: target, Self.reason(total)), nil)
        }
    }
}

extension Departure {
    /// The result of the call; after a timeout, the error has the part of the response that has arrived so far.
    fileprivate func result(_ target: any RelativeTarget, of attempt: Attempt?) -> Result<Response, MoyaError> {
        guard let attempt, case .timedOut(let total) = self else { return .failure(error(target)) }
        return attempt.result(of: TransportOutcome(error: URLError(timeoutOf: target, Self.reason(total))))
    }
}

extension RequestExecution {
    /// Moves the call of this execution to an equal in-flight request; returns `false` if there is no such request.
    ///
    /// This execution ends if its call moves, because no other calls have joined it yet.
    func joinEqualRequest(_ request: TransportRequest) -> Bool {
        guard isShared, state.withLock({ $0.isActive }), let key = SharingKey(request, of: self)
        else {
            return false
        }
        let registry = providerContext.inFlight
        while let other = registry.other(for: key, than: self) {
            guard let call = state.withLock({ $0.first }) else { return true }
            guard other.join(call) else {
                registry.remove(other)
                continue
            }
            state.withLock { $0.finish() }
            registry.remove(self)
            call.observation?.report(.joined(call: other.id))
            // A concurrent departure may have removed the call from this execution, but not from `other`.
            if let departure = call.departure { other.remove(call, departure) }
            return true
        }
        return false
    }

    private func join(_ call: Call) -> Bool {
        state.withLock { state in
            guard state.isActive else { return false }
            call.attach(to: self)
            state.others.append(call)
            return true
        }
    }

    /// Removes a call that leaves this execution; cancels the exchange if no calls remain.
    ///
    /// This method may be called twice for a call that leaves while it joins this execution.
    func remove(_ call: Call, _ departure: Departure) {
        enum Removal {
            case ofOne(Attempt?)
            case ofLast(Phase)
        }
        let removal = state.withLock { state -> Removal in
            let calls = state.calls
            guard calls.count == 1, calls[0] === call else {
                if state.first === call { state.first = nil } else { state.others.removeAll { $0 === call } }
                return if case .attempting(let attempt) = state.phase { .ofOne(attempt) } else { .ofOne(nil) }
            }
            let former = state.phase
            switch former {
            case .attempting: state.phase = .ending(departure)
            // Prevents this execution from sending its request, and other calls from joining it.
            case .waiting: state.finish()
            case .ending, .finished: break
            }
            return .ofLast(former)
        }
        switch removal {
        case .ofOne(let attempt): call.end(departure.result(target, of: attempt))
        case .ofLast(.attempting(let attempt)): attempt.abandon(departure)
        case .ofLast(.waiting(let token)):
            providerContext.inFlight.remove(self)
            token?.cancel()
            call.end(.failure(departure.error(target)))
        case .ofLast(.ending), .ofLast(.finished): break
        }
    }
}
