package import Foundation

/// What the other side has sent, complete and checked.
package enum WebSocketInput: Sendable, Hashable {
    case message(WebSocketMessage)
    case ping(Data)
    case pong(Data)
    /// The code is ``WebSocketCloseCode/noStatus`` if the frame had none.
    case close(WebSocketCloseCode, reason: String)
}

/// A violation of the protocol, and the code with which the connection is closed.
package struct WebSocketViolation: Error, Hashable {
    package let code: WebSocketCloseCode
    package let reason: String

    init(_ reason: String, code: WebSocketCloseCode = .protocolError) {
        self.code = code
        self.reason = reason
    }
}

// A parser of frames and messages (RFC 6455, sections 5 to 8). It accepts bytes in pieces of any size, keeps only the
// message that is not complete yet, and fails at the first byte that violates the protocol.
package struct FrameParser: Sendable {
    package enum Role: Sendable {
        /// Receives frames without masks.
        case client
        /// Receives masked frames.
        case server
    }

    private struct Header {
        let opcode: FrameOpcode
        let isFinal: Bool
        let isMasked: Bool
        var mask: [UInt8] = []
        /// The number of bytes of the payload that were not read yet.
        var remaining = 0
        var position = 0
    }

    private let role: Role
    private let maximumSize: Int
    private let maximumFragments: Int
    /// The bytes of a header that is not complete.
    private var partialHeader: [UInt8] = []
    private var header: Header?
    /// The opcode of the first frame of a message that is not complete.
    private var messageFrameOpcode: FrameOpcode?
    private var message = Data()
    private var fragments = 0
    private var control = Data()
    private var text = UTF8Validator()
    private var hasClosed = false

    /// - Parameter maximumSize: of a message, in bytes.
    package init(_ role: Role, maximumSize: Int = 16 << 20, maximumFragments: Int = 1 << 16) {
        self.role = role
        self.maximumSize = max(maximumSize, 0)
        self.maximumFragments = maximumFragments
    }

    /// Parses bytes and calls `receive` for all that is complete; bytes after a close frame are ignored.
    package mutating func parse(
        _ bytes: Data, receive: (WebSocketInput) -> Void
    ) throws(WebSocketViolation) {
        var rest = bytes
        while !hasClosed {
            if header == nil {
                guard try readHeader(&rest) else { return }
            }
            guard try readPayload(&rest, receive) else { return }
        }
    }

    /// Returns whether the header is complete.
    private mutating func readHeader(_ rest: inout Data) throws(WebSocketViolation) -> Bool {
        while let byte = rest.popFirst() {
            partialHeader.append(byte)
            switch partialHeader.count {
            case 1: try checkFirst(byte)
            case 2: try checkSecond(byte)
            default: break
            }
            guard partialHeader.count == headerLength else { continue }
            try finishHeader()
            return true
        }
        return false
    }

    /// The length of the header; 2 until the second byte is known.
    private var headerLength: Int {
        guard partialHeader.count >= 2 else { return 2 }
        let mask = partialHeader[1] & 0x80 != 0 ? 4 : 0
        return switch partialHeader[1] & 0x7f {
        case 126: 4 + mask
        case 127: 10 + mask
        default: 2 + mask
        }
    }

    private mutating func checkFirst(_ byte: UInt8) throws(WebSocketViolation) {
        guard byte & 0x70 == 0 else { throw WebSocketViolation("reserved bits of a frame are set") }
        guard let opcode = FrameOpcode(rawValue: byte & 0x0f) else {
            throw WebSocketViolation("the opcode \(byte & 0x0f) is reserved")
        }
        let isFinal = byte & 0x80 != 0
        switch opcode {
        case .close, .ping, .pong:
            guard isFinal else { throw WebSocketViolation("a control frame is fragmented") }
        case .continuation:
            guard messageFrameOpcode != nil else { throw WebSocketViolation("a continuation continues no message") }
        case .text, .binary:
            guard messageFrameOpcode == nil else { throw WebSocketViolation("a message begins within another message") }
        }
    }

    private func checkSecond(_ byte: UInt8) throws(WebSocketViolation) {
        let isMasked = byte & 0x80 != 0
        guard isMasked == (role == .server) else {
            let reason = isMasked ? "a frame of the server is masked" : "a frame of the client is not masked"
            throw WebSocketViolation(reason)
        }
        guard partialHeader[0] & 0x08 == 0 || byte & 0x7f <= 125 else {
            throw WebSocketViolation("a control frame has more than 125 bytes")
        }
    }

    private mutating func finishHeader() throws(WebSocketViolation) {
        // The storage is reused only if nothing else has retained it.
        defer { partialHeader.removeAll(keepingCapacity: true) }
        let (first, second) = (partialHeader[0], partialHeader[1])
        guard let opcode = FrameOpcode(rawValue: first & 0x0f) else { return }
        var header = Header(opcode: opcode, isFinal: first & 0x80 != 0, isMasked: second & 0x80 != 0)
        let short = UInt64(second & 0x7f)
        let extended = partialHeader[2...].prefix(short == 126 ? 2 : short == 127 ? 8 : 0)
        let length = extended.isEmpty ? short : extended.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard length >> 63 == 0, short < 126 || length > (short == 126 ? 125 : 0xffff) else {
            throw WebSocketViolation("the length of a frame is not minimal, or has more than 63 bits")
        }
        guard opcode.isControl || length <= UInt64(maximumSize - message.count) else {
            throw WebSocketViolation("a message is larger than \(maximumSize) bytes", code: .messageTooBig)
        }
        header.remaining = Int(length)
        if header.isMasked { header.mask = Array(partialHeader.suffix(4)) }
        if !opcode.isControl {
            if opcode != .continuation { messageFrameOpcode = opcode }
            fragments += 1
            guard fragments <= maximumFragments else {
                throw WebSocketViolation("a message has more than \(maximumFragments) fragments", code: .messageTooBig)
            }
        }
        self.header = header
    }

    /// Returns whether the frame is complete.
    private mutating func readPayload(
        _ rest: inout Data, _ receive: (WebSocketInput) -> Void
    ) throws(WebSocketViolation) -> Bool {
        guard var header else { return false }
        var part = rest.prefix(header.remaining)
        rest = rest.dropFirst(part.count)
        header.remaining -= part.count
        if header.isMasked {
            part = Data(part)
            part.combine(with: (0..<4).map { header.mask[(header.position + $0) & 3] })
            header.position += part.count
        }
        self.header = header
        if header.opcode.isControl {
            control.append(part)
        } else {
            if message.isEmpty { message = Data(part) } else { message.append(part) }
            if messageFrameOpcode == .text, !text.add(part) {
                throw WebSocketViolation("a text is not valid UTF-8", code: .invalidPayload)
            }
        }
        guard header.remaining == 0 else { return false }
        self.header = nil
        if header.opcode.isControl { try finishControl(header.opcode, receive) }
        if header.isFinal, !header.opcode.isControl { try finishMessage(receive) }
        return true
    }

    private mutating func finishMessage(_ receive: (WebSocketInput) -> Void) throws(WebSocketViolation) {
        let data = exchange(&message, with: Data())
        let isText = messageFrameOpcode == .text
        (messageFrameOpcode, fragments) = (nil, 0)
        guard isText else { return receive(.message(.data(data))) }
        guard text.isComplete else { throw WebSocketViolation("a text ends within a character", code: .invalidPayload) }
        receive(.message(.text(String(decoding: data, as: UTF8.self))))
    }

    private mutating func finishControl(
        _ opcode: FrameOpcode, _ receive: (WebSocketInput) -> Void
    ) throws(WebSocketViolation) {
        let payload = exchange(&control, with: Data())
        switch opcode {
        case .ping: receive(.ping(payload))
        case .pong: receive(.pong(payload))
        default:
            hasClosed = true
            guard !payload.isEmpty else { return receive(.close(.noStatus, reason: "")) }
            guard payload.count >= 2 else { throw WebSocketViolation("a close frame has one byte") }
            let code = WebSocketCloseCode(rawValue: payload.prefix(2).reduce(0) { $0 << 8 | UInt16($1) })
            guard code.isSendable else { throw WebSocketViolation("the close code \(code.rawValue) is not valid") }
            var reason = UTF8Validator()
            guard reason.add(payload.dropFirst(2)), reason.isComplete else {
                throw WebSocketViolation("the reason of a close frame is not valid UTF-8", code: .invalidPayload)
            }
            receive(.close(code, reason: String(decoding: payload.dropFirst(2), as: UTF8.self)))
        }
    }
}

/// Validates UTF-8 in pieces, and fails at the first byte that cannot be part of a character (RFC 3629, section 4).
package struct UTF8Validator: Sendable {
    /// The number of bytes that the current character still needs.
    private var missing = 0
    /// The values that the next byte of the character may have.
    private var allowed: ClosedRange<UInt8> = 0x80...0xbf

    package init() {}

    package var isComplete: Bool { missing == 0 }

    package mutating func add(_ bytes: some Collection<UInt8>) -> Bool {
        // The standard library is faster, but cannot continue a character.
        if missing == 0, String(validating: bytes, as: UTF8.self) != nil { return true }
        for byte in bytes {
            if missing > 0 {
                guard allowed.contains(byte) else { return false }
                missing -= 1
                allowed = 0x80...0xbf
            } else if byte >= 0x80 {
                switch byte {
                case 0xc2...0xdf: missing = 1
                case 0xe0: (missing, allowed) = (2, 0xa0...0xbf)
                case 0xed: (missing, allowed) = (2, 0x80...0x9f)
                case 0xe1...0xef: missing = 2
                case 0xf0: (missing, allowed) = (3, 0x90...0xbf)
                case 0xf1...0xf3: missing = 3
                case 0xf4: (missing, allowed) = (3, 0x80...0x8f)
                default: return false
                }
            }
        }
        return true
    }
}
