public import Foundation

extension RequestBody {
    /// Returns content that an async sequence produces while the request is sent.
    ///
    /// ```swift
    /// let body = RequestBody.stream { camera.frames }                        // an AsyncSequence of Data
    /// try await provider.response(.upload(body, contentType: "video/mp4"))
    /// ```
    /// The next chunk is requested only when the connection has taken the previous one, so content of any size needs
    /// little memory. Cancelling the request, or a response that arrives before all content was sent, cancels the task
    /// that iterates over the sequence. If the sequence throws, the request fails with a `URLError` whose underlying
    /// error is that error.
    ///
    /// - Parameters:
    ///   - length: the length in bytes, which is declared to the server. The request fails if the sequence has more or
    ///     fewer bytes. Without it, the content is sent in chunks.
    ///   - open: returns the sequence. It is called each time that the request is sent: again for a retry, a redirect
    ///     or a challenge. For a sequence that can be read only once, use ``stream(once:length:)``.
    public static func stream<Chunks: AsyncSequence & SendableMetatype>(
        length: Int64? = nil, _ open: @escaping @Sendable () async throws -> Chunks
    ) -> RequestBody where Chunks.Element == Data, Chunks.AsyncIterator: SendableMetatype {
        .stream(length: length) { resume in ChunkReader(resume, open) }
    }

    /// Returns content that an async sequence produces, which can be read only once, such as an `AsyncStream`.
    ///
    /// If the request has to be sent again after the first read, for a retry, a redirect or a challenge, it fails
    /// instead. Otherwise, this is the same as ``stream(length:_:)``.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        once chunks: Chunks, length: Int64? = nil
    ) -> RequestBody where Chunks.Element == Data, Chunks.AsyncIterator: SendableMetatype {
        let isOpen = OneShotFlag()
        return .stream(length: length) { resume in
            ChunkReader(resume) {
                guard isOpen.setIfUnset() else {
                    throw URLError(
                        .requestBodyStreamExhausted,
                        "the content can be read only once, and the request had to be sent again. Pass a closure that "
                            + "opens the content, as in .stream { … }.")
                }
                return chunks
            }
        }
    }
}

/// Reads the chunks that a task produces; the task starts with the first read and is cancelled with the last reference.
private final class ChunkReader: BodyReader {
    private let queue: ChunkQueue
    private let produce: @Sendable (ChunkQueue) async throws -> Void
    private var task: _Concurrency.Task<Void, Never>?

    init<Chunks: AsyncSequence & SendableMetatype>(
        _ resume: @escaping @Sendable () -> Void, _ open: @escaping @Sendable () async throws -> Chunks
    ) where Chunks.Element == Data, Chunks.AsyncIterator: SendableMetatype {
        queue = ChunkQueue(resume)
        produce = { queue in
            var chunks = try await open().makeAsyncIterator()
            while let chunk = try await chunks.next() {
                guard !chunk.isEmpty, await !queue.add(chunk) else { continue }
                // An `AsyncStream` notices that its task is cancelled only in `next`.
                _ = try await chunks.next()
                return
            }
        }
    }

    deinit {
        task?.cancel()
        queue.close()
    }

    func read(upTo count: Int) throws -> BodyPart {
        if task == nil {
            task = .init(executorPreference: CurrentVirtualClock.current) { [queue, produce] in
                do {
                    try await produce(queue)
                    queue.end(.success(()))
                } catch {
                    queue.end(.failure(error))
                }
            }
        }
        return try queue.read(upTo: count)
    }
}

/// A queue of at most one chunk, between the task that produces the chunks and the transport that sends them.
private final class ChunkQueue: Sendable {
    private struct State: Sendable {
        var chunk = Data()
        var end: Result<Void, any Error>?
        /// The task that waits until the chunk was read.
        var producer: FirstResult<Bool>?
        var isReaderWaiting = false
        var isClosed = false
    }

    private let state = Locked(State())
    private let resume: @Sendable () -> Void

    init(_ resume: @escaping @Sendable () -> Void) {
        self.resume = resume
    }

    func read(upTo count: Int) throws -> BodyPart {
        let (part, producer) = try state.withLock { state -> (BodyPart, FirstResult<Bool>?) in
            guard !state.chunk.isEmpty else {
                if let end = state.end {
                    try end.get()
                    return (.end, nil)
                }
                state.isReaderWaiting = true
                return (.pending, nil)
            }
            let part = state.chunk.prefix(count)
            state.chunk = state.chunk.dropFirst(count)
            return (.data(part), state.chunk.isEmpty ? state.producer.take() : nil)
        }
        producer?.set(true)
        return part
    }

    /// Adds a chunk and waits until it was read; returns `false` if no more chunks are wanted.
    func add(_ chunk: Data) async -> Bool {
        let isRead = FirstResult<Bool>()
        change { state in
            // Nobody waits for the result yet.
            guard !state.isClosed else { return isRead.set(false) }
            state.chunk = chunk
            state.producer = isRead
        }
        return await isRead.value()
    }

    func end(_ end: Result<Void, any Error>) { change { $0.end = end } }

    /// Resumes the reader if it waits for what has changed.
    private func change(_ body: (inout State) -> Void) {
        let isWaiting = state.withLock { state in
            body(&state)
            return exchange(&state.isReaderWaiting, with: false)
        }
        if isWaiting { resume() }
    }

    func close() {
        let producer = state.withLock { state in
            (state.isClosed, state.isReaderWaiting) = (true, false)
            return state.producer.take()
        }
        producer?.set(false)
    }
}
