import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The registry of a provider's requests that are in flight.
final class InFlightRequests: Sendable {
    private struct State: Sendable {
        var all: [ObjectIdentifier: RequestExecution] = [:]
        /// The requests that later calls with an equal key may join.
        var shared: [SharingKey: RequestExecution] = [:]
        var keys: [ObjectIdentifier: SharingKey] = [:]
    }

    private let state = Locked(State())

    func add(_ request: RequestExecution) {
        state.withLock { $0.all[ObjectIdentifier(request)] = request }
    }

    /// Returns another in-flight request with an equal key.
    ///
    /// If there is none, registers `request` under the key, so that later calls can join it, and returns `nil`.
    func other(for key: SharingKey, than request: RequestExecution) -> RequestExecution? {
        state.withLock { state in
            if let other = state.shared[key] { return other }
            // A `request` that has already ended is not registered.
            guard state.all[ObjectIdentifier(request)] != nil else { return nil }
            state.shared[key] = request
            state.keys[ObjectIdentifier(request)] = key
            return nil
        }
    }

    func remove(_ request: RequestExecution) {
        let removed = state.withLock { state in
            let removed = state.all.removeValue(forKey: ObjectIdentifier(request))
            if !state.keys.isEmpty, let key = state.keys.removeValue(forKey: ObjectIdentifier(request)),
                state.shared[key] === request
            {
                state.shared[key] = nil
            }
            return removed
        }
        withExtendedLifetime(removed) {}
    }

    func cancelAll() {
        for request in state.withLock({ Array($0.all.values) }) { request.cancelAll() }
    }
}

/// The key for comparing requests: requests with equal keys may share one exchange.
///
/// It contains all values that affect what is sent or how the response is handled.
struct SharingKey: Hashable {
    private let request: RequestKey
    private let timeoutInterval: TimeInterval?
    private let cachePolicy: URLRequest.CachePolicy
    /// The value of the `Cookie` field that is added from the cookie jar.
    private let cookies: [UInt8]?
    /// The user name and the password for challenges; empty without a credential.
    private let credential: [String?]
    /// The keys that the interceptors return from ``RequestInterceptor/sharingKey(for:)``.
    private let interceptors: [String]
    private let validation: ValidationType
    private let options: RequestOptions
    private let behavior: StubBehavior
    /// The sample data of the target; `nil` if the request is not stubbed.
    private let sampleData: Data?

    /// Creates a key; returns `nil` for a request that must not be shared or cannot be compared.
    ///
    /// - Parameter request: the request before interceptors and plugins adapt it.
    init?(_ request: TransportRequest, of execution: RequestExecution) {
        let target = execution.target
        // The key includes the changes of plugins: if plugins add different tokens, two requests are not equal.
        var prepared = request
        guard (try? execution.providerContext.prepare(&prepared, for: target, execution.options)) != nil else {
            return nil
        }
        // By default, only requests with safe methods are shared. The second condition excludes a timeout interval of
        // NaN: NaN does not equal itself, so a key with NaN would not equal any key.
        guard prepared.method.isSafe || execution.options.sharesInflight == true,
            prepared.timeoutInterval == prepared.timeoutInterval
        else { return nil }
        self.request = RequestKey(prepared, execution.endpoint.task)
        interceptors = execution.interceptors.compactMap { $0.sharingKey(for: target) }
        guard self.request.identifiesRequest, interceptors.count == execution.interceptors.count else { return nil }
        timeoutInterval = prepared.timeoutInterval
        cachePolicy = prepared.cachePolicy
        cookies = execution.providerContext.cookies(for: prepared)?.field(for: prepared.url)?.content.octets
        let sent = RequestType(id: execution.id, attempt: 1, sent: prepared)
        let credential = execution.providerContext.credential(for: sent, target)
        self.credential = credential.map { [$0.user, $0.password] } ?? []
        validation = execution.validation
        options = execution.options
        behavior = execution.behavior
        sampleData = execution.isStubbed ? target.sampleData : nil
    }
}
