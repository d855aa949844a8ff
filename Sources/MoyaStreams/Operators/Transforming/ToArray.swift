import MoyaScheduling

extension Subscribable {
    /// Sends all values in one array after the source has completed.
    ///
    /// ```text
    /// source:       a--b--c|
    /// toArray():    -------({[a, b, c]}|)
    /// ```
    /// Buffers all values; a failure drops them.
    public func toArray() -> Observable<[Element]> {
        Observable(run: { [source = observable] downstream in
            let elements = SerialCell<[Element]>([])
            let lifetime = Lifetime(in: downstream.lifetime) { error in
                let all = elements.exchange([])
                if error == nil { downstream.send(all) }
                downstream.lifetime.end(error)
            }
            source.run(Observer(lifetime) { element in elements.change { $0.append(element) } })
        })
    }
}
