public import Foundation

/// The head of an answer, and its content as a sequence of chunks, to be iterated once.
public struct StreamedResponse: AsyncSequence, Sendable {
    /// A chunk of content.
    public typealias Element = Data

    /// The head.
    public let head: ResponseHead
    private let holder: Holder

    init(head: ResponseHead, content: StreamedContent) {
        self.head = head
        holder = Holder(content)
    }

    /// The status code.
    public var statusCode: Int { head.statusCode }

    /// Cancels the request when the last reader is released.
    fileprivate final class Holder: Sendable {
        let content: StreamedContent

        init(_ content: StreamedContent) {
            self.content = content
        }

        deinit {
            content.cancel()
        }
    }

    /// Reads the content.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let holder: Holder

        /// The next chunk; nil at the end.
        ///
        /// - Throws: the `MoyaError` that ended the content, or `CancellationError` when the task is cancelled.
        public mutating func next() async throws -> Data? {
            let content = holder.content
            let result = await withTaskCancellationHandler {
                await content.next()
            } onCancel: {
                content.cancel()
            }
            try Task.checkCancellation()
            return try result.get()
        }
    }

    /// Begins to read the content, where the one before has stopped.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(holder: holder) }
}

/// What has come and was not read yet.
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
        let isTooLate = state.withLock { state in
            if state.end == nil { state.exchange = exchange }
            return state.isCancelled
        }
        if isTooLate { exchange.cancel() }
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
                // Concurrent readers share no content: the first one receives the end.
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
    /// The head of an answer that is here as a whole.
    init(of response: Response) {
        self = response.head ?? Self(statusCode: response.statusCode, version: "HTTP/1.1", headers: response.headers)
    }
}
