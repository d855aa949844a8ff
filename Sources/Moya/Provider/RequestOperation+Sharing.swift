extension RequestOperation {
    // Moves the call to an equal in-flight request, if any. This operation then ends, because no other calls have
    // joined it yet. The locks of the two operations are never held together.
    func joinEqualRequest(_ request: TransportRequest) -> Bool {
        guard let key = SharingKey(request, of: self) else { return false }
        while let other = context.inFlight.other(for: key, than: self) {
            guard var call = state.withLock({ $0.beginJoin() }) else { return true }
            call.owner = self
            let joined = other.state.withLock { $0.join(call) }
            call.owner = nil
            let departure = state.withLock { $0.endJoin(joined ? other : nil, call) }
            watchDeadlines()
            if joined {
                context.inFlight.remove(self)
                other.watchDeadlines()
                call.observation?.report(.joined(call: other.id))
            } else {
                context.inFlight.remove(other)
            }
            // The call may have left while it moved.
            if let departure { leave(call.id, departure) }
            if joined { return true }
        }
        return false
    }
}
