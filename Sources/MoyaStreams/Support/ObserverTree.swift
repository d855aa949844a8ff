/// The observers of a signal in order of subscription, as an immutable balanced tree.
///
/// A delivery retains no observer of a tree: reading a constant property does not retain its object, but reading an
/// element of an array does.
@usableFromInline
final class ObserverTree<Element: Sendable>: Sendable {
    @usableFromInline let before: ObserverTree?
    @usableFromInline let observer: Observer<Element>
    @usableFromInline let after: ObserverTree?

    @inlinable
    init?(_ observers: ArraySlice<Observer<Element>>) {
        guard !observers.isEmpty else { return nil }
        let middle = observers.startIndex + observers.count / 2
        before = ObserverTree(observers[..<middle])
        observer = observers[middle]
        after = ObserverTree(observers[(middle + 1)...])
    }

    /// Delivers a value to all observers.
    ///
    /// `before` is `nil` only in a tree of one observer, because the observers before the middle are never fewer than
    /// those after it. `after` is then `nil`, too.
    @inlinable
    @inline(never)
    func deliver(_ element: Element) {
        if before == nil { observer.send(element) } else { deliverToAll(element) }
    }

    @inlinable
    @inline(never)
    func deliverToAll(_ element: Element) {
        before?.deliver(element)
        observer.send(element)
        after?.deliver(element)
    }
}
