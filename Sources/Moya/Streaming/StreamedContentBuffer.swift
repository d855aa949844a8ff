import Foundation

/// The content of a streamed response that is not iterated yet; cancels the request when it is released.
final class StreamedContentBuffer: Sendable {
    private typealias Reader = FirstResult<Result<Data?, MoyaError>>

    private struct State: Sendable {
        var exchange: (any TransportExchange)?
        var chunks = Queue<Data>()
        var end: Result<Data?, MoyaError>?
        var waitingForChunk: Reader?
    }

    private let state = Locked(State())

    deinit { cancel() }

    func attach(_ exchange: any TransportExchange) {
        state.withLock { if $0.end == nil { $0.exchange = exchange } }
    }

    func cancel() {
        state.withLock { $0.exchange }?.cancel()
    }

    func append(_ chunk: Data) {
        let waiting = state.withLock { state in
            if state.waitingForChunk == nil { state.chunks.append(chunk) }
            return state.waitingForChunk.take()
        }
        waiting?.set(.success(chunk))
    }

    func end(_ failure: MoyaError?) {
        let end = failure.map { Result<Data?, MoyaError>.failure($0) } ?? .success(nil)
        let (waiting, exchange) = state.withLock { state in
            state.end = end
            return (state.waitingForChunk.take(), state.exchange.take())
        }
        withExtendedLifetime(exchange) {}
        waiting?.set(end)
    }

    func next() async -> Result<Data?, MoyaError> {
        let reader = Reader()
        let (known, former) = state.withLock { state -> (Result<Data?, MoyaError>?, Reader?) in
            if let chunk = state.chunks.popFirst() { return (.success(chunk), nil) }
            if let end = state.end { return (end, nil) }
            // Only one reader can wait. When a second reader arrives, the first reader receives `nil`.
            return (nil, exchange(&state.waitingForChunk, with: reader))
        }
        former?.set(.success(nil))
        let result = if let known { known } else { await reader.value() }
        if case .success(let chunk?) = result { state.withLock { $0.exchange }?.acknowledge(chunk.count) }
        return result
    }
}
