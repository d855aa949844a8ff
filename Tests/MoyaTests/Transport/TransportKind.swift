import Foundation
import TestSupport

@testable import Moya

/// The transports that are available on this platform: each parameterized test runs on all of them.
enum TransportKind: String, CaseIterable, CustomStringConvertible {
    #if os(Linux)
        case curl
        /// A curl transport that distributes its transfers to four threads from the first one on.
        case curlWithThreads
    #endif
    case urlSession

    var description: String { rawValue }

    func make() throws -> any Transport {
        switch self {
        #if os(Linux)
            case .curl: try CurlTransport(threads: 1)
            case .curlWithThreads: try CurlTransport(.forTests(threads: 4, firstLoopThreshold: 1))
        #endif
        case .urlSession: URLSessionTransport()
        }
    }
}

#if os(Linux)
    extension CurlSettings {
        /// Returns settings of a transport that trusts the system's authorities and uses no proxy.
        static func forTests(
            _ library: CurlCapabilities? = nil, connectionsPerHost: Int = 64, threads: Int = 1,
            firstLoopThreshold: Int = 16
        ) throws -> CurlSettings {
            try CurlSettings(
                library ?? .loaded(), .system, .direct, connectionsPerHost: connectionsPerHost, threads: threads,
                firstLoopThreshold: firstLoopThreshold)
        }
    }
#endif

/// The events that an exchange has delivered.
struct Exchanged: Sendable {
    var head: ResponseHead?
    var heads = 0
    var chunks: [Data] = []
    var received = 0
    var bytesSent: Int64 = 0
    var outcomes: [TransportOutcome] = []
    var eventsAfterOutcome = 0

    var content: Data { chunks.reduce(Data(), +) }
    var text: String { String(decoding: content, as: UTF8.self) }
    var withoutContent: Exchanged {
        var copy = self
        copy.chunks = []
        return copy
    }
    var error: URLError? { outcomes.first?.error }
}

/// Starts an exchange and collects its events until the outcome.
final class Exchanging: Sendable {
    let events = Box(Exchanged())
    let outcome = Promise<Exchanged>()
    let hasHead = Promise<Void>()
    private let exchange = Box<(any TransportExchange)?>(nil)

    init(_ request: TransportRequest, on transport: any Transport) {
        exchange.value = transport.start(request) { [events, outcome, hasHead] batch in
            events.change { events in
                if !events.outcomes.isEmpty { events.eventsAfterOutcome += 1 }
                if let head = batch.head {
                    events.head = head
                    events.heads += 1
                }
                events.chunks += batch.chunks
                events.received += batch.chunks.reduce(0) { $0 + $1.count }
                events.bytesSent = max(events.bytesSent, batch.bytesSent)
                if let outcome = batch.outcome { events.outcomes.append(outcome) }
            }
            if batch.head != nil { hasHead.fulfil(()) }
            if batch.outcome != nil { outcome.fulfil(events.value) }
        }
    }

    func cancel() { exchange.value?.cancel() }
    func consumed(_ bytes: Int) { exchange.value?.consumed(bytes) }
    func finished() async throws -> Exchanged { try await outcome.value() }
}

extension Transport {
    func exchange(_ request: TransportRequest) async throws -> Exchanged {
        try await Exchanging(request, on: self).finished()
    }
}
