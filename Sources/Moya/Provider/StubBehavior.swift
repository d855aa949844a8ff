/// Whether and when a request receives the endpoint's sample response instead of being sent.
public enum StubBehavior: Sendable, Hashable {
    /// The request is sent to the server.
    case never
    /// The sample response is delivered before `request` returns.
    case immediate
    /// The sample response is delivered after a delay, on the provider's scheduler.
    case delayed(seconds: Double)
}

extension MoyaProvider {
    /// Returns a provider whose requests are all stubbed, with the responses that a closure returns.
    ///
    /// ```swift
    /// let provider = MoyaProvider<GitHub>.stubbed { target in .status(401) }
    /// ```
    /// - Parameters:
    ///   - configuration: the options of the provider.
    ///   - stubClosure: decides how a target is stubbed; by default, stubs respond before `request` returns.
    ///   - sample: returns the response for a target; called each time a stub delivers a response.
    public static func stubbed(
        configuration: ProviderConfiguration = ProviderConfiguration(),
        stubClosure: @escaping StubClosure = MoyaProvider.immediatelyStub,
        _ sample: @escaping @Sendable (Target) -> EndpointSampleResponse
    ) -> MoyaProvider {
        MoyaProvider(
            configuration: configuration,
            endpointClosure: { defaultEndpointMapping(for: $0).replacing(sample: sample($0)) },
            stubClosure: stubClosure)
    }

    /// Returns a provider whose requests are all stubbed, with responses that a closure returns, after a delay.
    ///
    /// ```swift
    /// let time = VirtualTime()
    /// let slow = MoyaProvider<GitHub>.stubbed(after: .seconds(60), on: time) { _ in .status(200, data) }
    /// ```
    /// - Parameters:
    ///   - delay: how long a response takes, on the scheduler.
    ///   - scheduler: the scheduler of the provider, which is virtual in a test.
    ///   - configuration: the other options of the provider.
    ///   - sample: returns the response for a target; called each time a stub delivers a response.
    public static func stubbed(
        after delay: Duration, on scheduler: any Scheduler,
        configuration: ProviderConfiguration = ProviderConfiguration(),
        _ sample: @escaping @Sendable (Target) -> EndpointSampleResponse
    ) -> MoyaProvider {
        var configuration = configuration
        configuration.scheduler = scheduler
        return stubbed(configuration: configuration, stubClosure: delayedStub(delay / .seconds(1)), sample)
    }

    /// The default stub closure, which sends all requests to the server.
    @Sendable public static func neverStub(_: Target) -> StubBehavior { .never }

    /// A stub closure that delivers the sample responses of all requests immediately.
    @Sendable public static func immediatelyStub(_: Target) -> StubBehavior { .immediate }

    /// Returns a stub closure that delivers the sample responses of all requests after a delay, in seconds.
    public static func delayedStub(_ seconds: Double) -> StubClosure {
        { _ in .delayed(seconds: seconds) }
    }
}
