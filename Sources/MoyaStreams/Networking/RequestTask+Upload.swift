public import Foundation

extension RequestTask {
    /// Content that a stream sends while the request is being sent.
    ///
    /// ```swift
    /// var task: RequestTask { .upload(microphone.map(\.data), contentType: "audio/mp4", isRepeatable: false) }
    /// ```
    /// The stream is subscribed to each time that the request is sent, and the subscription is cancelled when the
    /// request ends. A stream cannot be told to wait: what it sends before the connection takes it is kept in memory.
    /// If the stream fails, the request fails with its error; if its source is released before it has completed, the
    /// request fails as well.
    ///
    /// - Parameters:
    ///   - content: a stream of chunks of bytes.
    ///   - length: the length in bytes, which is declared to the server; without it, the content is sent in chunks.
    ///   - contentType: the value of `Content-Type`. Defaults to `application/octet-stream`.
    ///   - isRepeatable: whether each subscription receives the same content, as with a cold stream. If `false`, and
    ///     the request has to be sent again, for a retry, a redirect or a challenge, it fails instead.
    public static func upload(
        _ content: some Subscribable<Data>, length: Int64? = nil, contentType: String? = nil, isRepeatable: Bool = true
    ) -> RequestTask {
        let chunks = UploadedChunks(content: content.observable)
        let body: RequestBody =
            isRepeatable ? .stream(length: length) { chunks } : .stream(once: chunks, length: length)
        return .upload(body, contentType: contentType)
    }

    // The message is the documentation.
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    @available(*, unavailable, renamed: "requestData(_:)", message: "or upload(.data(…), contentType:)")
    public static func upload(_ data: Data, contentType: String? = nil) -> RequestTask { .requestData(data) }

    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    @available(*, unavailable, renamed: "uploadFile(_:)", message: "or upload(.file(…), contentType:)")
    public static func upload(_ file: URL, contentType: String? = nil) -> RequestTask { .uploadFile(file) }
}

private struct UploadedChunks: AsyncSequence, Sendable {
    let content: Observable<Data>

    struct Iterator: AsyncIteratorProtocol {
        var events: ValueSequence<Event<Data>>.Iterator

        mutating func next() async throws -> Data? {
            switch try await events.next() {
            case .next(let chunk): return chunk
            case .completed: return nil
            case .error(let error): throw error
            case nil:
                throw URLError(.requestBodyStreamExhausted, "its source was released before it had completed")
            }
        }
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(events: ValueSequence(content.materialize(), .unbounded).makeAsyncIterator())
    }
}
