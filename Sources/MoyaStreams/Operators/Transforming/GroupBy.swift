extension Subscribable {
    /// Sends one stream, called a group, for each key; the group sends the values of that key.
    ///
    /// ```text
    /// source:              a--b--A-----B--|
    /// groupBy lowercased:  a--b-----------|      (a: a-----A--------|, b from its start: b--------B--|)
    /// ```
    /// Each group is sent before its first value. The groups complete and fail with the source. A group buffers its
    /// values, without limit, until its first subscription. Later subscribers of the group receive only newer values.
    /// Cancelling the subscription to one group does not affect the other groups. The source is cancelled when the
    /// stream of groups and all groups have no subscribers left. A group that is first subscribed after the source was
    /// cancelled sends its buffered values and completes. If `key` throws, the stream and all groups fail with its
    /// error.
    ///
    /// ```swift
    /// orders.groupBy { $0.country }.flatMap { country, orders in
    ///     orders.scan(0) { $0 + $1.total }.map { (country, $0) }
    /// }
    /// ```
    /// - Parameter key: returns the key of a value.
    public func groupBy<Key: Hashable & Sendable>(
        _ key: @escaping @Sendable (Element) throws -> Key
    ) -> Observable<(key: Key, values: Observable<Element>)> {
        Observable(run: { [source = observable] downstream in
            let groups = SerialCell((byKey: [Key: Emitter<Element>](), all: [Emitter<Element>]()))
            let subscribers = InnerStreamSubscribers(downstream.lifetime)
            let connection = Lifetime(in: subscribers.lifetime) { error in
                for group in groups.exchange(([:], [])).all { group.end(error) }
                downstream.lifetime.end(error)
            }
            source.run(
                Observer(connection) { element in
                    do {
                        let key = try key(element)
                        if let group = groups.value.byKey[key] { return group.post(element) }
                        guard !downstream.lifetime.isOver else { return }
                        let (stream, emitter) = subscribers.makeStream(of: Element.self)
                        groups.change {
                            $0.byKey[key] = emitter
                            $0.all.append(emitter)
                        }
                        downstream.next((key: key, values: stream))
                        emitter.post(element)
                    } catch { connection.fail(error) }
                })
        })
    }
}
