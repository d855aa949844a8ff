import Foundation

final class StreamedContentBuffer: Sendable {
    private typealias Reader = FirstResult<Result<Data?, MoyaError>>

    private struct State: Sendable {
        var exchange: (any TransportExchange)?
        var isCancelled = false
        var chunks = Queue<Data>()
        var end: Result<Response, MoyaError>?
        var waitingForChunk: Reader?
    }

    /// The head; without one, the error or the response that ended the exchange.
    let head = FirstResult<Result<ResponseHead, MoyaError>>()
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
        case .head(let head): self.head.set(.success(head))
        case .chunk(let data):
            let waiting = state.withLock { state in
                if state.waitingForChunk == nil { state.chunks.append(data) }
                return state.waitingForChunk.take()
            }
            guard let waiting else { return }
            waiting.set(.success(data))
            acknowledge(data)
        }
    }

    func end(_ result: Result<Response, MoyaError>) {
        let (waiting, exchange) = state.withLock { state in
            state.end = result
            return (state.waitingForChunk.take(), state.exchange.take())
        }
        withExtendedLifetime(exchange) {}
        head.set(result.map(ResponseHead.init(of:)))
        waiting?.set(result.map { _ in nil })
    }

    func next() async -> Result<Data?, MoyaError> {
        let reader = Reader()
        let (known, former) = state.withLock { state -> (Result<Data?, MoyaError>?, Reader?) in
            if let chunk = state.chunks.popFirst() { return (.success(chunk), nil) }
            if let end = state.end { return (end.map { _ in nil }, nil) }
            // Only one reader can wait. When a second reader arrives, the first reader receives `nil`.
            return (nil, exchange(&state.waitingForChunk, with: reader))
        }
        former?.set(.success(nil))
        guard let known else { return await reader.value() }
        if case .success(let data?) = known { acknowledge(data) }
        return known
    }

    private func acknowledge(_ data: Data) {
        state.withLock { $0.exchange }?.acknowledge(data.count)
    }
}
