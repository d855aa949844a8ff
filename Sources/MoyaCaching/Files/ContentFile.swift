import Foundation

struct ContentFile: Sendable {
    /// The length of a block in bytes; the last block may be shorter.
    static let blockLength = 64 << 10

    let name: String
    let length: Int
    /// One checksum for each block, verified before any byte of the block is delivered.
    let checksums: [UInt64]

    static func blockCount(ofLength length: Int) -> Int {
        length / blockLength + (length.isMultiple(of: blockLength) ? 0 : 1)
    }

    /// - Parameter data: complete blocks, except for the last block of the content.
    func verify(_ data: Data, from block: Int) -> Bool {
        var calculator = ChecksumCalculator()
        calculator.add(data)
        return checksums.dropFirst(block).starts(with: calculator.checksums)
    }
}

struct ChecksumCalculator: Sendable {
    private var blocks: [UInt64] = []
    /// The start of a block that is not complete yet.
    private var rest = Data()

    mutating func add(_ chunk: Data) {
        var chunk = chunk
        while rest.count + chunk.count >= ContentFile.blockLength {
            let part = chunk.prefix(ContentFile.blockLength - rest.count)
            blocks.append(XXHash64.hash(rest.isEmpty ? part : rest + part))
            rest = Data()
            chunk = chunk.dropFirst(part.count)
        }
        rest.append(chunk)
    }

    var length: Int { blocks.count * ContentFile.blockLength + rest.count }

    var checksums: [UInt64] { rest.isEmpty ? blocks : blocks + [XXHash64.hash(rest)] }
}
