import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The configuration of a provider and what all of its requests share.
final class RequestPipeline: Sendable {
    let configuration: ProviderConfiguration
    let inFlight = InFlightRequests()
    let nonces = NonceCounts()
    /// `nil` without observers.
    let events: CallEventDelivery?

    init(_ configuration: ProviderConfiguration) {
        self.configuration = configuration
        events = CallEventDelivery(configuration)
    }

    /// The jar whose cookies a request is sent with; `nil` for a request that has a `Cookie` field of its own.
    func cookies(for request: ResolvedRequest) -> CookieJar? {
        guard let cookies = configuration.cookies else { return nil }
        return request.headers["Cookie"] == nil && configuration.defaultHeaders["Cookie"] == nil ? cookies : nil
    }

    /// The request after the plugins' `prepare`.
    func prepare(
        _ request: ResolvedRequest, for target: any RelativeTarget, _ options: RequestOptions
    ) throws(MoyaError) -> ResolvedRequest {
        var request = request
        if let policy = options.cachePolicy { request.apply(policy) }
        guard !configuration.plugins.isEmpty else { return request }
        let prepared = configuration.plugins.reduce(request.urlRequest) { $1.prepare($0, target: target) }
        return try request.updated(to: prepared)
    }

    /// The credential of the first plugin that has one.
    func credential(for request: RequestType, _ target: any RelativeTarget) -> URLCredential? {
        for plugin in configuration.plugins {
            if let credential = plugin.credential(for: request, target: target) { return credential }
        }
        return nil
    }
}

/// What all attempts of one request share.
final class RequestContext: Sendable {
    let target: any RelativeTarget
    let options: RequestOptions
    let endpoint: Endpoint
    let behavior: StubBehavior
    let validation: ValidationType
    /// Whether other calls may join the request.
    let isShared: Bool
    /// Whether callbacks of the caller run where the response is handled, and not on a scheduler of the call.
    let runsCallbacks: Bool
    /// Receives the parts of a response that is delivered as it arrives.
    let sink: StreamSink?
    let pipeline: RequestPipeline
    /// The context of the call that has made the request, if it has one.
    let callContext: CallContext?
    /// The provider, which lives as long as its requests.
    private let provider: any AnyObject & Sendable

    init(
        _ target: any RelativeTarget, _ options: RequestOptions, _ endpoint: Endpoint, behavior: StubBehavior,
        isShared: Bool, runsCallbacks: Bool,
        sink: StreamSink?, pipeline: RequestPipeline, provider: any AnyObject & Sendable, callContext: CallContext?
    ) {
        self.target = target
        self.options = options
        self.endpoint = endpoint
        self.behavior = behavior
        validation = target.validationType
        self.isShared = isShared
        self.runsCallbacks = runsCallbacks
        self.sink = sink
        self.pipeline = pipeline
        self.provider = provider
        self.callContext = callContext
    }

    var plugins: [any PluginType] { pipeline.configuration.plugins }
    var interceptors: [any RequestInterceptor] { pipeline.configuration.interceptors }
    var scheduler: any Scheduler { pipeline.configuration.scheduler }
    var isStubbed: Bool { behavior != .never }

    /// The most of a response that is held in memory, in bytes.
    var maximumResponseSize: Int? {
        options.maximumResponseSize ?? pipeline.configuration.maximumResponseSize
    }

    var timeouts: Timeouts { options.timeouts ?? pipeline.configuration.timeouts }

    /// Where the batches of the transport are handled.
    ///
    /// User code (callbacks, progress, plugins, interceptors) and file I/O run on a background queue, one batch of a request at
    /// a time: a transport's thread serves other requests, too. Continuations of `async` calls, and the deliveries to the
    /// scheduler of a call, need no other thread. Stubs are handled where they are played.
    var deliversInBackground: Bool {
        guard !isStubbed else { return false }
        return runsCallbacks || isShared || endpoint.task.download != nil || !plugins.isEmpty || !interceptors.isEmpty
    }
}

/// Receives a response as it arrives.
struct StreamSink: Sendable {
    /// Reading stops when this many bytes were delivered and not acknowledged; `nil`: it never does.
    let window: Int?
    let receive: @Sendable (ResponsePart) -> Void

    func delivered(by delivery: CallbackDelivery) -> StreamSink {
        StreamSink(window: window, receive: { [receive] part in delivery.post { receive(part) } })
    }
}
