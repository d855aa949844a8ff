import Foundation
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("The state machine of redirects and challenges", .queued, .timeLimit(.minutes(10)))
struct FollowUpStateTests {
    private static let redirect = ResponseHead(
        statusCode: 302, version: "HTTP/1.1", headers: ["Location": "http://a.example/next"])
    private static let ok = ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: [:])
    private static let failing = ResponseHead(statusCode: 302, version: "HTTP/1.1", headers: ["Location": "ftp://a"])
    private static let end = TransportOutcome(error: nil)

    private final class Exchange: TransportExchange {
        var isCancelled: Bool { false }
        func cancel() {}
        func acknowledge(_ bytes: Int) {}
    }

    private func state() throws -> FollowUpState {
        let url = try #require(URL(string: "http://a.example/"))
        return FollowUpState(try TransportRequest(method: .get, url: url))
    }

    /// The names of the actions for the heads, contents and outcomes of a response.
    private func actions(_ state: inout FollowUpState, _ batches: [TransportEvents]) -> [String] {
        let policy = FollowUpPolicy(redirects: .follow, cookies: nil, responder: nil)
        var ended: (any TransportExchange)?
        return batches.map { batch in
            if let head = batch.head { state.decide(on: head, by: policy) }
            return switch state.action(on: batch, ended: &ended) {
            case .deliver: "deliver"
            case .deliverFailure(let error, let head): "fail \(error.code.rawValue) \(head?.statusCode ?? 0)"
            case .acknowledge: "acknowledge"
            case .cancel: "cancel"
            case .send(let next, _, let hop): "send \(next.url.path()) \(hop)"
            }
        }
    }

    @Test("a final response is delivered as it arrives")
    func delivers() throws {
        var state = try state()
        let batches = [
            TransportEvents(head: Self.ok), TransportEvents(chunks: [Data("a".utf8)]),
            TransportEvents(outcome: Self.end),
        ]
        expectEqual(actions(&state, batches), ["deliver", "deliver", "deliver"])
    }

    @Test("a redirect is drained, and then the next request is sent; a second one counts on")
    func follows() throws {
        var state = try state()
        let batches = [
            TransportEvents(head: Self.redirect), TransportEvents(chunks: [Data("a".utf8)]),
            TransportEvents(outcome: Self.end), TransportEvents(head: Self.redirect, outcome: Self.end),
            TransportEvents(head: Self.ok, outcome: Self.end),
        ]
        expectEqual(
            actions(&state, batches),
            ["acknowledge", "acknowledge", "send /next 1", "send /next 2", "deliver"])
        expectEqual(state.hop, 2)
    }

    @Test("a redirect with more content than is drained is cancelled, and then followed")
    func drainsAtMost() throws {
        var state = try state()
        #expect(state.started(Exchange(), hop: 0).isCancelled == false)
        let batches = [
            TransportEvents(head: Self.redirect), TransportEvents(chunks: [Data(count: 64 << 10)]),
            TransportEvents(chunks: [Data(count: 1)]),
            TransportEvents(outcome: TransportOutcome(error: URLError(.cancelled))),
        ]
        expectEqual(actions(&state, batches), ["acknowledge", "acknowledge", "cancel", "send /next 1"])
    }

    @Test("a redirect that cannot be followed fails with its head, and its content is discarded")
    func fails() throws {
        var state = try state()
        let batches = [
            TransportEvents(head: Self.failing, chunks: [Data(count: 9)]), TransportEvents(outcome: Self.end),
        ]
        let code = URLError.Code.redirectToNonExistentLocation.rawValue
        expectEqual(actions(&state, batches), ["acknowledge", "fail \(code) 302"])
    }

    @Test("a redirect that cannot be followed is cancelled if its content does not end, and fails with its own error")
    func failsWithoutEnd() throws {
        var state = try state()
        #expect(state.started(Exchange(), hop: 0).isCancelled == false)
        let batches = [
            TransportEvents(head: Self.failing), TransportEvents(chunks: [Data(count: 65 << 10)]),
            TransportEvents(outcome: TransportOutcome(error: URLError(.cancelled))),
        ]
        let code = URLError.Code.redirectToNonExistentLocation.rawValue
        expectEqual(actions(&state, batches), ["acknowledge", "cancel", "fail \(code) 302"])
    }

    @Test("a cancel while a redirect is drained sends nothing more")
    func cancels() throws {
        var state = try state()
        var batches = [TransportEvents(head: Self.redirect)]
        _ = actions(&state, batches)
        #expect(state.cancel() == nil)
        batches = [TransportEvents(outcome: Self.end)]
        expectEqual(actions(&state, batches), ["fail \(URLError.Code.cancelled.rawValue) 0"])
    }

    @Test("what happens before start returns is caught up: acknowledgements, a cancel, the whole response")
    func beforeStartReturns() throws {
        var state = try state()
        #expect(state.acknowledge(7) == nil)
        #expect(state.cancel() == nil)
        let caughtUp = state.started(Exchange(), hop: 0)
        #expect(caughtUp.acknowledged == 7 && caughtUp.isCancelled)

        state = try self.state()
        _ = actions(&state, [TransportEvents(head: Self.redirect, chunks: [Data(count: 65 << 10)])])
        #expect(state.started(Exchange(), hop: 0).isCancelled, "more content than is drained is cancelled")
        let end = TransportEvents(outcome: TransportOutcome(error: URLError(.cancelled)))
        expectEqual(actions(&state, [end]), ["send /next 1"])

        state = try self.state()
        _ = actions(&state, [TransportEvents(head: Self.ok, outcome: Self.end)])
        #expect(state.started(Exchange(), hop: 0).isCancelled == false)
        #expect(state.cancel() == nil, "the exchange of a complete response is not kept")
        #expect(state.acknowledge(7) == nil)

        state = try self.state()
        _ = actions(&state, [TransportEvents(head: Self.redirect, outcome: Self.end)])
        _ = state.started(Exchange(), hop: 0)
        #expect(state.cancel() == nil, "the exchange of a former request is not kept")
    }

    @Test("RFC 7616, 3.4: a download that starts over drops the response to a challenge, but not a field of its own")
    func startsOver() throws {
        let url = try #require(URL(string: "http://a.example/"))
        let request = try TransportRequest(
            method: .get, url: url, headers: ["Range": "bytes=10-", "Authorization": "Digest nc=00000001"])
        let head = ResponseHead(statusCode: 416, version: "HTTP/1.1", headers: [:])
        let policy = FollowUpPolicy(
            redirects: .follow, cookies: nil, responder: nil, restartsDownload: { $0.statusCode == 416 })
        for challengeResponses in 0...1 {
            var counts = FollowUpPolicy.Counts(challengeResponses: challengeResponses)
            guard case .send(let next) = policy.decision(on: head, after: request, &counts) else {
                Issue.record("not sent again")
                continue
            }
            expectEqual(next.headers["Authorization"] != nil, challengeResponses == 0)
            expectEqual(next.headers["Range"], nil)
            expectEqual(counts.challengeResponses, 0)
        }
    }
}
