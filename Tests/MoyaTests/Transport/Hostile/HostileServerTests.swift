#if os(Linux)
    import Foundation
    import Moya
    import MoyaTesting
    import TestSupport
    import Testing

    @Suite(.serialized, .queued, .timeLimit(.minutes(10))) struct HostileServerTests {
        @Test("each hostile response has one outcome, and affects no other request", arguments: HostileFamily.all)
        func transport(_ family: HostileFamily) async throws {
            let server = try HostileServer(family)
            defer { server.stop() }
            let leftovers = Leftovers()
            let complaints = try await {
                let transport = try CurlTransport()
                leftovers.note(transport)
                let complaints = try await withThrowingTaskGroup(of: String?.self) { group in
                    for place in server.responses.indices {
                        for delivery in [TransportRequest.Delivery.whole, .chunks(window: nil)] {
                            group.addTask {
                                try await Self.complaint(server, place, delivery, transport, leftovers)
                            }
                        }
                    }
                    return try await group.reduce(into: [String]()) { list, complaint in
                        if let complaint { list.append(complaint) }
                    }
                }
                let after = try await transport.exchange(TransportRequest(method: .get, url: server.url))
                expectEqual(after.text, "fine")
                return complaints
            }()
            expectEqual(complaints, [])
            try await until { leftovers.count == 0 && server.openConnections == 0 }
        }

        /// Runs one exchange; returns a description of its error, or `nil`.
        private static func complaint(
            _ server: HostileServer, _ place: Int, _ delivery: TransportRequest.Delivery, _ transport: CurlTransport,
            _ leftovers: Leftovers
        ) async throws -> String? {
            let hostile = server.responses[place]
            let path = "/\(place)/\(delivery == .whole ? "whole" : "chunks")"
            let exchanging = Exchanging(
                try TransportRequest(method: hostile.method, url: server.url.appending(path: path), delivery: delivery),
                on: transport)
            leftovers.note(exchanging.events)
            if hostile.expected == .nothing {
                try await until { server.hasSent(path) || exchanging.outcome.isFulfilled }
                exchanging.cancel()
            }
            guard let result = try? await exchanging.outcome.value(within: .seconds(120)) else {
                exchanging.cancel()
                return "\(hostile): no outcome"
            }
            return hostile.complaint(about: result).map { "\($0), \(delivery)" }
        }
    }

    /// Objects that must be released when the test ends.
    private final class Leftovers: Sendable {
        private let checks = Box<[@Sendable () -> Bool]>([])

        func note(_ object: some AnyObject & Sendable) {
            let reference = Weak(object)
            checks.change { $0.append { reference.object != nil } }
        }

        var count: Int { checks.value.count { $0() } }
    }
#endif
