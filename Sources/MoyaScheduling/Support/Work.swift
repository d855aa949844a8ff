/// A closure, stored in a struct because an optional of a bare closure is slower to access.
package struct Work: Sendable {
    package let run: @Sendable () -> Void

    package init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}
