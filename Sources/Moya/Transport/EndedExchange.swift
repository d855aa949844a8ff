/// An exchange that has already ended, so that its methods have no effect.
package struct EndedExchange: TransportExchange {
    package init() {}

    package var isCancelled: Bool { false }
    package func cancel() {}
    package func consumed(_ bytes: Int) {}
}
