import Dispatch
import Foundation

/// Reads the content of a stream on a thread that may block, for URLSession.
final class RequestBodyPump: Cancellable {
    static let bufferSize = 64 << 10

    private let hasMore = DispatchSemaphore(value: 0)
    private let cancelled = OneShotFlag()

    var isCancelled: Bool { cancelled.isSet }

    func cancel() { if cancelled.setIfUnset() { hasMore.signal() } }

    // Returns at the end of the content; throws if its length is not the declared one, and after a cancel.
    func read(_ body: RequestBody, _ write: (Data) throws -> Void) throws {
        var reader = try body.open(checking: body.length()) { [hasMore] in hasMore.signal() }
        while !isCancelled {
            switch try reader.read(upTo: Self.bufferSize) {
            case .data(let data): try write(data)
            case .pending: hasMore.wait()
            case .end: return
            }
        }
        throw URLError(.cancelled)
    }

    func waitUntilCancelled() { while !isCancelled { hasMore.wait() } }

    /// Writes the content to a new file, which the caller must remove, even after an error.
    func spool(_ body: RequestBody, to file: URL, onChunk: () -> Void) throws {
        try FileManager.default.createPrivateFile(at: file)
        let handle = try FileHandle(forWritingTo: file)
        try read(body) { chunk in
            try handle.write(contentsOf: chunk)
            onChunk()
        }
        try? handle.close()
    }
}
