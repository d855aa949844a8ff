import Foundation
import TestSupport
import Testing

@testable import Moya

/// The rules for steps that come too late.
@Suite(.queued, .timeLimit(.minutes(10))) struct CallEventBuilderTests {
    private static let request = try? TransportRequest(
        method: .get, url: URL(string: "https://a.test/a") ?? URL(filePath: "/"))

    private func events(_ steps: [(CallStep, Int)]) -> [String] {
        var builder = CallEventBuilder()
        return steps.enumerated().flatMap { index, step in
            builder.events(for: step.0, attempt: step.1, at: .seconds(index)).map { entry in
                let event = CallEvent(
                    call: 1, target: TargetLabel(Page()), attempt: entry.attempt, exchange: entry.exchange, time: .zero,
                    context: nil, backlog: 0, kind: entry.kind)
                return "\(entry.attempt)/\(entry.exchange) \(event.name)"
            }
        }
    }

    @Test("nothing follows the end")
    func end() throws {
        let request = try #require(Self.request)
        let late: [(CallStep, Int)] = [
            (.sending(request), 1), (.received(TransportOutcome(error: nil)), 1), (.joined(call: 2), 0),
            (.retrying(after: .zero, nil), 1), (.ended(.failure(.cancelled)), 0), (.started, 0),
        ]
        expectEqual(
            events([(.started, 0), (.ended(.failure(.cancelled)), 0)] + late), ["0/0 started", "0/0 ended cancelled"])
    }

    @Test("steps of an attempt that is over are dropped")
    func lateSteps() throws {
        let request = try #require(Self.request)
        let head = ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: [:])
        expectEqual(
            events([
                (.started, 0), (.sending(request), 1), (.retrying(after: .seconds(1), nil), 1), (.receiving(head), 1),
                (.sending(request), 1), (.received(TransportOutcome(error: URLError(.cancelled))), 1),
                (.sending(request), 2), (.received(TransportOutcome(error: URLError(.timedOut))), 1),
                (.receiving(head), 2), (.received(TransportOutcome(error: nil)), 2),
                (.received(TransportOutcome(error: nil)), 2), (.ended(.failure(.cancelled)), 0),
            ]),
            [
                "0/0 started", "1/1 sending /a", "1/1 exchanged cancelled", "1/1 retrying 1.0 seconds ",
                "2/2 sending /a", "2/2 receiving 200", "2/2 exchanged ", "2/2 ended cancelled",
            ])
    }

    @Test("heads and outcomes of an exchange whose start belongs to another call are dropped")
    func inherited() throws {
        let request = try #require(Self.request)
        let head = ResponseHead(statusCode: 302, version: "HTTP/1.1", headers: [:])
        expectEqual(
            events([
                (.started, 0), (.joined(call: 7), 0), (.receiving(head), 1),
                (.received(TransportOutcome(error: nil)), 1), (.sending(request), 1), (.ended(.failure(.cancelled)), 0),
            ]),
            [
                "0/0 started", "0/0 joined 7", "1/1 sending /a", "1/1 exchanged cancelled", "1/1 ended cancelled",
            ])
    }
}
