import Foundation

final class ProviderContext: Sendable {
    let configuration: ProviderConfiguration
    /// Runs deadlines, retries and decoding.
    let scheduler: any Scheduler
    /// The plugins; those that take a `TransportRequest` also as such.
    private let preparingPlugins: [(plugin: any PluginType, requestPlugin: (any RequestPlugin)?)]
    let inFlight = InFlightRequests()
    let nonces = NonceCounts()
    /// `nil` if the provider has no observers.
    let events: CallEventDelivery?
    let virtualClock: (any TaskExecutor)?
    /// Wakes requests at their deadlines; `nil` if a user's scheduler has a timer for each request instead, which is
    /// exact.
    let deadlines: DeadlineWatch?
    /// Runs work that could block the thread of a transport.
    let deliveryScheduler: any Scheduler

    init(_ configuration: ProviderConfiguration) {
        self.configuration = configuration
        preparingPlugins = configuration.plugins.map { ($0, $0 as? any RequestPlugin) }
        scheduler = configuration.scheduler.forInternalWork
        let virtual = configuration.scheduler as? any VirtualScheduler
        virtualClock = virtual?.clock
        deliveryScheduler =
            virtual.map { VirtualOrRealScheduler($0, elsewhere: .deliveries) } ?? DispatchScheduler.deliveries
        deadlines = configuration.scheduler.isBackground ? DeadlineWatch(inFlight, on: scheduler) : nil
        events = CallEventDelivery(configuration.observers, configuration.scheduler)
    }

    /// Runs work on the virtual clock, if the provider has one: what the work delivers does not leave the thread.
    func runOnVirtualClock(_ work: () -> Void) {
        if let virtualClock { CurrentVirtualClock.run(on: virtualClock, work) } else { work() }
    }

    /// `nil` if the provider has no jar, or if the request or the default headers have a `Cookie` field.
    func cookies(for request: TransportRequest) -> CookieJar? {
        guard let cookies = configuration.cookies else { return nil }
        return request.headers["Cookie"] == nil && configuration.defaultHeaders["Cookie"] == nil ? cookies : nil
    }

    func prepare(
        _ request: inout TransportRequest, for target: any RelativeTarget, _ options: RequestOptions
    ) throws(MoyaError) {
        if let policy = options.cachePolicy { request.apply(policy) }
        // What the previous plugin returned, if it takes a `URLRequest`. Converted only when a plugin needs a
        // `TransportRequest`, or at the end.
        var urlRequest: URLRequest?
        for (plugin, requestPlugin) in preparingPlugins {
            if let requestPlugin {
                if let prepared = urlRequest.take() { try request.update(to: prepared) }
                requestPlugin.prepare(&request, target: target)
            } else {
                if urlRequest == nil { urlRequest = try request.checkedURLRequest() }
                urlRequest = urlRequest.map { plugin.prepare($0, target: target) }
            }
        }
        if let urlRequest { try request.update(to: urlRequest) }
    }

    func credential(for request: RequestType, _ target: any RelativeTarget) -> URLCredential? {
        for plugin in configuration.plugins {
            if let credential = plugin.credential(for: request, target: target) { return credential }
        }
        return nil
    }
}
