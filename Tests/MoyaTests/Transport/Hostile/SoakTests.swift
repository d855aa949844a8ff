#if os(Linux)
    import Foundation
    import Moya
    import MoyaTesting
    import TestSupport
    import Testing

    @Suite(.queued, .timeLimit(.minutes(10))) struct SoakTests {
        @Test("1,500 requests with cancels, time-outs, redirects and restarts have one outcome each and leak nothing")
        func soak() async throws {
            var soak: Soak? = try Soak(seed: 20261123)
            for _ in 0..<15 {
                try await soak?.round(of: 100)
                try soak?.restart()
            }
            let tally = try #require(soak?.tally.value)
            expectEqual(tally.outcomes.values.reduce(0, +), 1500)
            expectEqual(tally.doubled, [])
            expectEqual(tally.outcomes.keys.subtracting(Soak.expected), [], "\(tally.outcomes)")
            #expect(tally.outcomes["200", default: 0] > 150)
            #expect(tally.outcomes["cancelled", default: 0] > 100)
            #expect(tally.outcomes["timeout", default: 0] > 20)
            let leftovers = try #require(soak?.leftovers)
            soak = nil
            try await until { leftovers() == 0 }
        }
    }

    extension Dictionary.Keys where Key == String {
        fileprivate func subtracting(_ others: Set<String>) -> Set<String> { Set(self).subtracting(others) }
    }

    /// Requests of several kinds to a server that restarts, and their outcomes.
    final class Soak {
        struct Tally: Sendable {
            /// The number of outcomes by status code or kind of the error.
            var outcomes: [String: Int] = [:]
            /// The requests with more than one outcome.
            var doubled: [Int] = []
            private var ended: Set<Int> = []

            mutating func add(_ outcome: String, of number: Int) {
                outcomes[outcome, default: 0] += 1
                if !ended.insert(number).inserted { doubled.append(number) }
            }
        }

        static let expected: Set = [
            "200", "404", "cancelled", "timeout", "connectionLost", "badResponse", "unreachable",
        ]

        let tally = Box(Tally())
        private let provider: MoyaProvider<HostileTarget>
        private var server: LoopbackServer
        private var generator: SeededGenerator
        private var sent = 0
        private let references: [@Sendable () -> Bool]

        init(seed: UInt64) throws {
            let transport = try CurlTransport()
            provider = MoyaProvider(transport: transport)
            server = try Self.start()
            generator = SeededGenerator(seed: seed)
            let (first, second) = (Weak(transport), Weak(provider))
            references = [{ first.object != nil }, { second.object != nil }]
        }

        deinit { server.stop() }

        /// The number of retained transports, providers and connections.
        var leftovers: @Sendable () -> Int {
            { [references, server] in references.count { $0() } + server.connectionCount }
        }

        /// Replaces the server by one with another port; the exchanges with the old server end.
        func restart() throws {
            server.stop()
            server = try Self.start()
        }

        /// Sends a number of concurrent requests; the server stops after some of them have their outcome.
        func round(of count: Int) async throws {
            let outcomes = Locked(0)
            let goesAway = generator.next() % 2 == 0
            for _ in 0..<count {
                send { outcomes.withLock { $0 += 1 } }
            }
            if goesAway {
                try await until { outcomes.withLock { $0 } > count / 2 }
                server.stop()
            }
            try await until { outcomes.withLock { $0 } >= count }
        }

        private func send(_ completion: @escaping @Sendable () -> Void) {
            let number = sent
            sent += 1
            let place = ["text", "big", "drip", "redirect", "loop", "reset", "cut", "silence", "none"]
            var target = HostileTarget(
                baseURL: server.url, path: "/" + place[Int.random(in: 0..<place.count, using: &generator)])
            target.options.timeouts = Timeouts(idle: target.path == "/silence" ? .milliseconds(30) : .seconds(60))
            let token = provider.request(target) { [tally] result in
                let outcome =
                    switch result {
                    case .success(let response): "\(response.statusCode)"
                    case .failure(let error): "\(error.kind)"
                    }
                tally.change { $0.add(outcome, of: number) }
                completion()
            }
            switch generator.next() % 4 {
            case 0: token.cancel()
            case 1:
                let delay = Duration.microseconds(Int.random(in: 0..<5000, using: &generator))
                (DispatchScheduler.background as any Scheduler).schedule(after: delay) { token.cancel() }
            default: break
            }
        }

        private static func start() throws -> LoopbackServer {
            try LoopbackServer { request in
                switch request.path {
                case "/text": .text("hello")
                case "/big": .status(200, body: Data(repeating: 7, count: 200_000))
                case "/drip": .drip(Data("hello".utf8))
                case "/redirect": .status(302, headers: ["Location": "/text"])
                case "/loop": .status(307, headers: ["Location": "/loop"])
                case "/reset": LoopbackReply([.send(LoopbackReply.head(200, ["Content-Length": "9"])), .reset])
                case "/cut": .truncated(Data("hello".utf8), by: 2)
                case "/silence": .silence
                default: .status(404)
                }
            }
        }
    }
#endif
