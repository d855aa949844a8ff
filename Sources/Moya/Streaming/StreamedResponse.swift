public import Foundation

/// The head of a response, and its content as a sequence of chunks, which can be iterated once.
public struct StreamedResponse: AsyncSequence, Sendable {
    /// A chunk of content.
    public typealias Element = Data

    /// The head.
    public let head: ResponseHead
    private let owner: Owner

    init(head: ResponseHead, content: StreamedContent) {
        self.head = head
        owner = Owner(content)
    }

    /// The status code.
    public var statusCode: Int { head.statusCode }

    /// An object that cancels the request when the response and its iterators are released.
    fileprivate final class Owner: Sendable {
        let content: StreamedContent

        init(_ content: StreamedContent) {
            self.content = content
        }

        deinit {
            content.cancel()
        }
    }

    /// An iterator over the chunks of the content.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let owner: Owner

        /// Returns the next chunk, or `nil` at the end.
        ///
        /// - Throws: the `MoyaError` that ended the content, or `CancellationError` if the task is cancelled.
        public mutating func next() async throws -> Data? {
            let content = owner.content
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
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(owner: owner) }
}

/// The buffer of received content that was not read yet.
final class StreamedContent: Sendable {
    static let window = 256 << 10

    private struct State: Sendable {
        var exchange: (any TransportExchange)?
        var isCancelled = false
        var head: ResponseHead?
        var chunks = Queue<Data>()
        var end: Result<Response, MoyaError>?
        var waitingForHead: CheckedContinuation<Result<ResponseHead, MoyaError>, Never>?
        var waitingForChunk: CheckedContinuation<Result<Data?, MoyaError>, Never>?
    }

    private let state = Locked(State())

    func attach(_ exchange: any TransportExchange) {
        let isCancelled = state.withLock { state in
            if state.end == nil { state.exchange = exchange }
            return state.isCancelled
        }
        if isCancelled { exchange.cancel() }
    }

    func cancel() {
        let exchange = state.withLock { state in
            state.isCancelled = true
            return state.exchange
        }
        exchange?.cancel()
    }

    func receive(_ part: ResponsePart) {
        switch part {
        case .head(let head):
            let waiting = state.withLock { state in
                state.head = head
                return state.waitingForHead.take()
            }
            waiting?.resume(returning: .success(head))
        case .chunk(let data):
            let waiting = state.withLock { state in
                if state.waitingForChunk == nil { state.chunks.append(data) }
                return state.waitingForChunk.take()
            }
            guard let waiting else { return }
            waiting.resume(returning: .success(data))
            consumed(data)
        }
    }

    func end(_ result: Result<Response, MoyaError>) {
        let (forHead, forChunk, exchange) = state.withLock { state in
            state.end = result
            return (state.waitingForHead.take(), state.waitingForChunk.take(), state.exchange.take())
        }
        withExtendedLifetime(exchange) {}
        forHead?.resume(returning: result.map(ResponseHead.init(of:)))
        forChunk?.resume(returning: result.map { _ in nil })
    }

    func head() async -> Result<ResponseHead, MoyaError> {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state -> Result<ResponseHead, MoyaError>? in
                if let head = state.head { return .success(head) }
                if let end = state.end { return end.map(ResponseHead.init(of:)) }
                state.waitingForHead = continuation
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    func next() async -> Result<Data?, MoyaError> {
        let known = state.withLock { Self.take(&$0) }
        if let known {
            if case .success(let data?) = known { consumed(data) }
            return known
        }
        return await withCheckedContinuation { continuation in
            let (known, former) = state.withLock { state in
                let known = Self.take(&state)
                // Concurrent readers are not supported: the first one receives the end of the content.
                let former = known == nil ? state.waitingForChunk.take() : nil
                if known == nil { state.waitingForChunk = continuation }
                return (known, former)
            }
            former?.resume(returning: .success(nil))
            guard let known else { return }
            if case .success(let data?) = known { consumed(data) }
            continuation.resume(returning: known)
        }
    }

    private static func take(_ state: inout State) -> Result<Data?, MoyaError>? {
        if let chunk = state.chunks.popFirst() { return .success(chunk) }
        return state.end?.map { _ in nil }
    }

    private func consumed(_ data: Data) {
        state.withLock { $0.exchange }?.consumed(data.count)
    }
}

extension ResponseHead {
    /// Creates the head of a complete response.
    init(of response: Response) {
        self = response.head ?? Self(statusCode: response.statusCode, version: "HTTP/1.1", headers: response.headers)
        isRequestedRange = response.isRequestedRange
    }
}
