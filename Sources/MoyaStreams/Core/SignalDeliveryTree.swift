/// The observers of a signal in order of subscription, as an immutable balanced tree.
///
/// Delivery is faster than with an array: reading an observer from an array retains the observer, but reading it from a
/// constant property does not.
@usableFromInline
final class SignalDeliveryTree<Element: Sendable>: Sendable {
    @usableFromInline let before: SignalDeliveryTree?
    @usableFromInline let observer: Observer<Element>
    @usableFromInline let after: SignalDeliveryTree?

    @inlinable
    init?(_ observers: ArraySlice<Observer<Element>>) {
        guard !observers.isEmpty else { return nil }
        let middle = observers.startIndex + observers.count / 2
        before = SignalDeliveryTree(observers[..<middle])
        observer = observers[middle]
        after = SignalDeliveryTree(observers[(middle + 1)...])
    }

    /// Delivers a value to all observers.
    @inlinable
    @inline(never)
    func deliver(_ element: Element) {
        // If `before` is `nil`, `after` is also `nil`, because `before` is never the smaller subtree.
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
