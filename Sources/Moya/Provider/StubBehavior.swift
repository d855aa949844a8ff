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
    /// Sends all requests to the server: the default.
    public static func neverStub(_: Target) -> StubBehavior { .never }

    /// Delivers the sample responses of all requests immediately.
    public static func immediatelyStub(_: Target) -> StubBehavior { .immediate }

    /// Delivers the sample responses of all requests after a delay, in seconds.
    public static func delayedStub(_ seconds: Double) -> StubClosure {
        { _ in .delayed(seconds: seconds) }
    }
}
