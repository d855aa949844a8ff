extension Subscribable {
    /// Sends the last `count` values after the source has completed.
    ///
    /// ```text
    /// source:          a--b--c|
    /// takeLast(2):     -------(bc|)
    /// ```
    /// Buffers up to `count` values; a failure drops them.
    public func takeLast(_ count: Int) -> Observable<Element> {
        stateful(Queue<Element>()) { elements, element, _ in
            let dropped = elements.change { queue -> Element? in
                queue.append(element)
                return queue.count > count ? queue.popFirst() : nil
            }
            // Released after the change: a deinitializer may use the stream.
            withExtendedLifetime(dropped) {}
        } atEnd: { last, downstream in
            for element in last.elements { downstream.send(element) }
        }
    }
}
