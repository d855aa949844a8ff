import Dispatch
import Foundation

/// Spools a body stream to a temporary file: URLSession can't wait for a slow stream or read one twice.
final class RequestBodySpooler: Cancellable {
    private static let bufferSize = 64 << 10

    private let file = FileManager.default.privateFile()
    private let hasMore = DispatchSemaphore(value: 0)
    private let cancelled = Locked(false)

    var isCancelled: Bool { cancelled.withLock { $0 } }

    func cancel() {
        cancelled.withLock { $0 = true }
        hasMore.signal()
    }

    // Writes on a new thread. `done` receives the file, which the caller must remove.
    func write(_ body: RequestBody, _ done: @escaping @Sendable (Result<URL, any Error>) -> Void) {
        Thread.detachNewThread { [self] in
            do {
                try write(body)
                done(.success(file))
            } catch {
                try? FileManager.default.removeItem(at: file)
                done(.failure(error))
            }
        }
    }

    private func write(_ body: RequestBody) throws {
        try FileManager.default.createPrivateFile(at: file)
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        let expected = try body.length()
        var reader = try body.open { [hasMore] in hasMore.signal() }
        var length: Int64 = 0
        reading: while !isCancelled {
            switch try reader.read(upTo: Self.bufferSize) {
            case .data(let data):
                try handle.write(contentsOf: data)
                length += Int64(data.count)
            case .pending: hasMore.wait()
            case .end: break reading
            }
            if let expected, length > expected { break }
        }
        if isCancelled { throw URLError(.cancelled) }
        guard expected == nil || expected == length else {
            throw URLError(.requestBodyStreamExhausted, "the stream does not have its declared length")
        }
    }
}
