import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The configuration of a provider, and the state that its requests share.
final class RequestPipeline: Sendable {
    let configuration: ProviderConfiguration
    let inFlight = InFlightRequests()
    let nonces = NonceCounts()
    /// Delivers events to the observers; `nil` without observers.
    let events: CallEventDelivery?

    init(_ configuration: ProviderConfiguration) {
        self.configuration = configuration
        events = CallEventDelivery(configuration)
    }

    /// Returns the cookie jar for a request.
    ///
    /// - Returns: `nil` if the provider has no cookie jar, or if the request or the default headers have a `Cookie` field.
    func cookies(for request: ResolvedRequest) -> CookieJar? {
        guard let cookies = configuration.cookies else { return nil }
        return request.headers["Cookie"] == nil && configuration.defaultHeaders["Cookie"] == nil ? cookies : nil
    }

    /// Returns the request with the cache policy of the options and the changes of the plugins.
    func prepare(
        _ request: ResolvedRequest, for target: any RelativeTarget, _ options: RequestOptions
    ) throws(MoyaError) -> ResolvedRequest {
        var request = request
        if let policy = options.cachePolicy { request.apply(policy) }
        // The request with changes of plugins that are not yet in `request`; `nil` if there are none.
        var urlRequest: URLRequest?
        for plugin in configuration.plugins {
            if let plugin = plugin as? any BuiltInPlugin {
                if let prepared = urlRequest.take() { request = try request.updated(to: prepared) }
                plugin.prepare(&request, target: target)
            } else {
                urlRequest = plugin.prepare(urlRequest ?? request.urlRequest, target: target)
            }
        }
        return try urlRequest.map { prepared throws(MoyaError) in try request.updated(to: prepared) } ?? request
    }

    /// Returns the first credential that a plugin has for the request; `nil` if no plugin has one.
    func credential(for request: RequestType, _ target: any RelativeTarget) -> URLCredential? {
        for plugin in configuration.plugins {
            if let credential = plugin.credential(for: request, target: target) { return credential }
        }
        return nil
    }
}

/// The data that all attempts of one request share.
final class RequestContext: Sendable {
    let target: any RelativeTarget
    let options: RequestOptions
    let endpoint: Endpoint
    let behavior: StubBehavior
    let validation: ValidationType
    /// Whether other calls may join the request.
    let isShared: Bool
    /// Whether the caller's closures run on the thread that handles the response, instead of on a scheduler.
    let runsCallbacksInline: Bool
    /// Receives the parts of a response as they arrive; `nil` if the response is delivered when it is complete.
    let sink: StreamSink?
    let pipeline: RequestPipeline
    /// The context of the call that started the request (``ProviderConfiguration/callContext``), if any.
    let callContext: SharedCallContext?
    /// Retains the provider while the request is in flight.
    private let provider: any AnyObject & Sendable

    init(
        _ target: any RelativeTarget, _ options: RequestOptions, _ endpoint: Endpoint, behavior: StubBehavior,
        isShared: Bool, runsCallbacksInline: Bool,
        sink: StreamSink?, pipeline: RequestPipeline, provider: any AnyObject & Sendable,
        callContext: SharedCallContext?
    ) {
        self.target = target
        self.options = options
        self.endpoint = endpoint
        self.behavior = behavior
        validation = target.validationType
        self.isShared = isShared
        self.runsCallbacksInline = runsCallbacksInline
        self.sink = sink
        self.pipeline = pipeline
        self.provider = provider
        self.callContext = callContext
    }

    var plugins: [any PluginType] { pipeline.configuration.plugins }
    var interceptors: [any RequestInterceptor] { pipeline.configuration.interceptors }
    var scheduler: any Scheduler { pipeline.configuration.scheduler }
    var isStubbed: Bool { behavior != .never }

    /// The maximum size of a response in memory, in bytes; `nil`: no limit.
    var maximumResponseSize: Int? {
        options.maximumResponseSize ?? pipeline.configuration.maximumResponseSize
    }

    var timeouts: Timeouts { options.timeouts ?? pipeline.configuration.timeouts }

    /// Whether transport events are handled on a background queue instead of on the transport's thread.
    ///
    /// Closures of the caller, plugins, interceptors and file I/O must not run on the transport's thread, because they
    /// would delay the other requests of that thread. For a request without any of these, the transport's thread only
    /// resumes an `async` call or enqueues a callback. The queue handles one batch of events of a request at a time.
    /// Stubs are handled on the thread that delivers them.
    var deliversInBackground: Bool {
        guard !isStubbed else { return false }
        return runsCallbacksInline || isShared || endpoint.task.download != nil || !plugins.isEmpty
            || !interceptors.isEmpty
    }
}

/// A closure that receives the parts of a response as they arrive, and the limit of unacknowledged bytes.
struct StreamSink: Sendable {
    /// The number of unacknowledged bytes at which reading stops; `nil`: reading never stops.
    let window: Int?
    let receive: @Sendable (ResponsePart) -> Void

    func delivered(by delivery: CallbackDelivery) -> StreamSink {
        StreamSink(window: window, receive: { [receive] part in delivery.post { receive(part) } })
    }
}
