import Foundation

/// The hash function XXH64, which detects accidental damage at the speed of memory (https://xxhash.com).
enum XXHash64 {
    private static let prime1: UInt64 = 0x9e37_79b1_85eb_ca87
    private static let prime2: UInt64 = 0xc2b2_ae3d_27d4_eb4f
    private static let prime3: UInt64 = 0x1656_67b1_9e37_79f9
    private static let prime4: UInt64 = 0x85eb_ca77_c2b2_ae63
    private static let prime5: UInt64 = 0x27d4_eb2f_1656_67c5

    static func hash(_ message: some ContiguousBytes) -> UInt64 {
        // SAFETY: the buffer is valid for the duration of the call.
        unsafe message.withUnsafeBytes { unsafe hash($0) }
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var offset = 0
        var hash = prime5
        if bytes.count >= 32 {
            var (a, b, c, d) = (prime1 &+ prime2, prime2, 0 as UInt64, 0 &- prime1)
            while bytes.count - offset >= 32 {
                // SAFETY: at least 32 bytes follow `offset`.
                a = unsafe round(a, bytes.number(at: offset))
                b = unsafe round(b, bytes.number(at: offset + 8))
                c = unsafe round(c, bytes.number(at: offset + 16))
                d = unsafe round(d, bytes.number(at: offset + 24))
                offset += 32
            }
            hash = a.rotated(1) &+ b.rotated(7) &+ c.rotated(12) &+ d.rotated(18)
            hash = merge(merge(merge(merge(hash, a), b), c), d)
        }
        hash &+= UInt64(bytes.count)
        while bytes.count - offset >= 8 {
            // SAFETY: at least 8 bytes follow `offset`.
            hash = unsafe (hash ^ round(0, bytes.number(at: offset))).rotated(27) &* prime1 &+ prime4
            offset += 8
        }
        if bytes.count - offset >= 4 {
            // SAFETY: at least 4 bytes follow `offset`.
            let number = unsafe UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            hash = (hash ^ UInt64(number) &* prime1).rotated(23) &* prime2 &+ prime3
            offset += 4
        }
        while offset < bytes.count {
            // SAFETY: at least one byte follows `offset`.
            hash = unsafe (hash ^ UInt64(bytes[offset]) &* prime5).rotated(11) &* prime1
            offset += 1
        }
        hash = (hash ^ hash >> 33) &* prime2
        hash = (hash ^ hash >> 29) &* prime3
        return hash ^ hash >> 32
    }

    private static func round(_ lane: UInt64, _ number: UInt64) -> UInt64 {
        (lane &+ number &* prime2).rotated(31) &* prime1
    }

    private static func merge(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
        (hash ^ round(0, lane)) &* prime1 &+ prime4
    }
}

extension UInt64 {
    fileprivate func rotated(_ count: UInt64) -> UInt64 { self &<< count | self &>> (64 &- count) }
}

extension UnsafeRawBufferPointer {
    fileprivate func number(at offset: Int) -> UInt64 {
        // SAFETY: the caller has checked that eight bytes follow `offset`.
        unsafe UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
