import Foundation

/// The requests of a provider that are in flight.
final class Flights: Sendable {
    /// What the calls of a shared flight have in common: everything that makes a difference to what is sent, or to what becomes
    /// of the answer.
    struct Key: Hashable {
        let fingerprint: Fingerprint
        /// What the interceptors will add.
        let contributions: [String]
        let validation: ValidationType
        let options: RequestOptions
        let behavior: StubBehavior
        /// The answer of a stub.
        let sampleData: Data?
    }

    private struct State: Sendable {
        var all: [ObjectIdentifier: Flight] = [:]
        /// Those that another call may take part in.
        var shared: [Key: Flight] = [:]
        var keys: [ObjectIdentifier: Key] = [:]
    }

    private let state = Guarded(State())

    /// Takes part in a flight with the same key, or gives a new one, to be started.
    ///
    /// - Parameter key: nil for a request that is not shared.
    func board(_ call: Call, key: Key?, _ plan: () -> Flight.Plan) -> Flight? {
        if let key, let flight = state.withLock({ $0.shared[key] }), flight.join(call) { return nil }
        let flight = Flight(plan(), for: call, known: self)
        let other = state.withLock { state -> Flight? in
            // Somebody may have been faster.
            if let key, let other = state.shared[key], other.join(call) { return other }
            state.all[ObjectIdentifier(flight)] = flight
            if let key {
                state.shared[key] = flight
                state.keys[ObjectIdentifier(flight)] = key
            }
            return nil
        }
        return other == nil ? flight : nil
    }

    func remove(_ flight: Flight) {
        let removed = state.withLock { state in
            let removed = state.all.removeValue(forKey: ObjectIdentifier(flight))
            if let key = state.keys.removeValue(forKey: ObjectIdentifier(flight)), state.shared[key] === flight {
                state.shared[key] = nil
            }
            return removed
        }
        withExtendedLifetime(removed) {}
    }

    func cancelAll() {
        for flight in state.withLock({ Array($0.all.values) }) { flight.cancelAll() }
    }
}
