// A FIFO queue. Removing from an array's front moves the rest, so dequeued elements are replaced with `nil`, and many
// `nil` elements are removed at once.
@usableFromInline
package struct Queue<Element: Sendable>: Sendable {
    /// The first element, stored outside of the array, so that a queue of one element allocates no array.
    @usableFromInline package private(set) var head: Element?
    @usableFromInline var tail: [Element?] = []
    @usableFromInline var first = 0
    /// Stored separately, because comparing `head` with `nil` copies an element of an existential type.
    @usableFromInline package private(set) var isEmpty = true

    @inlinable
    package init() {}

    @inlinable
    package init(_ elements: [Element]) {
        for element in elements { append(element) }
    }

    @inlinable package var count: Int { (isEmpty ? 0 : 1) + tail.count - first }

    @inlinable package var last: Element? { tail.last ?? head }

    @inlinable package var elements: [Element] { ([head] + tail[first...]).compactMap { $0 } }

    @inlinable
    package mutating func append(_ element: Element) {
        guard isEmpty else { return tail.append(element) }
        head = element
        isEmpty = false
    }

    @inlinable
    package mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = head.take()
        if tail.isEmpty { isEmpty = true } else { fillHead() }
        return element
    }

    /// The method is not inlined, because it is rarely called: most queues have only one element.
    @inlinable
    @inline(never)
    mutating func fillHead() {
        head = tail[first].take()
        first += 1
        if first == tail.count {
            tail.removeAll(keepingCapacity: true)
            first = 0
        } else if first >= 32, first > tail.count / 2 {
            tail.removeFirst(first)
            first = 0
        }
    }
}
