extension Subscribable {
    /// Sends the last `count` values after the source has completed.
    ///
    /// ```text
    /// source:          a--b--c|
    /// takeLast(2):     -------(bc|)
    /// ```
    /// Buffers up to `count` values; a failure drops them.
    public func takeLast(_ count: Int) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let elements = SerialCell(Queue<Element>())
            let lifetime = Lifetime(in: downstream.lifetime) { error in
                let last = elements.exchange(Queue())
                if error == nil { for element in last.elements { downstream.send(element) } }
                downstream.lifetime.end(error)
            }
            source.run(
                Observer(lifetime) { element in
                    guard count > 0 else { return }
                    let dropped = elements.change { queue -> Element? in
                        queue.append(element)
                        return queue.count > count ? queue.popFirst() : nil
                    }
                    // Released after the change: a deinitializer may use the stream.
                    withExtendedLifetime(dropped) {}
                })
        })
    }
}
