import Foundation
import MoyaScheduling
import TestSupport
import Testing

@testable import Moya

/// Collects the events of calls.
final class EventRecorder: CallObserver {
    private let storage = Box<[CallEvent]>([])

    func observe(_ event: CallEvent) {
        storage.change { $0.append(event) }
    }

    var events: [CallEvent] { storage.value }

    /// The events in short form.
    var names: [String] { events.map(\.name) }

    /// Waits until calls have ended, and returns all events.
    func events(afterEnds count: Int = 1) async throws -> [CallEvent] {
        try await until { [storage] in storage.value.count { $0.name.hasPrefix("ended") } >= count }
        let events = storage.value
        expectOrder(events)
        return events
    }

    func names(afterEnds count: Int = 1) async throws -> [String] { try await events(afterEnds: count).map(\.name) }
}

/// The order that the events of each call have: one start, exchanges in pairs, one end.
func expectOrder(_ events: [CallEvent], sourceLocation: Testing.SourceLocation = #_sourceLocation) {
    for (call, events) in Dictionary(grouping: events, by: \.call) {
        let names = events.map(\.name)
        #expect(names.first == "started", "call \(call)", sourceLocation: sourceLocation)
        #expect(names.count { $0 == "started" } == 1, "call \(call)", sourceLocation: sourceLocation)
        #expect(names.last?.hasPrefix("ended") == true, "call \(call)", sourceLocation: sourceLocation)
        #expect(names.count { $0.hasPrefix("ended") } == 1, "call \(call)", sourceLocation: sourceLocation)
        let exchanges = names.filter { $0.hasPrefix("sending") || $0.hasPrefix("exchanged") }
        for (index, name) in exchanges.enumerated() {
            let expected = index.isMultiple(of: 2) ? "sending" : "exchanged"
            #expect(name.hasPrefix(expected), "call \(call): \(names)", sourceLocation: sourceLocation)
        }
        #expect(exchanges.count.isMultiple(of: 2), "call \(call): \(names)", sourceLocation: sourceLocation)
        expectEqual(events.map(\.attempt), events.map(\.attempt).sorted(), sourceLocation: sourceLocation)
        expectEqual(events.map(\.exchange), events.map(\.exchange).sorted(), sourceLocation: sourceLocation)
    }
}

extension CallEvent {
    /// The kind, without times.
    var name: String {
        switch kind {
        case .started: "started"
        case .joined(let call): "joined \(call)"
        case .sending(let request): "sending \(request.url.path)"
        case .receiving(let head): "receiving \(head.statusCode)"
        case .exchanged(let exchange): "exchanged \(exchange.errorType ?? "")"
        case .retrying(let delay, let error): "retrying \(delay) \(error.map { "\($0.kind)" } ?? "")"
        case .ended(.success(let response), _): "ended \(response.statusCode)"
        case .ended(.failure(let error), _): "ended \(error.kind)"
        }
    }

    var exchanged: CallEvent.Exchange? { if case .exchanged(let exchange) = kind { exchange } else { nil } }
}
