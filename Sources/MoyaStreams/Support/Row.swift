/// Observers in their order, as a balanced tree: what is read from constant properties is not retained for each value, as
/// what is read from an array is.
@usableFromInline
final class Row<Element: Sendable>: Sendable {
    @usableFromInline let before: Row?
    @usableFromInline let observer: Observer<Element>
    @usableFromInline let after: Row?

    @inlinable
    init?(_ observers: ArraySlice<Observer<Element>>) {
        guard !observers.isEmpty else { return nil }
        let middle = observers.startIndex + observers.count / 2
        before = Row(observers[..<middle])
        observer = observers[middle]
        after = Row(observers[(middle + 1)...])
    }

    /// At the ends of the tree, and an only observer is one, there is nobody else: who has nobody before has nobody after.
    @inlinable
    @inline(never)
    func serve(_ element: Element) {
        if before == nil { observer.send(element) } else { serveAll(element) }
    }

    @inlinable
    @inline(never)
    func serveAll(_ element: Element) {
        before?.serve(element)
        observer.send(element)
        after?.serve(element)
    }
}
