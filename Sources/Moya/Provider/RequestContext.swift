import Foundation

/// The data that all attempts of one request share.
struct RequestContext: Sendable {
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
    let providerContext: ProviderContext
    /// The context of the call that started the request (``ProviderConfiguration/callContext``), if any.
    let callContext: BoxedCallContext?
    /// Retains the provider while the request is in flight.
    let provider: any AnyObject & Sendable

    var plugins: [any PluginType] { providerContext.configuration.plugins }
    var interceptors: [any RequestInterceptor] { providerContext.configuration.interceptors }
    var scheduler: any Scheduler { providerContext.configuration.scheduler }
    var isStubbed: Bool { behavior != .never }

    /// The maximum size of a response in memory, in bytes; `nil`: no limit.
    var maximumResponseSize: Int? {
        options.maximumResponseSize ?? providerContext.configuration.maximumResponseSize
    }

    var timeouts: Timeouts { options.timeouts ?? providerContext.configuration.timeouts }

    /// Whether transport events are handled on a background queue instead of on the transport's thread.
    ///
    /// Closures of the caller, plugins, interceptors and file I/O must not run on the transport's thread, because they
    /// would delay other requests. A shared request needs the background queue, too, because later calls with closures
    /// may join it. The events of a stub are handled on the thread that delivers the stub.
    var deliversInBackground: Bool {
        guard !isStubbed else { return false }
        return runsCallbacksInline || isShared || endpoint.task.download != nil || !plugins.isEmpty
            || !interceptors.isEmpty
    }
}

/// Receives the parts of a response as they arrive, and limits the number of unacknowledged bytes.
struct StreamSink: Sendable {
    /// The maximum number of bytes that may be unacknowledged before the transport stops reading; `nil`: no limit.
    let window: Int?
    let receive: @Sendable (ResponsePart) -> Void

    func delivered(by delivery: CallbackDelivery) -> StreamSink {
        StreamSink(window: window, receive: { [receive] part in delivery.post { receive(part) } })
    }
}
