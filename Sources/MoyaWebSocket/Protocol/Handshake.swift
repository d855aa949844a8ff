import Foundation
import Moya

/// The opening handshake of a client (RFC 6455, section 4).
package struct Handshake: Sendable {
    private let key = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
    private let subprotocols: [String]
    private let url: URL
    /// The bytes of the request.
    let bytes: Data

    init(_ request: TransportRequest, subprotocols: [String]) {
        url = request.url
        var headers = request.headers
        let field = ListFieldValue(headers["Sec-WebSocket-Protocol"] ?? "").elements.map { String($0) }
        self.subprotocols = subprotocols.isEmpty ? field : subprotocols
        for name in ["Content-Length", "Transfer-Encoding", "Sec-WebSocket-Extensions"] { headers[name] = nil }
        if headers["Host"] == nil { headers["Host"] = url.hostAndPort }
        headers["Connection"] = "Upgrade"
        headers["Upgrade"] = "websocket"
        headers["Sec-WebSocket-Key"] = key
        headers["Sec-WebSocket-Version"] = "13"
        headers["Sec-WebSocket-Protocol"] =
            self.subprotocols.isEmpty ? nil : self.subprotocols.joined(separator: ", ")
        // As the transports do for other requests.
        if headers["Authorization"] == nil, let user = url.user(percentEncoded: false) {
            headers["Authorization"] = HTTPHeaders.basicCredentials(user, url.password(percentEncoded: false) ?? "")
        }
        var target = url.path(percentEncoded: true)
        if target.isEmpty { target = "/" }
        if let query = url.query(percentEncoded: true) { target += "?" + query }
        var bytes = Data("\(request.method.rawValue) \(target) HTTP/1.1\r\n".utf8)
        for field in headers.fields { bytes += Data("\(field.name): ".utf8) + field.content.octets + Data("\r\n".utf8) }
        self.bytes = bytes + Data("\r\n".utf8)
    }

    /// Returns the subprotocol that the server has chosen; throws if the response does not complete the handshake.
    func subprotocol(in head: ResponseHead) throws(URLError) -> String? {
        let headers = head.headers
        guard Self.tokens(headers["Upgrade"]) == ["websocket"] else {
            throw failure("the field Upgrade of the response is not websocket")
        }
        guard Self.tokens(headers["Connection"]).contains("upgrade") else {
            throw failure("the field Connection of the response does not contain Upgrade")
        }
        guard headers["Sec-WebSocket-Accept"] == Self.accept(key) else {
            throw failure("the field Sec-WebSocket-Accept of the response does not match the key of the request")
        }
        guard headers["Sec-WebSocket-Extensions"] == nil else {
            throw failure("the server uses an extension that was not offered")
        }
        guard let chosen = headers["Sec-WebSocket-Protocol"] else { return nil }
        guard subprotocols.contains(chosen) else {
            throw failure("the server has chosen the subprotocol \(chosen.debugDescription), which was not offered")
        }
        return chosen
    }

    /// The value of `Sec-WebSocket-Accept` for a key.
    package static func accept(_ key: String) -> String {
        Data(MessageDigest.sha1(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")).base64EncodedString()
    }

    private static func tokens(_ field: String?) -> [String] {
        ListFieldValue(field ?? "").elements.map { $0.lowercased() }
    }

    private func failure(_ reason: String) -> URLError {
        URLError(.badServerResponse, .waitingForResponse, url, "the WebSocket handshake failed: \(reason)")
    }
}

/// Reads the head of a response, and the content of a response that refuses the handshake.
struct HandshakeResponse: Sendable {
    private(set) var head: ResponseHead?
    /// The bytes that follow the head.
    private(set) var rest = Data()
    private var line = Data()
    private var parser = HeadParser()

    /// Returns `false` if the bytes are not a response.
    mutating func add(_ bytes: Data) -> Bool {
        guard head == nil else {
            rest += bytes
            return true
        }
        line += bytes
        while let end = line.firstIndex(of: UInt8(ascii: "\n")) {
            let result = parser.add(Array(line[...end]))
            line = Data(line[line.index(after: end)...])
            switch result {
            case .incomplete: continue
            case .malformed: return false
            case .head(let head):
                self.head = head
                rest = exchange(&line, with: Data())
                return true
            }
        }
        return line.count < 64 << 10
    }

    // The complete content of a refusal; `nil` if more bytes are needed. At most `limit` bytes are read.
    func content(isAtEnd: Bool, limit: Int) -> Data? {
        guard let head else { return nil }
        if head.statusCode == 204 || head.statusCode == 304 { return Data() }
        if head.headers["Transfer-Encoding"]?.lowercased().hasSuffix("chunked") == true {
            return chunks() ?? (isAtEnd || rest.count > limit ? Data() : nil)
        }
        if let length = head.headers["Content-Length"].flatMap({ Int($0) }), (0...rest.count).contains(length) {
            return rest.prefix(length)
        }
        return isAtEnd || rest.count > limit ? rest : nil
    }

    private func chunks() -> Data? {
        var (content, rest) = (Data(), rest[...])
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let digits = String(decoding: rest[..<end], as: UTF8.self).prefix { $0.isHexDigit }
            guard let size = Int(digits, radix: 16), size >= 0 else { return nil }
            if size == 0 { return content }
            rest = rest[rest.index(after: end)...]
            guard rest.count - 2 >= size else { return nil }
            content += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
        }
        return nil
    }
}

extension MessageDigest {
    /// Returns the SHA-1 hash of a message (FIPS 180-4).
    fileprivate static func sha1(_ message: String) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
        for block in blocks(of: message.utf8, lengthIsBigEndian: true) {
            var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
                block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            for index in 16..<80 {
                let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
                words.append(mixed.rotatedLeft(1))
            }
            var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
            for (round, word) in words.enumerated() {
                let (mixed, constant): (UInt32, UInt32) =
                    switch round / 20 {
                    case 0: ((b & c) | (~b & d), 0x5a82_7999)
                    case 1: (b ^ c ^ d, 0x6ed9_eba1)
                    case 2: ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc)
                    default: (b ^ c ^ d, 0xca62_c1d6)
                    }
                let sum = a.rotatedLeft(5) &+ mixed &+ e &+ constant &+ word
                (e, d, c, b, a) = (d, c, b.rotatedLeft(30), a, sum)
            }
            state = zip(state, [a, b, c, d, e]).map { $0 &+ $1 }
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
    }
}
