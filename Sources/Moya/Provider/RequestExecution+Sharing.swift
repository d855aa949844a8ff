extension RequestExecution {
    /// Moves the call of this execution to an equal in-flight request; returns `false` if there is no such request.
    ///
    /// This execution ends if its call moves, because no other calls have joined it yet.
    func joinEqualRequest(_ request: ResolvedRequest) -> Bool {
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
            // A concurrent `cancel()` may have removed the call from this execution, but not from `other`.
            if call.isCancelled { other.remove(call) }
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

    /// Removes a cancelled call from this execution; cancels the exchange if no calls remain.
    ///
    /// This method may be called twice for a call that is cancelled while it joins this execution.
    func remove(_ call: Call) {
        enum Removal {
            case ofOne
            case ofLast(Phase)
        }
        let removal = state.withLock { state -> Removal in
            let calls = state.calls
            guard calls.count == 1, calls[0] === call else {
                if state.first === call { state.first = nil } else { state.others.removeAll { $0 === call } }
                return .ofOne
            }
            let former = state.phase
            switch former {
            case .attempting: state.phase = .ending
            // Prevents this execution from sending its request, and other calls from joining it.
            case .waiting: state.finish()
            case .ending, .finished: break
            }
            return .ofLast(former)
        }
        switch removal {
        case .ofOne: call.end(.failure(.cancelled))
        case .ofLast(.attempting(let attempt)): attempt.cancel()
        case .ofLast(.waiting(let token)):
            providerContext.inFlight.remove(self)
            token?.cancel()
            call.end(.failure(.cancelled))
        case .ofLast(.ending), .ofLast(.finished): break
        }
    }
}
