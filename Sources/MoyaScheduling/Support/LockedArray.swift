package final class LockedArray<Element: Sendable>: Sendable {
    private let storage = Locked<[Element]>([])

    package init() {}

    package var elements: [Element] { storage.withLock { $0 } }
    package var count: Int { storage.withLock { $0.count } }

    package func append(_ element: Element) { storage.withLock { $0.append(element) } }

    package func takeAll() -> [Element] { storage.withLock { exchange(&$0, with: []) } }
}
