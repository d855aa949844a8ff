import Measuring

#if os(Linux)
    import Foundation
    import MoyaStreams

    /// The cost of slow transfers, which receive one byte a second, for other requests.
    enum IdleTransfers {
        private static let number = 450
        private static let mostRatio = 1.2

        /// Measures the processor time of requests that are sent one at a time while slow transfers run.
        ///
        /// The result is the ratio to the processor time without slow transfers.
        static func measure(_ url: URL, rounds: Int) async throws -> (rows: [[String]], missed: [String]) {
            let request = try TransportRequest(method: .get, url: url.appending(path: "/"))
            var ratios: [Double] = []
            for _ in 0..<rounds {
                let alone = try await load(request, CurlTransport())
                let transport = try CurlTransport()
                let begun = Counter()
                var idle: [any TransportExchange] = []
                for number in 0..<number {
                    // Separate hosts, because connections to one host are limited.
                    let host = "http://127.0.0.\(1 + number / 60):\(url.port ?? 80)"
                    guard let other = URL(string: "\(host)/never") else { continue }
                    let request = try TransportRequest(method: .get, url: other, delivery: .chunks(window: nil))
                    idle.append(transport.start(request) { if $0.head != nil { begun.increment() } })
                }
                try await Benchmarks.wait { begun.value == number }
                let busy = try await load(request, transport)
                for exchange in idle { exchange.cancel() }
                ratios.append(busy / alone)
            }
            let ratio = Benchmarks.median(ratios)
            let text = "CPU of a request with \(number) idle transfers beside it"
            let missed =
                ratio > mostRatio * Workload.Bar.slack ? ["\(text): \(ratio.formatted(2)) x, allowed is 1.2 x"] : []
            return ([[text, ratio.formatted(2) + "x"]], missed)
        }

        private static func load(_ request: TransportRequest, _ transport: CurlTransport) async throws -> Double {
            try await Load.measure(transport, request, concurrency: 1, for: .milliseconds(300)).processorPerRequest
        }
    }
#endif
