import Foundation
import MoyaTesting
import TestSupport
import Testing

@testable import Moya

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The state machine of a request", .queued, .timeLimit(.minutes(10)))
struct RequestStateTests {
    /// The phases, and how a request with one call enters them.
    enum Phase: String, CaseIterable, Sendable {
        case waiting, preparing, exchanging, concluding, joining, joined, ended

        func state() -> RequestState {
            var state = RequestState(RequestStateTests.call(1))
            var leftovers = Leftovers()
            var exchange: (any TransportExchange)?
            switch self {
            case .waiting: break
            case .joining: _ = state.beginJoin()
            case .joined:
                if let call = state.beginJoin() { _ = state.endJoin(RequestStateTests.operation(), call) }
            case .ended: _ = state.end(RequestStateTests.failure, units: nil, &leftovers)
            case .preparing, .exchanging, .concluding:
                _ = state.begin(1, reportsProgress: false, &leftovers)
                if self == .preparing { break }
                _ = state.beginExchange(RequestStateTests.request, EndedExchange(), AttemptDeadlines())
                if self == .exchanging { break }
                _ = state.complete(1, RequestStateTests.failure, exchange: &exchange)
            }
            return state
        }
    }

    private static var request: TransportRequest { TransportRequest(unchecked: .a) }
    private static let failure = Result<Response, MoyaError>.failure(.cancelled)

    private static func call(_ id: UInt64) -> CallRecord {
        CallRecord(
            id: id, target: MyService.zen, observation: nil, receive: { _, _ in }, progress: nil, completion: { _ in },
            provider: OneShotFlag())
    }

    private static func operation() -> RequestOperation {
        RequestOperation(
            for: MyService.zen,
            Endpoint(url: "http://a.example/", sampleResponseClosure: { .networkResponse(200, Data()) }),
            .never, isShared: true, runsCallbacksInline: false, stream: nil, delivery: nil, receive: nil, progress: nil,
            completion: { _ in }, ProviderContext(ProviderConfiguration()), provider: OneShotFlag())
    }

    private func name(_ phase: RequestState.Phase) -> String {
        switch phase {
        case .waiting: "waiting"
        case .preparing: "preparing"
        case .exchanging: "exchanging"
        case .concluding: "concluding"
        case .joining: "joining"
        case .joined: "joined"
        case .ended: "ended"
        }
    }

    private func name(_ leaving: RequestState.Leaving?) -> String {
        switch leaving {
        case nil: "ignored"
        case .noted: "noted"
        case .endCall(let isLast): isLast ? "endRequest" : "endCall"
        case .endAttempt(let number): "endAttempt \(number)"
        case .forward: "forward"
        }
    }

    @Test(
        "the last call leaves: a request that waits ends, an exchange is cancelled, anything else is noted",
        arguments: zip(
            Phase.allCases,
            [
                "endRequest, ended", "noted, preparing", "endAttempt 1, exchanging", "noted, concluding",
                "noted, joining", "forward, joined", "ignored, ended",
            ]))
    func lastLeaves(_ phase: Phase, _ expected: String) {
        var state = phase.state()
        var leftovers = Leftovers()
        let leaving = state.leave(1, .cancelled, &leftovers)
        expectEqual("\(name(leaving)), \(name(state.phase))", expected)
        // A call leaves once; only a token whose call has joined another request asks that one again.
        guard phase != .joined else { return }
        expectEqual(name(state.leave(1, .cancelled, &leftovers)), "ignored")
    }

    @Test(
        "one of two calls leaves: it ends at once, and the request continues",
        arguments: [Phase.waiting, .preparing, .exchanging, .concluding])
    func oneLeaves(_ phase: Phase) {
        var state = phase.state()
        var leftovers = Leftovers()
        let isAccepted = state.join(Self.call(2))
        #expect(isAccepted)
        expectEqual(name(state.leave(1, .cancelled, &leftovers)), "endCall")
        expectEqual(state.calls.end(1, Self.failure)?.id, 1)
        expectEqual(name(state.phase), phase.rawValue)
        #expect(state.departure == nil)
        expectEqual(state.calls.ids, [2])
    }

    @Test(
        "calls join until the response is delivered or the last call has left",
        arguments: zip(Phase.allCases, [true, true, true, true, false, false, false]))
    func joins(_ phase: Phase, _ expected: Bool) {
        var state = phase.state()
        expectEqual(state.join(Self.call(2)), expected)
        var left = phase.state()
        var leftovers = Leftovers()
        _ = left.leave(1, .cancelled, &leftovers)
        let isOver = !left.join(Self.call(2))
        #expect(isOver)
    }

    @Test(
        "an attempt begins only where the request waits, and a wait only there or after an attempt",
        arguments: zip(
            Phase.allCases,
            [
                (true, true), (false, false), (false, false), (false, true), (false, false), (false, false),
                (false, false),
            ]))
    func begins(_ phase: Phase, _ expected: (attempt: Bool, wait: Bool)) {
        var leftovers = Leftovers()
        var state = phase.state()
        expectEqual(state.begin(2, reportsProgress: false, &leftovers) != nil, expected.attempt)
        state = phase.state()
        expectEqual(state.wait(nil), expected.wait)
        state = phase.state()
        _ = state.leave(1, .cancelled, &leftovers)
        expectEqual(state.wait(nil), false)
    }

    @Test("an attempt completes once, while its exchange runs", arguments: Phase.allCases)
    func completes(_ phase: Phase) {
        var state = phase.state()
        var exchange: (any TransportExchange)?
        #expect((state.complete(1, Self.failure, exchange: &exchange) != nil) == (phase == .exchanging))
        #expect(state.complete(1, Self.failure, exchange: &exchange) == nil)
        #expect(state.complete(0, Self.failure, exchange: &exchange) == nil)
    }

    @Test("events of an attempt that has been replaced are ignored")
    func staleEvents() {
        var state = Phase.concluding.state()
        var leftovers = Leftovers()
        var exchange: (any TransportExchange)?
        var progress: ProgressResponse?
        _ = state.wait(nil)
        #expect(state.begin(2, reportsProgress: false, &leftovers) != nil)
        _ = state.beginExchange(Self.request, nil, AttemptDeadlines())
        let last = TransportEvents(
            head: ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: [:]),
            outcome: TransportOutcome(error: nil))
        #expect(state.addWhole(last, 1, &progress, exchange: &exchange) == nil)
        #expect(state.complete(1, Self.failure, exchange: &exchange) == nil)
        #expect(state.beginBatch(1) == nil)
        #expect(state.withFollowUps(of: 1) { $0 } == nil)
        let end = state.addWhole(last, 2, &progress, exchange: &exchange)
        expectEqual((try? end?.result.get())??.statusCode, 200)
    }

    @Test("the result of an attempt waits for the end of a callback, and its exchange does not")
    func completionAfterCallback() {
        final class Exchange: TransportExchange {
            var isCancelled: Bool { false }
            func cancel() {}
            func acknowledge(_ bytes: Int) {}
        }
        var state = Phase.preparing.state()
        _ = state.beginExchange(Self.request, Exchange(), AttemptDeadlines())
        var exchange: (any TransportExchange)?
        #expect(state.beginBatch(1) == false)
        #expect(state.beginBatch(1) == nil)
        #expect(state.complete(1, Self.failure, exchange: &exchange) == nil)
        #expect(exchange != nil)
        expectEqual(name(state.phase), "exchanging")
        #expect(state.endBatch() != nil)
        expectEqual(name(state.phase), "concluding")
    }

    @Test(
        "a call that leaves during the delivery of its whole response is noted",
        arguments: [Phase.waiting, .concluding])
    func leavesDuringDelivery(_ phase: Phase) {
        var state = phase.state()
        var leftovers = Leftovers()
        #expect(state.beginDelivery() != nil)
        expectEqual(name(state.leave(1, .cancelled, &leftovers)), "noted")
        expectEqual(state.calls.ids, [1])
    }

    @Test("a call that leaves while it joins takes its departure with it, also if it is put back")
    func leavesWhileJoining() throws {
        for isAccepted in [true, false] {
            var state = Phase.waiting.state()
            var leftovers = Leftovers()
            let joining = state.beginJoin()
            let call = try #require(joining)
            expectEqual(name(state.leave(1, .cancelled, &leftovers)), "noted")
            let departure = state.endJoin(isAccepted ? Self.operation() : nil, call)
            #expect(departure != nil)
            expectEqual(name(state.phase), isAccepted ? "joined" : "waiting")
            let leaving = name(state.leave(1, .cancelled, &leftovers))
            expectEqual(leaving, isAccepted ? "forward" : "endRequest")
        }
    }

    @Test("a request ends once, and its calls are delivered once", arguments: Phase.allCases)
    func ends(_ phase: Phase) {
        var state = phase.state()
        var leftovers = Leftovers()
        let ended = state.end(Self.failure, units: 7, &leftovers)
        expectEqual(ended == nil, phase == .ended)
        if [.waiting, .preparing, .exchanging, .concluding].contains(phase) {
            expectEqual(ended?.first?.completedUnits, 7)
        }
        #expect(state.end(Self.failure, units: nil, &leftovers) == nil)
        #expect(state.calls.ids.isEmpty)
    }

    @Test("two calls that leave before either is ended leave no request behind")
    func bothLeave() {
        var state = Phase.exchanging.state()
        var leftovers = Leftovers()
        _ = state.join(Self.call(2))
        expectEqual(name(state.leave(1, .cancelled, &leftovers)), "endCall")
        expectEqual(name(state.leave(2, .cancelled, &leftovers)), "endAttempt 1")
        expectEqual(state.calls.end(1, Self.failure)?.id, 1)
        #expect(state.departure != nil)
    }

    @Test("acknowledgements of any size do not overflow, and none counts twice")
    func acknowledgements() {
        var attempt = AttemptState()
        attempt.unacknowledged = 10
        attempt.acknowledgedOnArrival = 3
        expectEqual(attempt.acknowledge(4, atOnceFrom: 1).1, 1)
        for bytes in [Int.max, .max, -1, .min] { _ = attempt.acknowledge(bytes, atOnceFrom: .max) }
        expectEqual(attempt.unacknowledged, 0)
        #expect(attempt.processed >= 0)
    }

    @Test("a call that leaves while the request waits for another attempt has the response of the last one")
    func partialResponses() {
        let outcome = TransportOutcome(error: URLError(.timedOut))
        var state = Phase.exchanging.state()
        #expect(state.attempt.partialResult(outcome) == nil)
        let head = ResponseHead(statusCode: 503, version: "HTTP/1.1", headers: [:])
        _ = try? state.attempt.accumulator.add(TransportEvents(head: head), fileOffset: nil)
        expectEqual(state.attempt.partialResult(outcome)?.failure?.response?.statusCode, 503)
        var exchange: (any TransportExchange)?
        var leftovers = Leftovers()
        _ = state.complete(1, Self.failure, exchange: &exchange)
        _ = state.wait(nil)
        expectEqual(state.attempt.partialResult(outcome)?.failure?.response?.statusCode, 503)
        expectEqual(name(state.leave(1, .timedOut(.seconds(1)), &leftovers)), "endRequest")
        expectEqual(state.attempt.partialResult(outcome)?.failure?.response?.statusCode, 503)
    }

    @Test("the earliest deadline is that of a call, of the attempt, or of a silence")
    func deadlines() {
        var state = Phase.preparing.state()
        expectEqual(state.earliestDeadline(after: 0), .max)
        _ = state.calls.update(1) { $0.total = (.seconds(9), 9_000_000_000) }
        expectEqual(state.earliestDeadline(after: 0), 9_000_000_000)
        var deadlines = AttemptDeadlines()
        deadlines.limit = (.seconds(7), 7_000_000_000)
        deadlines.idle = .seconds(5)
        _ = state.beginExchange(RequestStateTests.request, EndedExchange(), deadlines)
        expectEqual(state.earliestDeadline(after: 0), 5_000_000_000)
        expectEqual(state.earliestDeadline(after: 3_000_000_000), 7_000_000_000)
        #expect(state.takeExpiry(at: .seconds(6), after: 3_000_000_000) == nil)
        guard case .call(1, .seconds(9)) = state.takeExpiry(at: .seconds(10), after: 9_000_000_000),
            case .attempt(1, .seconds(7)) = state.takeExpiry(at: .seconds(10), after: 9_000_000_000)
        else {
            Issue.record("The deadlines of the call and of the attempt have passed.")
            return
        }
        #expect(state.takeExpiry(at: .seconds(10), after: 9_000_000_000) == nil)
    }

    @Test("a wake-up that is late grants a silence one more period")
    func lateWakeUp() {
        var state = Phase.preparing.state()
        var deadlines = AttemptDeadlines()
        deadlines.idle = .seconds(10)
        _ = state.beginExchange(RequestStateTests.request, EndedExchange(), deadlines)
        #expect(state.takeExpiry(at: .seconds(12), after: 0) == nil)
        expectEqual(state.earliestDeadline(after: 0), 22_000_000_000)
        guard case .idle(1, .seconds(10)) = state.takeExpiry(at: .seconds(22), after: 0) else {
            Issue.record("The silence has been extended once.")
            return
        }
    }
}

extension URLRequest {
    fileprivate static var a: URLRequest { URLRequest(url: URL(filePath: "/a")) }
}
