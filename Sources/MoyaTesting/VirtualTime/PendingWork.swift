import MoyaScheduling

/// Scheduled work, a task or a subscription that has not ended.
///
/// ```swift
/// time.run()
/// #expect(time.leftovers.isEmpty)
/// ```
public struct PendingWork: Sendable, Hashable, CustomStringConvertible {
    /// The kinds of pending work.
    public enum Kind: String, Sendable, Hashable {
        /// Scheduled work that has not run.
        case timer
        /// A task that is sleeping, or that is ready to run.
        case task
        /// An open subscription: by a ``Recording``, or to a ``MarbleStream``.
        case subscription
    }

    /// The kind of the pending work.
    public let kind: Kind
    /// The source location where the work was scheduled, the recording was started or the stream was created; `nil` for
    /// a task.
    public let place: CallSite?
    /// The time at which the work is due, measured from the start of the clock; `nil` for a subscription.
    public let due: Duration?

    /// The kind, the source location and the due time, on one line.
    public var description: String {
        kind.rawValue + (place.map { " of \($0)" } ?? "") + (due.map { ", due at \($0)" } ?? "")
    }
}

extension VirtualTime {
    /// The pending work: tasks that are ready, then scheduled work and sleeping tasks by due time, then subscriptions.
    public var leftovers: [PendingWork] {
        state.withLock { state in
            let entries = state.heap.entries.filter { $0.item.work.isWaiting }
                .sorted { ($0.due, $0.rank) < ($1.due, $1.rank) }
            let timers = entries.map { PendingWork(kind: $0.item.kind, place: $0.item.place, due: $0.due) }
            let tasks = state.jobs.isEmpty ? [] : [PendingWork(kind: .task, place: nil, due: state.now)]
            let open = state.trackedSubscriptions.filter(\.isOpen).map {
                PendingWork(kind: .subscription, place: $0.place, due: nil)
            }
            return tasks + timers + open
        }
    }

    /// Tracks a subscription, so that ``leftovers`` reports it until it ends.
    ///
    /// - Parameters:
    ///   - place: the source location that ``leftovers`` reports.
    ///   - abandon: if the clock stops with an error while the subscription is open, called with that error.
    func track(at place: CallSite, abandon: @escaping @Sendable (VirtualTimeError) -> Void = { _ in })
        -> TrackedSubscription
    {
        let subscription = TrackedSubscription(place, abandon)
        state.withLock { state in
            // Removes subscriptions that have ended, so that the list does not grow without a limit.
            if state.trackedSubscriptions.count > state.trackingLimit {
                state.trackedSubscriptions.removeAll { !$0.isOpen }
                state.trackingLimit = max(100, 2 * state.trackedSubscriptions.count)
            }
            state.trackedSubscriptions.append(subscription)
        }
        return subscription
    }
}

final class TrackedSubscription: Sendable {
    /// Stores `abandon` in a struct, because calling a bare closure in an optional needs a thunk, which is slower.
    private struct ClockStopHandler: Sendable {
        let run: @Sendable (VirtualTimeError) -> Void
    }

    let place: CallSite
    private let state: Locked<ClockStopHandler?>

    init(_ place: CallSite, _ abandon: @escaping @Sendable (VirtualTimeError) -> Void) {
        self.place = place
        state = Locked(ClockStopHandler(run: abandon))
    }

    var isOpen: Bool { state.withLock { $0 != nil } }

    func abandon(_ error: VirtualTimeError) {
        take()?.run(error)
    }

    func close() {
        _ = take()
    }

    private func take() -> ClockStopHandler? {
        state.withLock { state in
            defer { state = nil }
            return state
        }
    }
}
