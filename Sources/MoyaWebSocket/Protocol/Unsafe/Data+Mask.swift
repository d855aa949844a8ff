import Foundation

extension Data {
    // Overwrites the bytes from `start` to the end with as many others, combined with a mask of four bytes or none.
    mutating func overwrite(from start: Int, with bytes: some Collection<UInt8>, mask: [UInt8]) {
        // SAFETY: `copyBytes` writes no more than the slice has.
        unsafe withUnsafeMutableBytes { all in
            let target = unsafe UnsafeMutableRawBufferPointer(rebasing: all[start...])
            unsafe target.copyBytes(from: bytes)
            unsafe apply(mask, to: target)
        }
    }

    /// Combines all bytes with a mask of four bytes.
    mutating func combine(with mask: [UInt8]) {
        // SAFETY: the function stays within the buffer.
        unsafe withUnsafeMutableBytes { unsafe apply(mask, to: $0) }
    }
}

// SAFETY, for every `unsafe` in this function: an access reads and writes 8 or 1 bytes, at an index at least that far
// from the end of the buffer.
private func apply(_ mask: [UInt8], to target: UnsafeMutableRawBufferPointer) {
    guard mask.count == 4 else { return }
    let word = (0..<8).reduce(UInt64(0)) { $0 | UInt64(mask[$1 & 3]) << UInt64(8 * $1) }.littleEndian
    let count = target.count
    var index = 0
    while index + 8 <= count {
        let value = unsafe target.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        unsafe target.storeBytes(of: value ^ word, toByteOffset: index, as: UInt64.self)
        index += 8
    }
    while index < count {
        unsafe target[index] ^= mask[index & 3]
        index += 1
    }
}
