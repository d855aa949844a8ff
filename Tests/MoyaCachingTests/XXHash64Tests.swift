import Foundation
import Moya
import TestSupport
import Testing

@testable import MoyaCaching

@Suite(.queued, .timeLimit(.minutes(10))) struct XXHash64Tests {
    @Test(
        "texts have the hashes of the reference implementation",
        arguments: [
            ("", 0xef46_db37_51d8_e999), ("a", 0xd24e_c4f1_a98c_6e5b), ("abc", 0x44bc_2cf5_ad77_0999),
            ("The content of a stored response: 0123456789", 0x66af_3a85_e13f_a8de),
        ] as [(String, UInt64)])
    func reference(_ message: String, _ expected: UInt64) {
        expectEqual(XXHash64.hash(Array(message.utf8)), expected)
        // The bytes need not be aligned.
        expectEqual(XXHash64.hash(Data("x\(message)".utf8).dropFirst()), expected)
    }

    @Test("each bit of a message changes its hash", arguments: [1, 7, 8, 31, 32, 33, 100])
    func bits(_ length: Int) {
        let message = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) })
        var hashes: Set = [XXHash64.hash(message)]
        for bit in 0..<length * 8 {
            var other = message
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            hashes.insert(XXHash64.hash(other))
        }
        expectEqual(hashes.count, length * 8 + 1)
    }

    @Test(
        "checksums of content do not depend on how it was written",
        arguments: [1, 1000, 65_535, 65_536, 65_537, 200_000])
    func chunks(_ length: Int) {
        let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        var calculator = ChecksumCalculator()
        for start in stride(from: 0, to: content.count, by: length) {
            calculator.add(content[start..<min(start + length, content.count)])
        }
        let file = ContentFile(name: "", length: calculator.length, checksums: calculator.checksums)
        #expect(file.checksums.count == 4 && file.verify(content, from: 0))
        #expect(file.verify(content.suffix(200_000 - 65_536), from: 1))
        #expect(!file.verify(content + [0], from: 0) && !file.verify(content, from: 1))
    }
}
