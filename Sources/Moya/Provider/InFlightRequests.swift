import Foundation

final class InFlightRequests: Sendable {
    private struct State: Sendable {
        var all: [ObjectIdentifier: RequestOperation] = [:]
        var shared: [SharingKey: RequestOperation] = [:]
        var keys: [ObjectIdentifier: SharingKey] = [:]
    }

    private let state = Locked(State())

    func add(_ request: RequestOperation) {
        state.withLock { $0.all[ObjectIdentifier(request)] = request }
    }

    /// Returns another in-flight request with an equal key; if there is none, registers `request` for later calls.
    func other(for key: SharingKey, than request: RequestOperation) -> RequestOperation? {
        state.withLock { state in
            if let other = state.shared[key] { return other }
            // A `request` that has already ended is not registered.
            guard state.all[ObjectIdentifier(request)] != nil else { return nil }
            state.shared[key] = request
            state.keys[ObjectIdentifier(request)] = key
            return nil
        }
    }

    func remove(_ request: RequestOperation) {
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

    /// Later calls no longer join the requests for a URL: their responses may be from before a change of the resource.
    func stopSharing(_ url: URL) {
        let removed = state.withLock { state -> [SharingKey: RequestOperation] in
            guard !state.shared.isEmpty else { return [:] }
            let url = url.absoluteString
            let removed = state.shared.filter { $0.key.url == url }
            for key in removed.keys { state.shared[key] = nil }
            return removed
        }
        withExtendedLifetime(removed) {}
    }

    var all: [RequestOperation] { state.withLock { Array($0.all.values) } }
}

/// Requests with equal keys may share an exchange: contains all that affects what is sent and how it is handled.
struct SharingKey: Hashable {
    var url: String { request.url }
    private let request: RequestKey
    private let timeoutInterval: TimeInterval?
    private let cachePolicy: URLRequest.CachePolicy
    /// The value of the `Cookie` field that is added from the cookie jar.
    private let cookies: [UInt8]?
    /// The user name and the password for challenges; empty without a credential.
    private let credential: [[UInt8]?]
    private let interceptors: [[UInt8]]
    private let validation: ValidationType
    private let options: RequestOptions
    private let behavior: StubBehavior
    private let sampleData: Data?

    /// `nil` if the request, before interceptors and plugins adapt it, must not be shared or can't be compared.
    init?(_ request: TransportRequest, of operation: RequestOperation) {
        let target = operation.target
        // The key includes the changes of plugins: if plugins add different tokens, two requests are not equal.
        var prepared = request
        guard (try? operation.context.prepare(&prepared, for: target, operation.options)) != nil else {
            return nil
        }
        // By default, only safe methods are shared. Excludes an interval of NaN, which would not equal itself.
        guard prepared.method.isSafe || operation.options.sharesInflight == true,
            prepared.timeoutInterval == prepared.timeoutInterval
        else { return nil }
        self.request = RequestKey(prepared, operation.endpoint.task)
        interceptors = operation.interceptors.compactMap { $0.sharingKey(for: target).map { Array($0.utf8) } }
        guard self.request.identifiesRequest, interceptors.count == operation.interceptors.count else { return nil }
        timeoutInterval = prepared.timeoutInterval
        cachePolicy = prepared.cachePolicy
        cookies = operation.context.cookies(for: prepared)?.field(for: prepared.url)?.content.octets
        let sent = RequestType(id: operation.id, attempt: 1, sent: prepared, start: nil)
        let credential = operation.context.credential(for: sent, target)
        self.credential = credential.map { [$0.user, $0.password].map { text in text.map { Array($0.utf8) } } } ?? []
        validation = operation.validation
        options = operation.options
        behavior = operation.behavior
        sampleData = operation.isStubbed ? target.sampleData : nil
    }
}
