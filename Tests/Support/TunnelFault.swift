package import MoyaTesting

/// What a proxy does in place of its response to `CONNECT`.
package enum TunnelFault: Sendable, CaseIterable {
    case closed, reset, halfHead, garbage, otherProtocol, silence

    package var reply: LoopbackReply {
        switch self {
        case .closed: .closed
        case .reset: .reset
        case .halfHead: .raw("HTTP/1.1 200 Est")
        case .garbage: .garbage
        case .otherProtocol: .raw("SSH-2.0-none\r\n\r\n")
        case .silence: .silence
        }
    }
}
