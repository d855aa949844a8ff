extension RequestExecution {
    var plugins: [any PluginType] { providerContext.configuration.plugins }
    var interceptors: [any RequestInterceptor] { providerContext.configuration.interceptors }
    var scheduler: any Scheduler { providerContext.scheduler }
    var isStubbed: Bool { behavior != .never }

    /// The maximum size of a response in memory, in bytes; `nil`: no limit.
    var maximumResponseSize: Int? {
        options.maximumResponseSize ?? providerContext.configuration.maximumResponseSize
    }

    /// The number of unacknowledged bytes at which the transport of a stream stops reading; `nil`: no limit.
    ///
    /// If the caller has set no window, the provider itself acknowledges the content that the receiver has returned
    /// from. The content that waits for the receiver is then limited like other content in memory.
    var streamWindow: Int? {
        guard let sink else { return nil }
        return sink.window ?? maximumResponseSize.map { max($0, StreamSink.defaultWindow) }
    }

    var timeouts: Timeouts { options.timeouts ?? providerContext.configuration.timeouts }

    /// Whether transport events are handled on a background queue instead of on the transport's thread.
    ///
    /// Closures of the caller, plugins, interceptors and file I/O must not run on the transport's thread, because they
    /// would delay other requests. A shared request needs the background queue, too, because later calls with closures
    /// may join it. The events of a stub are handled on the thread that delivers the stub, and those that a transport
    /// delivers on the provider's virtual clock, or within `start`, on the clock (`VirtualOrRealScheduler`).
    var deliversInBackground: Bool {
        guard !isStubbed else { return false }
        return runsCallbacksInline || isShared || endpoint.task.download != nil || !plugins.isEmpty
            || !interceptors.isEmpty
    }
}

extension RequestExecution {
    /// Reports a step of an attempt to the observers.
    ///
    /// If several calls share the request, the step is reported only once, for the oldest call.
    func notify(_ step: @autoclosure () -> CallStep, attempt: Int) {
        guard providerContext.events != nil else { return }
        let call = state.withLock { $0.first ?? $0.others.first }
        call?.observation?.report(step(), attempt: attempt)
    }

    /// Returns a function that reports steps of an attempt to the observers; `nil` if there are no observers.
    func exchangeObserver(attempt: Int) -> (@Sendable (ExchangeStep) -> Void)? {
        guard providerContext.events != nil else { return nil }
        return { [self] step in notify(CallStep(step), attempt: attempt) }
    }
}

extension Result where Failure == MoyaError {
    /// The error; `nil` for a success.
    var failure: MoyaError? { if case .failure(let error) = self { error } else { nil } }
}
