import Moya

extension Subscribable {
    /// All values in one array, once the source has completed.
    ///
    /// ```text
    /// source:       a--b--c|
    /// toArray():    -------([a, b, c]|)
    /// ```
    /// Buffers all values; a failure drops them.
    public func toArray() -> Observable<[Element]> {
        Observable(run: { [source = observable] downstream in
            let elements = ElementList<Element>()
            let lifetime = Lifetime(in: downstream.lifetime) { error in
                let all = elements.takeAll()
                if error == nil { downstream.send(all) }
                downstream.lifetime.end(error)
            }
            source.run(Observer(lifetime) { elements.append($0) })
        })
    }
}

/// Values that are collected.
final class ElementList<Element: Sendable>: Sendable {
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

    /// Takes the oldest.
    func takeFirst() -> Element? {
        storage.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
