/// Not available: ``VirtualTime`` replaces the `TestScheduler` of RxTest.
@available(
    *, unavailable,
    message: "use VirtualTime: cold(_:) and hot(_:) make streams of marble diagrams, play(_:) and record(_:) recordings"
)
public struct TestScheduler {
    /// Not available, because the time of a ``VirtualTime`` always begins at zero.
    public init(initialClock: Int) {}
}
