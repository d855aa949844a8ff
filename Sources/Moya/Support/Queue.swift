/// First in, first out.
///
/// What was taken is let go of at once; the places before the first are given back now and then.
@usableFromInline
package struct Queue<Element: Sendable>: Sendable {
    @usableFromInline var places: [Element?]
    @usableFromInline var first = 0

    @inlinable
    package init(_ elements: [Element] = []) {
        places = elements
    }

    @inlinable package var isEmpty: Bool { first == places.count }

    @inlinable package var count: Int { places.count - first }

    /// The one that `popFirst` would take.
    @inlinable package var head: Element? { isEmpty ? nil : places[first] }

    /// The one that came last.
    @inlinable package var last: Element? { isEmpty ? nil : places[places.count - 1] }

    /// All, in their order.
    @inlinable package var elements: [Element] { places[first...].compactMap { $0 } }

    @inlinable
    package mutating func append(_ element: Element) {
        places.append(element)
    }

    @inlinable
    package mutating func popFirst() -> Element? {
        guard first < places.count else { return nil }
        let element = places[first].take()
        first += 1
        if first == places.count {
            places.removeAll(keepingCapacity: true)
            first = 0
        } else if first >= 32, first > places.count / 2 {
            places.removeFirst(first)
            first = 0
        }
        return element
    }
}
