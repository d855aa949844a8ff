import Foundation

/// A scheduler with a virtual clock, which runs its work on the thread that moves the clock.
package protocol VirtualScheduler: Scheduler {
    /// The clock, which also runs the jobs of async code.
    var clock: any TaskExecutor { get }
}

// The virtual clock whose work runs on this thread. Work for other threads goes to that clock instead, because it
// would move on without waiting for them.
package enum CurrentVirtualClock {
    private static let clocks = Locked<[ObjectIdentifier: any TaskExecutor]>([:])

    package static var current: (any TaskExecutor)? {
        clocks.withLock { $0.isEmpty ? nil : $0[ObjectIdentifier(Thread.current)] }
    }

    package static func run(on clock: any TaskExecutor, _ work: () -> Void) {
        let thread = ObjectIdentifier(Thread.current)
        let former = clocks.withLock { $0.updateValue(clock, forKey: thread) }
        work()
        let ended = clocks.withLock { exchange(&$0[thread], with: former) }
        // The clock is released outside the lock, because its pending work may run code of the user in a `deinit`.
        withExtendedLifetime(ended) {}
    }
}

/// A scheduler that runs work immediately where the work of a virtual clock runs, and elsewhere on another scheduler.
package struct VirtualOrRealScheduler: Scheduler {
    private let virtual: any VirtualScheduler
    private let real: any Scheduler

    package init(_ virtual: any VirtualScheduler, elsewhere real: any Scheduler) {
        self.virtual = virtual
        self.real = real
    }

    package var now: Duration { virtual.now }

    package func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        guard CurrentVirtualClock.current === virtual.clock else {
            return real.schedule(after: delay, fileID: fileID, line: line, work)
        }
        work()
        return .noOp
    }
}
