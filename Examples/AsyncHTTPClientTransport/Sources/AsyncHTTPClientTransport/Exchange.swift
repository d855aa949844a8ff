import AsyncHTTPClient
import Foundation
import Moya
import NIOCore
import NIOFoundationCompat
import Synchronization

/// One exchange: a task that waits for the head and then reads the content from the client.
final class Exchange: TransportExchange {
    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
        var hasEnded = false
        var unconsumed = 0
    }

    private let request: TransportRequest
    private let clients: Clients
    private let outbox: Outbox
    private let state = Mutex(State())
    /// Signalled when content was consumed.
    private let credit = WakeUpEvent()

    init(_ request: TransportRequest, _ clients: Clients, _ receive: @escaping @Sendable (TransportEvents) -> Void) {
        self.request = request
        self.clients = clients
        outbox = Outbox(receive)
    }

    /// Starts the exchange.
    ///
    /// - Parameter transport: retained until the end of the exchange.
    func begin(retaining transport: AsyncHTTPClientTransport) {
        let task = Task {
            await run()
            withExtendedLifetime(transport) {}
        }
        let isCancelled = state.withLock { state in
            if !state.hasEnded { state.task = task }
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard !state.hasEnded else { return nil }
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    func acknowledge(_ bytes: Int) {
        state.withLock { $0.unconsumed = max($0.unconsumed - max(bytes, 0), 0) }
        credit.signal()
    }
}

extension Exchange {
    private func run() async {
        let begun = ContinuousClock.now
        var last = TransportEvents()
        var failure = await attempt(&last)
        if let (error, mayRepeat) = failure, error.code == .networkConnectionLost, mayRepeat, !isCancelled {
            failure = await attempt(&last)
        }
        let isCancelled = state.withLock { state in
            state.hasEnded = true
            state.task = nil
            return state.isCancelled
        }
        var metrics = TransportMetrics()
        metrics.total = ContinuousClock.now - begun
        last.outcome = TransportOutcome(error: isCancelled ? URLError(.cancelled) : failure?.error, metrics: metrics)
        outbox.send(last)
    }

    /// Sends the request once, and receives the response.
    ///
    /// - Parameter last: receives the events that are to be delivered together with the outcome.
    /// - Returns: the error, and whether the request may be repeated; `nil` on success.
    private func attempt(_ last: inout TransportEvents) async -> (error: URLError, mayRepeat: Bool)? {
        let openedBefore = clients.openedConnections
        let upload = Upload(request.body) { [outbox] in outbox.sent($0) }
        defer { upload.close() }
        var hasHead = false
        do {
            let outgoing = try HTTPClientRequest(
                request, upload, offersEncodings: clients.offersEncodings(for: request))
            let response = try await clients.client(for: request).execute(outgoing, deadline: .distantFuture)
            hasHead = true
            guard response.history.count < 2 else { throw URLError.redirected }
            try await receive(response, &last)
            return nil
        } catch {
            return (
                URLError(client: error),
                !hasHead && request.isRepeatable && clients.mayRepeat(request, openedBefore: openedBefore)
            )
        }
    }

    private func receive(_ response: HTTPClientResponse, _ last: inout TransportEvents) async throws {
        let head = ResponseHead(response)
        guard request.delivery == .whole, !head.mayBeFollowed else {
            outbox.send(TransportEvents(head: head))
            for try await buffer in response.body {
                // Before the delivery: the receiver may consume the content immediately.
                state.withLock { $0.unconsumed += buffer.readableBytes }
                outbox.send(TransportEvents(chunks: [Data(buffer: buffer)]))
                try await waitForCredit()
            }
            return
        }
        last.head = head
        for try await buffer in response.body {
            if last.chunks.isEmpty { last.chunks = [Data()] }
            last.chunks[0].append(contentsOf: buffer.readableBytesView)
            outbox.send(TransportEvents())
        }
    }

    /// Waits until the receiver has consumed enough content for the window.
    private func waitForCredit() async throws {
        guard case .chunks(let window?) = request.delivery else { return }
        while state.withLock({ $0.unconsumed }) >= max(window, 1) { try await credit.wait() }
    }
}
