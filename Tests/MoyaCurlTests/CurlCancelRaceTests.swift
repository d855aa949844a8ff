#if os(Linux)
    import Foundation
    import MoyaTesting
    import Synchronization
    import TestSupport
    import Testing

    import Moya
    @testable import MoyaCurl

    /// Exchanges that other threads cancel at any time.
    @Suite(.serialized, .queued, .timeLimit(.minutes(10))) struct CurlCancelRaceTests {
        /// Counts the calls of one receiver, and those that overlap with another call.
        private final class Calls: Sendable {
            let outcomes = Atomic<Int>(0)
            let afterOutcome = Atomic<Int>(0)
            let overlapping = Atomic<Int>(0)
            private let isInside = Atomic<Bool>(false)

            func receive(_ events: TransportEvents) {
                if isInside.exchange(true, ordering: .acquiringAndReleasing) {
                    overlapping.add(1, ordering: .relaxed)
                }
                if outcomes.load(ordering: .relaxed) > 0 { afterOutcome.add(1, ordering: .relaxed) }
                if events.outcome != nil { outcomes.add(1, ordering: .relaxed) }
                isInside.store(false, ordering: .releasing)
            }

            var isSound: Bool {
                outcomes.load(ordering: .relaxed) == 1 && afterOutcome.load(ordering: .relaxed) == 0
                    && overlapping.load(ordering: .relaxed) == 0
            }
        }

        @Test(
            "exchanges that are cancelled by several threads while they start, wait or run have one outcome each",
            arguments: [1, 4], [2, 64])
        func races(_ threads: Int, _ limit: Int) async throws {
            let server = try LoopbackServer { request in
                request.path == "/large" ? .status(200, body: Data(repeating: 1, count: 100_000)) : .text("small")
            }
            defer { server.stop() }
            let transport = try CurlTransport(
                .forTests(connectionsPerHost: limit, threads: threads, firstLoopThreshold: 2))
            let requests = try ["/small", "/large"].map { path in
                try TransportRequest(
                    method: .get, url: server.url.appending(path: path), delivery: .chunks(window: 20_000))
            }
            let calls = try await withThrowingTaskGroup(of: [Calls].self) { group in
                for worker in 0..<4 {
                    group.addTask {
                        var generator = SeededGenerator(seed: UInt64(worker))
                        return (0..<200).map { _ in
                            let calls = Calls()
                            let exchange = transport.start(requests[Int(generator.next() % 2)]) { calls.receive($0) }
                            let scheduler: any Scheduler = .background
                            for _ in 0..<2 {
                                let delay = Duration.microseconds(Int(generator.next() % 3000))
                                scheduler.schedule(after: delay) { exchange.acknowledge(20_000) }
                                scheduler.schedule(after: delay) { exchange.cancel() }
                            }
                            if generator.next() % 4 == 0 { exchange.cancel() }
                            return calls
                        }
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            try await until { calls.allSatisfy { $0.outcomes.load(ordering: .relaxed) > 0 } }
            #expect(calls.allSatisfy { $0.isSound })
            let last = try await transport.exchange(TransportRequest(method: .get, url: server.url))
            #expect(last.error == nil)
        }
    }
#endif
