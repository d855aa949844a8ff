package import Foundation

/// The kind of a frame (RFC 6455, section 11.8).
package enum FrameOpcode: UInt8, Sendable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue >= 8 }
}

/// Writes frames (RFC 6455, section 5.2).
package enum FrameWriter {
    /// Returns a frame, masked if `mask` has four bytes.
    package static func frame(
        _ opcode: FrameOpcode, _ payload: some Collection<UInt8>, isFinal: Bool = true, mask: [UInt8]
    ) -> Data {
        let length = payload.count
        let extended = length <= 125 ? 0 : length <= 0xffff ? 2 : 8
        let start = 2 + extended + mask.count
        var frame = Data(count: start + length)
        frame[0] = opcode.rawValue | (isFinal ? 0x80 : 0)
        frame[1] = (mask.isEmpty ? 0 : 0x80) | (extended == 0 ? UInt8(length) : extended == 2 ? 126 : 127)
        for index in 0..<extended {
            frame[2 + index] = UInt8(truncatingIfNeeded: length >> (8 * (extended - 1 - index)))
        }
        for index in mask.indices { frame[2 + extended + index] = mask[index] }
        frame.overwrite(from: start, with: payload, mask: mask)
        return frame
    }

    package static func frame(_ message: WebSocketMessage, mask: [UInt8]) -> Data {
        switch message {
        case .text(let text): frame(.text, text.utf8, mask: mask)
        case .data(let data): frame(.binary, data, mask: mask)
        }
    }

    // Returns a close frame. A reason is cut to 123 bytes, at a character; `noStatus` sends no code.
    package static func close(_ code: WebSocketCloseCode, _ reason: String, mask: [UInt8]) -> Data {
        guard code != .noStatus else { return frame(.close, [], mask: mask) }
        var reason = reason
        while reason.utf8.count > 123 { reason.removeLast() }
        return frame(.close, [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xff)] + reason.utf8, mask: mask)
    }

    /// Returns the random mask of one frame (RFC 6455, section 5.3), from the generator of the system.
    package static func mask() -> [UInt8] {
        let bits = UInt32.random(in: .min ... .max)
        return (0..<4).map { UInt8(truncatingIfNeeded: bits >> UInt32(8 * $0)) }
    }
}
