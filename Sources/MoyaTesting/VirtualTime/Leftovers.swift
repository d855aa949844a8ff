import Moya

/// Something that has not come to its end.
///
/// ```swift
/// time.run()
/// #expect(time.leftovers.isEmpty)
/// ```
public struct Leftover: Sendable, Hashable, CustomStringConvertible {
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
    public let place: SourcePlace?
    /// When it is due, counted from the clock's start; nil if no time is set.
    public let due: Duration?

    /// One line.
    public var description: String {
        kind.rawValue + (place.map { " of \($0)" } ?? "") + (due.map { ", due at \($0)" } ?? "")
    }
}

extension VirtualTime {
    /// What is scheduled, sleeping or subscribed, in the order of its time, then of its beginning.
    public var leftovers: [Leftover] {
        state.withLock { state in
            let entries = state.agenda.entries.filter { $0.item.work.isWaiting }
                .sorted { ($0.due, $0.order) < ($1.due, $1.order) }
            let timers = entries.map { Leftover(kind: $0.item.kind, place: $0.item.place, due: $0.due) }
            let tasks = state.jobs.isEmpty ? [] : [Leftover(kind: .task, place: nil, due: state.now)]
            let open = state.watchers.filter(\.isOpen).map {
                Leftover(kind: .subscription, place: $0.place, due: nil)
            }
            return tasks + timers + open
        }
    }

    /// Keeps an eye on a subscription until its end.
    func watch(at place: SourcePlace, abandon: @escaping @Sendable (VirtualTimeError) -> Void = { _ in }) -> Watcher {
        let watcher = Watcher(place, abandon)
        state.withLock { state in
            // Those that are over hold nothing but themselves.
            if state.watchers.count > 100 { state.watchers.removeAll { !$0.isOpen } }
            state.watchers.append(watcher)
        }
        return watcher
    }
}

/// One open subscription.
final class Watcher: Sendable {
    /// A struct around the closure: a bare closure gains a thunk each time it is moved into or out of an optional.
    private struct Abandon: Sendable {
        let run: @Sendable (VirtualTimeError) -> Void
    }

    let place: SourcePlace
    private let state: Guarded<Abandon?>

    init(_ place: SourcePlace, _ abandon: @escaping @Sendable (VirtualTimeError) -> Void) {
        self.place = place
        state = Guarded(Abandon(run: abandon))
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
