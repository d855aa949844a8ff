import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The requests of a provider that are in flight.
final class Flights: Sendable {
    /// What the calls of a shared flight have in common: everything that makes a difference to what is sent, or to how the
    /// response is handled.
    struct Key: Hashable {
        private let fingerprint: Fingerprint
        private let timeoutInterval: TimeInterval
        /// The cookies that are added.
        private let cookies: String?
        /// Answers a challenge.
        private let credential: [String?]
        /// What the interceptors will add.
        private let contributions: [String]
        private let validation: ValidationType
        private let options: RequestOptions
        private let behavior: StubBehavior
        /// The stub's response.
        private let sampleData: Data?

        /// Nil for a request that cannot be compared.
        ///
        /// - Parameter request: as the provider's request closure made it.
        init?(_ request: URLRequest, _ plan: Flight.Plan) {
            let target = plan.target
            let plugins = plan.equipment.plugins
            let interceptors = plan.equipment.interceptors
            // The tokens of plugins make a difference, too.
            let prepared = plugins.reduce(target.options.applied(to: request)) { $1.prepare($0, target: target) }
            let method = HTTPMethod(rawValue: prepared.httpMethod ?? "GET")
            let interval = prepared.timeoutInterval
            // A request closure or a plugin may have made it another one; an interval that is no number differs from itself.
            guard method.isSafe || target.options.sharesInflight == true, interval == interval else { return nil }
            fingerprint = Fingerprint(prepared, plan.endpoint.task)
            contributions = interceptors.compactMap { $0.sharingKey(for: target) }
            guard fingerprint.isWhole, contributions.count == interceptors.count else { return nil }
            timeoutInterval = interval
            cookies = prepared.url.flatMap { plan.equipment.cookies(for: prepared)?.field(for: $0) }
            let credential = plugins.lazy.compactMap { $0.credential(for: prepared, target: target) }.first
            self.credential = credential.map { [$0.user, $0.password] } ?? []
            validation = plan.validation
            options = target.options
            behavior = plan.behavior
            sampleData = plan.behavior == .never ? nil : target.sampleData
        }
    }

    private struct State: Sendable {
        var all: [ObjectIdentifier: Flight] = [:]
        /// Those that another call may take part in.
        var shared: [Key: Flight] = [:]
        var keys: [ObjectIdentifier: Key] = [:]
    }

    private let state = Guarded(State())

    func add(_ flight: Flight) {
        state.withLock { $0.all[ObjectIdentifier(flight)] = flight }
    }

    /// The flight of an equal request that is running, or nil after entering `flight` as that of all equal requests to come.
    func other(for key: Key, than flight: Flight) -> Flight? {
        state.withLock { state in
            if let other = state.shared[key] { return other }
            // A flight that has ended meanwhile is not entered.
            guard state.all[ObjectIdentifier(flight)] != nil else { return nil }
            state.shared[key] = flight
            state.keys[ObjectIdentifier(flight)] = key
            return nil
        }
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
