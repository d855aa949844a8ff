/// The exchange that a transport returns if it does not send the request; its methods have no effect.
package struct EndedExchange: TransportExchange {
    package init() {}

    package var isCancelled: Bool { false }
    package func cancel() {}
    package func consumed(_ bytes: Int) {}
}
