import Foundation
import Moya
import Synchronization

/// The events of an exchange.
struct ReceivedEvents: Sendable {
    var head: ResponseHead?
    var content = Data()
    var bytesSent: [Int64] = []
    var outcome: TransportOutcome?

    var text: String { String(decoding: content, as: UTF8.self) }
    var kind: MoyaError.Kind? { outcome?.error.map { MoyaError.underlying($0, nil).kind } }
}

extension Transport {
    /// Waits for the outcome.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - isEnough: returns whether to cancel, after each batch.
    func answer(
        to request: TransportRequest,
        cancellingWhen isEnough: @escaping @Sendable (ReceivedEvents) -> Bool = { _ in false }
    ) async -> ReceivedEvents {
        let collection = Collection()
        return await withCheckedContinuation { continuation in
            let exchange = start(request) { events in
                let answer = collection.add(events)
                if isEnough(answer) { collection.cancel() }
                if answer.outcome != nil { continuation.resume(returning: answer) }
            }
            collection.hold(exchange)
        }
    }
}

private final class Collection: Sendable {
    private struct State {
        var answer = ReceivedEvents()
        var exchange: (any TransportExchange)?
        var isCancelled = false
    }

    private let state = Mutex(State())

    func add(_ events: TransportEvents) -> ReceivedEvents {
        state.withLock { state in
            state.answer.head = events.head ?? state.answer.head
            for chunk in events.chunks { state.answer.content += chunk }
            state.answer.bytesSent.append(events.bytesSent)
            state.answer.outcome = events.outcome
            return state.answer
        }
    }

    func hold(_ exchange: any TransportExchange) {
        let isCancelled = state.withLock { state in
            state.exchange = exchange
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
}

/// A body reader that is pending before each of its parts.
struct Parts: BodyReader {
    private var left: ArraySlice<Data>
    private var hasPaused = false
    private let resume: @Sendable () -> Void

    static func body(_ parts: [String], length: Int64? = nil) -> RequestBody {
        .stream(length: length) { Parts(left: parts.map { Data($0.utf8) }[...], resume: $0) }
    }

    private init(left: ArraySlice<Data>, resume: @escaping @Sendable () -> Void) {
        self.left = left
        self.resume = resume
    }

    mutating func read(upTo count: Int) -> BodyPart {
        guard !left.isEmpty else { return .end }
        hasPaused.toggle()
        if hasPaused {
            DispatchScheduler.background.schedule(after: .milliseconds(1)) { [resume] in resume() }
            return .pending
        }
        return .data(left.removeFirst())
    }
}
