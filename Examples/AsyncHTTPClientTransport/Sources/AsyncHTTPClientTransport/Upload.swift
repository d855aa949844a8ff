import Foundation
import Moya
import NIOCore
import NIOFoundationCompat
import Synchronization

/// The content of a request, which the client reads as it sends it.
///
/// The client does not release it if a response arrives before all content is sent: `close()` releases the reader.
final class Upload: AsyncSequence, Sendable {
    private static let partSize = 64 << 10

    private let body: RequestBody
    private let onRead: @Sendable (_ bytes: Int64) -> Void
    private let bytesRead = Atomic<Int64>(0)
    /// One task reads, and no thread waits for the lock.
    private let reader = Mutex<(any BodyReader)?>(nil)
    private let isClosed = Atomic(false)
    /// Signalled when a pending reader has content.
    private let more = WakeUpEvent()

    /// - Parameters:
    ///   - body: the content.
    ///   - onRead: receives the number of bytes that were read so far.
    init(_ body: RequestBody, onRead: @escaping @Sendable (_ bytes: Int64) -> Void) {
        self.body = body
        self.onRead = onRead
    }

    /// The length in bytes, if it is known.
    ///
    /// - Throws: a `URLError` for a file that cannot be read.
    func length() throws(URLError) -> Int64? {
        do { return try body.length() } catch { throw URLError(unreadable: error) }
    }

    /// Ends reading, and releases the reader.
    func close() {
        isClosed.store(true, ordering: .sequentiallyConsistent)
        more.close()
        // If it is being read, the reading task releases it.
        _ = reader.withLockIfAvailable { $0 = nil }
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let upload: Upload

        func next() async throws -> ByteBuffer? {
            try await upload.next()
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(upload: self)
    }

    private func next() async throws -> ByteBuffer? {
        while true {
            switch try read() {
            case .data(let data):
                let count = Int64(data.count)
                onRead(bytesRead.add(count, ordering: .relaxed).newValue)
                return ByteBuffer(data: data)
            case .pending: try await more.wait()
            case .end: return nil
            }
        }
    }

    private func read() throws -> BodyPart {
        defer {
            if isClosed.load(ordering: .sequentiallyConsistent) { reader.withLock { $0 = nil } }
        }
        guard !isClosed.load(ordering: .sequentiallyConsistent) else { throw CancellationError() }
        do {
            return try reader.withLock { reader in
                if reader == nil { reader = try body.open { [more] in more.signal() } }
                return try reader?.read(upTo: Self.partSize) ?? .end
            }
        } catch {
            throw URLError(unreadable: error)
        }
    }
}
