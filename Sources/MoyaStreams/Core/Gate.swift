public import Moya
public import Synchronization

/// A door that is only ever tried: it lets one in at a time, and nobody waits (R7, R8, R11).
///
/// Whoever finds it free works on the state; whoever finds it taken, by another thread or by itself further up the
/// stack, leaves a note and goes. The one inside works off the notes before leaving, in the order in which they came, and
/// looks once more after leaving. The state may therefore be in use while foreign code runs.
@usableFromInline
final class Gate<State: Sendable, Note: Sendable>: Sendable {
    @usableFromInline let state: Guarded<State>
    @usableFromInline let work: @Sendable (inout State, Note) -> Void
    @usableFromInline let hasNotes = Atomic<Bool>(false)
    /// A hint that spares the one who is inside already a failing try, which costs a system call.
    @usableFromInline let isTaken = Atomic<Bool>(false)
    private let notes = Guarded<[Note]>([])

    @inlinable
    init(_ state: State, _ work: @escaping @Sendable (inout State, Note) -> Void) {
        self.state = Guarded(state)
        self.work = work
    }

    /// Does the work for `note`, now or, if somebody is inside, when that one is done.
    @inlinable
    func pass(_ note: Note) {
        if !enter({ state in work(&state, note) }) { leave(note) }
    }

    /// Runs `body` on the state if nobody is inside, and says whether it did.
    ///
    /// Notes go first: nobody overtakes their own.
    @inlinable
    @inline(__always)
    func enter(_ body: (inout State) -> Void) -> Bool {
        guard !isTaken.load(ordering: .relaxed), !hasNotes.load(ordering: .relaxed) else { return false }
        let entered = state.withLockIfFree { state in
            isTaken.store(true, ordering: .relaxed)
            body(&state)
            if hasNotes.load(ordering: .relaxed) { workOffNotes(&state) }
            isTaken.store(false, ordering: .relaxed)
        }
        // Pairs with the store in `leave`: either we see the note, or its owner finds the door free.
        if entered, hasNotes.load(ordering: .sequentiallyConsistent) { settle() }
        return entered
    }

    @usableFromInline
    func leave(_ note: Note) {
        notes.withLock { $0.append(note) }
        hasNotes.store(true, ordering: .sequentiallyConsistent)
        settle()
    }

    /// As long as there are notes and nobody inside to see to them.
    @usableFromInline
    func settle() {
        while hasNotes.load(ordering: .sequentiallyConsistent) {
            let entered = state.withLockIfFree { state in
                isTaken.store(true, ordering: .relaxed)
                workOffNotes(&state)
                isTaken.store(false, ordering: .relaxed)
            }
            guard entered else { return }
        }
    }

    @usableFromInline
    func workOffNotes(_ state: inout State) {
        while true {
            let left = takeNotes()
            if left.isEmpty { return }
            for note in left { work(&state, note) }
        }
    }

    /// What was left so far; for the one inside.
    @usableFromInline
    func takeNotes() -> [Note] {
        notes.withLock { notes in
            hasNotes.store(false, ordering: .relaxed)
            defer { notes = [] }
            return notes
        }
    }
}
