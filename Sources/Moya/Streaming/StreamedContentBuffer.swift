import Foundation

final class StreamedContentBuffer: Sendable {
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
            acknowledge(data)
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
