public import Foundation

/// The head of a response, and the content of the response as a sequence of chunks.
///
/// The content can be iterated only once, because chunks are not stored after an iterator has returned them.
public struct StreamedResponse: AsyncSequence, Sendable {
    /// A chunk of content.
    public typealias Element = Data

    /// The response head.
    public let head: ResponseHead
    let content: StreamedContentBuffer

    /// The status code.
    public var statusCode: Int { head.statusCode }
    /// How the cache of the transport handled the request; `nil` if the transport has no cache.
    public var cacheStatus: CacheStatus? { head.cacheStatus }

    /// An iterator over the chunks of the content.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let content: StreamedContentBuffer

        /// Returns the next chunk, or `nil` at the end.
        ///
        /// - Throws: the `MoyaError` that ended the content, or `CancellationError` if the task is cancelled.
        public mutating func next() async throws -> Data? {
            let content = content
            let result = await withTaskCancellationHandler {
                await content.next()
            } onCancel: {
                content.cancel()
            }
            try Task.checkCancellation()
            return try result.get()
        }
    }

    /// Returns an iterator that starts at the first chunk that no iterator has returned yet.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(content: content) }
}

extension ResponseHead {
    init(of response: Response) {
        self = response.head ?? Self(statusCode: response.statusCode, version: "HTTP/1.1", headers: response.headers)
        sent = response.sentRequest.map(Boxed.init)
    }
}
