import Foundation

/// MD5 (RFC 1321), SHA-256 and SHA-512/256 (FIPS 180-4), which Foundation does not provide on all platforms.
package enum MessageDigest {
    static func md5(_ message: some Sequence<UInt8>) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
        for block in blocks(of: message, lengthIsBigEndian: false) {
            let words = stride(from: 0, to: 64, by: 4).map { offset in
                (0..<4).reduce(UInt32(0)) { $0 | UInt32(block[block.startIndex + offset + $1]) << UInt32(8 * $1) }
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            for round in 0..<64 {
                let (mixed, index) =
                    switch round / 16 {
                    case 0: ((b & c) | (~b & d), round)
                    case 1: ((d & b) | (~d & c), (5 * round + 1) % 16)
                    case 2: (b ^ c ^ d, (3 * round + 5) % 16)
                    default: (c ^ (b | ~d), (7 * round) % 16)
                    }
                let sum = a &+ mixed &+ md5Sines[round] &+ words[index]
                (a, d, c, b) = (d, c, b, b &+ sum.rotatedLeft(md5Shifts[round / 16][round % 4]))
            }
            state = zip(state, [a, b, c, d]).map { $0 &+ $1 }
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) } }
    }

    @_specialize(where Message == String.UTF8View)
    @_specialize(where Message == [UInt8])
    package static func sha256<Message: Sequence<UInt8>>(_ message: Message) -> [UInt8] {
        var state = sha256Start
        var words = [UInt32](repeating: 0, count: 64)
        for block in blocks(of: message, lengthIsBigEndian: true) {
            var position = block.startIndex
            for index in 0..<16 {
                words[index] =
                    UInt32(block[position]) << 24 | UInt32(block[position + 1]) << 16
                    | UInt32(block[position + 2]) << 8 | UInt32(block[position + 3])
                position += 4
            }
            for index in 16..<64 {
                let (early, late) = (words[index - 15], words[index - 2])
                let first = early.rotatedRight(7) ^ early.rotatedRight(18) ^ early >> 3
                let second = late.rotatedRight(17) ^ late.rotatedRight(19) ^ late >> 10
                words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
            }
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            for round in 0..<64 {
                let high = e.rotatedRight(6) ^ e.rotatedRight(11) ^ e.rotatedRight(25)
                let choice = (e & f) ^ (~e & g)
                let first = h &+ high &+ choice &+ sha256Constants[round] &+ words[round]
                let low = a.rotatedRight(2) ^ a.rotatedRight(13) ^ a.rotatedRight(22)
                let majority = (a & b) ^ (a & c) ^ (b & c)
                (h, g, f, e) = (g, f, e, d &+ first)
                (d, c, b, a) = (c, b, a, first &+ low &+ majority)
            }
            for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
    }

    /// - Parameter size: the number of bytes in a block; the length takes an eighth of the last one.
    package static func blocks(
        of message: some Sequence<UInt8>, lengthIsBigEndian: Bool, size: Int = 64
    ) -> [ArraySlice<UInt8>] {
        var bytes = Array(message)
        let bits = UInt64(bytes.count) * 8
        bytes.append(0x80)
        while bytes.count % size != size - 8 - (size - 64) / 8 { bytes.append(0) }
        bytes += Array(repeating: 0, count: (size - 64) / 8)
        for index in 0..<8 {
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * (lengthIsBigEndian ? 7 - index : index))))
        }
        return stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<$0 + size] }
    }

    private static let md5Sines = (0..<64).map { UInt32(abs(sin(Double($0 + 1))) * 4_294_967_296) }
    private static let md5Shifts: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]
    private static let sha256Start: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    /// The first 32 bits of what SHA-512 uses.
    private static let sha256Constants = sha512Constants.prefix(64).map { UInt32($0 >> 32) }
}

extension UInt32 {
    package func rotatedLeft(_ count: UInt32) -> UInt32 { self &<< count | self &>> (32 &- count) }
    fileprivate func rotatedRight(_ count: UInt32) -> UInt32 { self &>> count | self &<< (32 &- count) }
}
