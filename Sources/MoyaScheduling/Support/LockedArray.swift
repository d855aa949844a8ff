/// An array that is protected by a lock.
package final class LockedArray<Element: Sendable>: Sendable {
    private let storage = Locked<[Element]>([])

    package init() {}

    /// The elements at present.
    package var elements: [Element] { storage.withLock { $0 } }
    package var count: Int { storage.withLock { $0.count } }

    /// Appends an element and returns the new count.
    @discardableResult
    package func append(_ element: Element) -> Int {
        storage.withLock { elements in
            elements.append(element)
            return elements.count
        }
    }

    package func takeAll() -> [Element] { storage.withLock { exchange(&$0, with: []) } }
}
