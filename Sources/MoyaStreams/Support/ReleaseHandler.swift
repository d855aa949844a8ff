@usableFromInline
final class ReleaseHandler: Sendable {
    private let run: @Sendable () -> Void

    @usableFromInline
    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }

    deinit { run() }
}
