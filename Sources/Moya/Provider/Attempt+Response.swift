import Foundation
import Synchronization

extension Attempt {
    /// Handles a batch of transport events; must not be called concurrently.
    func handle(_ batch: TransportEvents) {
        guard state.withLock({ $0.completion.beginCall() }) else { return }
        if execution.sink != nil, let head = batch.head, batch.outcome == nil, !execution.isStubbed {
            watchIdle(of: head)
        }
        let (result, failure) = add(batch)
        // Acknowledges bytes that the accumulator holds back or a file stores, so that the transport continues to read.
        acknowledge(batch, heldBack: result.heldBack)
        for part in result.parts { deliver(part) }
        // If this batch contains the complete response, no progress is reported here: `Call` reports it at the end.
        let isWhole = batch.head != nil && batch.outcome.map { $0.error == nil } == true
        if !isWhole, reportsProgress, let report = result.progress { execution.report(report) }
        if let deferred = state.withLock({ $0.completion.endCall() }) { return conclude(deferred) }
        if let failure { return finish(.failure(.underlying(failure, nil))) }
        guard let outcome = result.isRefused ? TransportOutcome(error: nil) : batch.outcome else { return }
        finish(outcome)
    }

    /// Writes the content of a download to its file, and adds the batch to the accumulator.
    ///
    /// The file is written outside the lock, so that other threads that read the state do not wait for the disk.
    private func add(_ batch: TransportEvents) -> (ResponseAccumulator.BatchResult, (any Error)?) {
        do {
            let offset = try download?.store(batch)
            return (try state.withLock { try $0.accumulator.add(batch, fileOffset: offset) }, nil)
        } catch {
            return (ResponseAccumulator.BatchResult(), error)
        }
    }

    private func acknowledge(_ batch: TransportEvents, heldBack: Int) {
        let bytes = download == nil ? heldBack : batch.length
        guard bytes > 0, download != nil || execution.streamWindow != nil else { return }
        let exchange = state.withLock { state in
            if download == nil { state.acknowledgedOnArrival += bytes }
            return state.exchange
        }
        exchange?.consumed(bytes)
    }

    private func deliver(_ part: ResponsePart) {
        guard let sink = execution.sink else { return }
        switch part {
        case .head(var head):
            if head.statusCode == 206 {
                head.isRequestedRange = state.withLock { $0.sent }?.sent.headers["Range"] != nil
            }
            sink.deliver(.head(head))
        case .chunk(let data):
            guard let window = execution.streamWindow else { return sink.deliver(part) }
            unacknowledged.wrappingAdd(data.count, ordering: .relaxed)
            guard sink.window == nil else { return sink.deliver(part) }
            // Each acknowledgement is a message to the transport, so only larger ones are sent. The transport resumes
            // reading at half of the window.
            let count = data.count
            sink.deliver(part) { [self] in acknowledge(count, atOnceFrom: window / 4) }
        }
    }

    /// Acknowledges bytes that the receiver of a stream with a window has processed.
    func consumed(_ bytes: Int) {
        if execution.sink?.window != nil { acknowledge(bytes, atOnceFrom: 1) }
    }

    /// Acknowledges bytes that the receiver has processed, once they are at least `minimum` together.
    ///
    /// Bytes that the accumulator held back are skipped, because they were acknowledged on arrival.
    private func acknowledge(_ bytes: Int, atOnceFrom minimum: Int) {
        unacknowledged.wrappingSubtract(bytes, ordering: .relaxed)
        noteActivity()
        let (exchange, count) = state.withLock { state -> ((any TransportExchange)?, Int) in
            let known = min(max(bytes, 0), state.acknowledgedOnArrival)
            state.acknowledgedOnArrival -= known
            state.processed += max(bytes, 0) - known
            guard state.processed >= minimum else { return (nil, 0) }
            defer { state.processed = 0 }
            return (state.exchange, state.processed)
        }
        exchange?.consumed(count)
    }

    /// Ends the attempt with the received response, or with the error of the outcome.
    func finish(_ outcome: TransportOutcome) {
        finish(result(of: outcome))
    }

    /// Returns the received response, or the error of the outcome with the part of the response received so far.
    func result(of outcome: TransportOutcome) -> Result<Response, MoyaError> {
        state.withLock { state in
            let last = state.lastRequest.flatMap { state.sent?.sent.followed(by: $0) }
            return state.accumulator.result(for: last ?? state.sent?.sent, outcome)
        }
    }

    /// Ends the attempt with a result, unless it has already ended.
    ///
    /// This method may be called on any thread.
    func finish(_ result: Result<Response, MoyaError>) {
        let (completion, exchange, limitTimer, idleTimer) = state.withLock { state in
            (
                state.completion.complete(result), state.exchange.take(), state.limitTimer.take(),
                state.idleTimer.take()
            )
        }
        exchange?.cancel()
        limitTimer?.cancel()
        idleTimer?.cancel()
        if case .deliver = completion { conclude(result) }
    }

    private func conclude(_ result: Result<Response, MoyaError>) {
        let validated = result.flatMap { response -> Result<Response, MoyaError> in
            execution.validation.accepts(response.statusCode)
                ? .success(response) : .failure(.statusCode(response))
        }
        let settled = download?.settle(validated) ?? validated
        let (sent, units, isDelivered, isAbandoned) = state.withLock {
            ($0.sent, $0.accumulator.units, $0.accumulator.isDelivering, $0.isAbandoned)
        }
        if var sent {
            sent.duration = sent.start.map { execution.scheduler.now - $0 }
            for plugin in execution.plugins {
                plugin.didReceive(settled, for: sent, target: execution.target)
            }
        }
        execution.finish(
            Outcome(
                result: settled, units: units, sent: sent?.sent, isDelivered: isDelivered, isAbandoned: isAbandoned),
            of: self)
    }
}
