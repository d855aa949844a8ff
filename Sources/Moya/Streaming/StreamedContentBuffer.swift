import Foundation

final class StreamedContentBuffer: Sendable {
    private struct State: Sendable {
        var exchange: (any TransportExchange)?
        var isCancelled = false
        var chunks = Queue<Data>()
        var end: Result<Response, MoyaError>?
        var waitingForChunk: CheckedContinuation<Result<Data?, MoyaError>, Never>?
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
            waiting.resume(returning: .success(data))
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
        waiting?.resume(returning: result.map { _ in nil })
    }

    func next() async -> Result<Data?, MoyaError> {
        let known = state.withLock { Self.take(&$0) }
        if let known {
            if case .success(let data?) = known { acknowledge(data) }
            return known
        }
        return await withCheckedContinuation { continuation in
            let (known, former) = state.withLock { state in
                let known = Self.take(&state)
                // Only one reader can wait. When a second reader arrives, the first reader receives `nil`.
                let former = known == nil ? state.waitingForChunk.take() : nil
                if known == nil { state.waitingForChunk = continuation }
                return (known, former)
            }
            former?.resume(returning: .success(nil))
            guard let known else { return }
            if case .success(let data?) = known { acknowledge(data) }
            continuation.resume(returning: known)
        }
    }

    private static func take(_ state: inout State) -> Result<Data?, MoyaError>? {
        if let chunk = state.chunks.popFirst() { return .success(chunk) }
        return state.end?.map { _ in nil }
    }

    private func acknowledge(_ data: Data) {
        state.withLock { $0.exchange }?.acknowledge(data.count)
    }
}
