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
private final class ChunkReader<Chunks: AsyncSequence & SendableMetatype>: BodyReader, Sendable
where Chunks.Element == Data, Chunks.AsyncIterator: SendableMetatype {
    private struct State: Sendable {
        var task: _Concurrency.Task<Void, Never>?
        var chunk = Data()
        var end: Result<Void, any Error>?
        /// Set when the chunk was read; the task waits for it before it produces the next one.
        var chunkWasRead: FirstResult<Void>?
        var isReaderWaiting = false
    }

    private let state = Locked(State())
    private let resume: @Sendable () -> Void
    private let open: @Sendable () async throws -> Chunks

    init(_ resume: @escaping @Sendable () -> Void, _ open: @escaping @Sendable () async throws -> Chunks) {
        self.resume = resume
        self.open = open
    }

    // The task then calls `next` once more, because an `AsyncStream` notices only there that its task is cancelled.
    deinit {
        let last = state.withLock { $0 }
        last.task?.cancel()
        last.chunkWasRead?.set(())
    }

    func read(upTo count: Int) throws -> BodyPart {
        if state.withLock({ $0.task == nil }) { start() }
        let (part, chunkWasRead) = try state.withLock { state -> (BodyPart, FirstResult<Void>?) in
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
            return (.data(part), state.chunk.isEmpty ? state.chunkWasRead.take() : nil)
        }
        chunkWasRead?.set(())
        return part
    }

    private func start() {
        let task = _Concurrency.Task(executorPreference: CurrentVirtualClock.current) { [weak self, open] in
            do {
                var chunks = try await open().makeAsyncIterator()
                while let chunk = try await chunks.next() {
                    guard !chunk.isEmpty else { continue }
                    let wasRead = FirstResult<Void>()
                    guard self?.change({ ($0.chunk, $0.chunkWasRead) = (chunk, wasRead) }) != nil else {
                        _ = try await chunks.next()
                        return
                    }
                    await wasRead.value()
                }
                self?.change { $0.end = .success(()) }
            } catch {
                self?.change { $0.end = .failure(error) }
            }
        }
        state.withLock { $0.task = task }
    }

    /// Changes the state, and resumes the reader if it waits for the change.
    private func change(_ body: (inout State) -> Void) {
        let isWaiting = state.withLock { state in
            body(&state)
            return exchange(&state.isReaderWaiting, with: false)
        }
        if isWaiting { resume() }
    }
}
