/// Not available: virtual time has the factories of RxTest's scheduler.
@available(
    *, unavailable,
    message: "use VirtualTime: cold(_:) and hot(_:) make streams of marble diagrams, play(_:) and record(_:) recordings"
)
public struct TestScheduler {
    /// Not available: virtual time begins at zero.
    public init(initialClock: Int) {}
}
