import Moya

/// Values that are collected.
final class LockedArray<Element: Sendable>: Sendable {
    private let storage = Guarded<[Element]>([])

    /// Says how many there are now.
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
