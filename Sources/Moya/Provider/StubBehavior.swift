/// Whether a request is answered from the endpoint's sample, and when.
public enum StubBehavior: Sendable, Hashable {
    /// It goes to the server.
    case never
    /// Answered before `request` returns.
    case immediate
    /// Answered after a time, on the provider's scheduler.
    case delayed(seconds: Double)
}

extension MoyaProvider {
    /// All requests go to the server: the default.
    public static func neverStub(_: Target) -> StubBehavior { .never }

    /// All requests are answered from their samples, at once.
    public static func immediatelyStub(_: Target) -> StubBehavior { .immediate }

    /// All requests are answered from their samples, after a time.
    public static func delayedStub(_ seconds: Double) -> StubClosure {
        { _ in .delayed(seconds: seconds) }
    }
}
