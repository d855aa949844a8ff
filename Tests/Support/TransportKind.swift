package import Foundation
package import Moya

/// The transports that are available on this platform: each parameterized test runs on all of them.
package enum TransportKind: String, CaseIterable, CustomStringConvertible {
    #if os(Linux)
        case curl
        /// A curl transport that distributes its transfers to four threads from the first one on.
        case curlWithThreads
    #endif
    case urlSession

    package var description: String { rawValue }

    package func make() throws -> any Transport {
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
        package static func forTests(
            _ library: CurlCapabilities? = nil, connectionsPerHost: Int = 64, threads: Int = 1,
            firstLoopThreshold: Int = 16
        ) throws -> CurlSettings {
            try CurlSettings(
                library ?? CurlCapabilities(), .system, .direct, connectionsPerHost: connectionsPerHost,
                threads: threads, firstLoopThreshold: firstLoopThreshold)
        }
    }
#endif

/// The events that an exchange has delivered.
package struct Exchanged: Sendable {
    package var head: ResponseHead?
    package var heads = 0
    package var chunks: [Data] = []
    package var received = 0
    package var bytesSent: Int64 = 0
    package var outcomes: [TransportOutcome] = []
    package var eventsAfterOutcome = 0

    package init() {}

    package var content: Data { chunks.reduce(Data(), +) }
    package var text: String { String(decoding: content, as: UTF8.self) }
    package var withoutContent: Exchanged {
        var copy = self
        copy.chunks = []
        return copy
    }
    package var error: URLError? { outcomes.first?.error }
}

/// Starts an exchange and collects its events until the outcome.
package final class Exchanging: Sendable {
    package let events = Box(Exchanged())
    package let outcome = Promise<Exchanged>()
    package let hasHead = Promise<Void>()
    private let exchange = Box<(any TransportExchange)?>(nil)

    package init(_ request: TransportRequest, on transport: any Transport) {
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
            if batch.head != nil { hasHead.fulfill(()) }
            if batch.outcome != nil { outcome.fulfill(events.value) }
        }
    }

    package func cancel() { exchange.value?.cancel() }
    package func acknowledge(_ bytes: Int) { exchange.value?.acknowledge(bytes) }
    package func finished() async throws -> Exchanged { try await outcome.value() }
}

extension Transport {
    package func exchange(_ request: TransportRequest) async throws -> Exchanged {
        try await Exchanging(request, on: self).finished()
    }
}
