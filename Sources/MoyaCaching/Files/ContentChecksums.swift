import Foundation

/// One checksum for each block of ``blockLength`` bytes, verified before any byte of the block is delivered.
struct ContentChecksums: Sendable {
    /// The length of a block in bytes; the last block may be shorter.
    static let blockLength = 64 << 10

    let blocks: [UInt64]

    static func count(ofLength length: Int) -> Int {
        length / blockLength + (length.isMultiple(of: blockLength) ? 0 : 1)
    }

    /// - Parameter data: complete blocks, except for the last block of the content.
    func verify(_ data: Data, from block: Int) -> Bool {
        var calculator = Calculator()
        calculator.add(data)
        return blocks.dropFirst(block).starts(with: calculator.checksums.blocks)
    }

    struct Calculator: Sendable {
        private var blocks: [UInt64] = []
        /// The start of a block that is not complete yet.
        private var rest = Data()

        mutating func add(_ chunk: Data) {
            var chunk = chunk
            while rest.count + chunk.count >= blockLength {
                let part = chunk.prefix(blockLength - rest.count)
                blocks.append(XXHash64.hash(rest.isEmpty ? part : rest + part))
                rest = Data()
                chunk = chunk.dropFirst(part.count)
            }
            rest.append(chunk)
        }

        var length: Int { blocks.count * blockLength + rest.count }

        var checksums: ContentChecksums {
            ContentChecksums(blocks: rest.isEmpty ? blocks : blocks + [XXHash64.hash(rest)])
        }
    }
}
