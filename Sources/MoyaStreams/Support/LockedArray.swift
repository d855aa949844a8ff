import MoyaScheduling

/// An array that is protected by a lock.
final class LockedArray<Element: Sendable>: Sendable {
    private let storage = Locked<[Element]>([])

    /// Appends an element and returns the new count.
    @discardableResult
    func append(_ element: Element) -> Int {
        storage.withLock { elements in
            elements.append(element)
            return elements.count
        }
    }

    func takeAll() -> [Element] {
        storage.withLock { elements in
            defer { elements = [] }
            return elements
        }
    }
}
