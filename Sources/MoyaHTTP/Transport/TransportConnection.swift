package import Foundation

/// A transport that can also open a connection for a protocol that begins with an HTTP upgrade (RFC 9110, section 7.8).
package protocol ConnectingTransport: Transport {
    /// Opens a connection to the origin of a request: resolves the name, connects, also through a proxy, and performs
    /// the TLS handshake. No byte of the request is sent. Returns without blocking.
    ///
    /// - Parameter receive: receives the events in order, one call at a time, and must not block. The last event is
    ///   always `ended`.
    func connect(
        for request: TransportRequest, window: Int, receive: @escaping @Sendable (ConnectionEvent) -> Void
    ) -> any TransportConnection
}

package protocol TransportDecorator: Transport {
    var transport: any Transport { get set }
    /// Wraps a transport of requests that upgrade their connection, or returns it unchanged.
    func decorating(_ upgrade: any Transport) -> any Transport
}

extension TransportDecorator {
    package func decorating(_ upgrade: any Transport) -> any Transport {
        var copy = self
        copy.transport = upgrade
        return copy
    }
}

extension Transport {
    // Returns this transport with another one in place of the innermost one; `nil` if that one opens no connections, or
    // if another transport around it is no decorator.
    package func replacingConnecting(_ make: (any ConnectingTransport) -> any Transport) -> (any Transport)? {
        if let innermost = self as? any ConnectingTransport { return make(innermost) }
        guard let decorator = self as? any TransportDecorator else { return nil }
        return decorator.transport.replacingConnecting(make).map(decorator.decorating)
    }
}

package enum ConnectionEvent: Sendable {
    case opened(any TransportConnection)
    case received(Data)
    /// The number of bytes that were handed to the system since the connection was opened.
    case sent(Int64)
    /// The last event; without an error, the server has closed the connection.
    case ended(URLError?)
}

/// An open connection, for bytes in both directions; may be used from any thread.
package protocol TransportConnection: Cancellable {
    /// Sends bytes in the order of the calls; bytes that were sent after the end are dropped.
    func send(_ bytes: Data)
    /// Acknowledges bytes that were processed; the connection stops reading while `window` bytes are not acknowledged.
    func acknowledge(_ bytes: Int)
}

extension EndedExchange: TransportConnection {
    package func send(_ bytes: Data) {}
}
