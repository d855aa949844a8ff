/// Runs a closure when its last reference is released.
@usableFromInline
final class ReleaseHandler: Sendable {
    private let run: @Sendable () -> Void

    @usableFromInline
    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }

    deinit { run() }
}
