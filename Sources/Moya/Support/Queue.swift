/// First in, first out.
///
/// What was taken is let go of at once; the places of those taken are given back now and then.
@usableFromInline
package struct Queue<Element: Sendable>: Sendable {
    /// The one that `popFirst` would take; often the only one, and no array for it.
    @usableFromInline package private(set) var head: Element?
    @usableFromInline var places: [Element?]
    @usableFromInline var first = 0
    /// Apart from `head`, which would have to be copied for the question if it is an existential.
    @usableFromInline package private(set) var isEmpty: Bool

    @inlinable
    package init(_ elements: [Element] = []) {
        head = elements.first
        places = Array(elements.dropFirst())
        isEmpty = elements.isEmpty
    }

    @inlinable package var count: Int { (isEmpty ? 0 : 1) + places.count - first }

    /// The one that came last.
    @inlinable package var last: Element? { places.last ?? head }

    /// All, in their order.
    @inlinable package var elements: [Element] { ([head] + places[first...]).compactMap { $0 } }

    @inlinable
    package mutating func append(_ element: Element) {
        guard isEmpty else { return places.append(element) }
        head = element
        isEmpty = false
    }

    @inlinable
    package mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = head.take()
        if places.isEmpty { isEmpty = true } else { moveUp() }
        return element
    }

    /// Out of line: mostly nothing waits behind the first.
    @inlinable
    @inline(never)
    mutating func moveUp() {
        head = places[first].take()
        first += 1
        if first == places.count {
            places.removeAll(keepingCapacity: true)
            first = 0
        } else if first >= 32, first > places.count / 2 {
            places.removeFirst(first)
            first = 0
        }
    }
}
