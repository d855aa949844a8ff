/// The observers of a signal in order of subscription, as an immutable balanced tree.
///
/// A delivery retains no observer of a tree: reading a constant property does not retain its object, but reading an
/// element of an array does.
@usableFromInline
final class ObserverList<Element: Sendable>: Sendable {
    @usableFromInline let before: ObserverList?
    @usableFromInline let observer: Observer<Element>
    @usableFromInline let after: ObserverList?

    @inlinable
    init?(_ observers: ArraySlice<Observer<Element>>) {
        guard !observers.isEmpty else { return nil }
        let middle = observers.startIndex + observers.count / 2
        before = ObserverList(observers[..<middle])
        observer = observers[middle]
        after = ObserverList(observers[(middle + 1)...])
    }

    /// Delivers a value to all observers; if `before` is `nil`, `after` is `nil`, too.
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
