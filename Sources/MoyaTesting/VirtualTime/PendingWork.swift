import MoyaScheduling

/// Something that has not come to its end.
///
/// ```swift
/// time.run()
/// #expect(time.leftovers.isEmpty)
/// ```
public struct PendingWork: Sendable, Hashable, CustomStringConvertible {
    /// What can be left over.
    public enum Kind: String, Sendable, Hashable {
        /// Work that waits for its time.
        case timer
        /// A task that sleeps, or that could run if the clock were moved.
        case task
        /// A subscription of a recording, or to a stream made of a diagram.
        case subscription
    }

    /// What it is.
    public let kind: Kind
    /// Where it was scheduled, recorded or made; nil for a task, which tells the clock nothing of itself.
    public let place: SourceLocation?
    /// When it is due, counted from the clock's start; nil if no time is set.
    public let due: Duration?

    /// One line.
    public var description: String {
        kind.rawValue + (place.map { " of \($0)" } ?? "") + (due.map { ", due at \($0)" } ?? "")
    }
}

extension VirtualTime {
    /// What is scheduled, sleeping or subscribed, in the order of its time, then of its beginning.
    public var leftovers: [PendingWork] {
        state.withLock { state in
            let entries = state.heap.entries.filter { $0.item.work.isWaiting }
                .sorted { ($0.due, $0.order) < ($1.due, $1.order) }
            let timers = entries.map { PendingWork(kind: $0.item.kind, place: $0.item.place, due: $0.due) }
            let tasks = state.jobs.isEmpty ? [] : [PendingWork(kind: .task, place: nil, due: state.now)]
            let open = state.trackers.filter(\.isOpen).map {
                PendingWork(kind: .subscription, place: $0.place, due: nil)
            }
            return tasks + timers + open
        }
    }

    /// Keeps an eye on a subscription until its end.
    func watch(at place: SourceLocation, abandon: @escaping @Sendable (VirtualTimeError) -> Void = { _ in })
        -> SubscriptionTracker
    {
        let tracker = SubscriptionTracker(place, abandon)
        state.withLock { state in
            // Those that are over hold nothing but themselves.
            if state.trackers.count > 100 { state.trackers.removeAll { !$0.isOpen } }
            state.trackers.append(tracker)
        }
        return tracker
    }
}

/// One open subscription.
final class SubscriptionTracker: Sendable {
    /// A struct around the closure: a bare closure gains a thunk each time it is moved into or out of an optional.
    private struct Abandon: Sendable {
        let run: @Sendable (VirtualTimeError) -> Void
    }

    let place: SourceLocation
    private let state: Locked<Abandon?>

    init(_ place: SourceLocation, _ abandon: @escaping @Sendable (VirtualTimeError) -> Void) {
        self.place = place
        state = Locked(Abandon(run: abandon))
    }

    var isOpen: Bool { state.withLock { $0 != nil } }

    func abandon(_ error: VirtualTimeError) {
        take()?.run(error)
    }

    func close() {
        _ = take()
    }

    private func take() -> Abandon? {
        state.withLock { state in
            defer { state = nil }
            return state
        }
    }
}
