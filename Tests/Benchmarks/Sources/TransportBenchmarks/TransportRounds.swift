import Foundation
import Measuring
import MoyaStreams

/// The requests per second, latency, processor time and allocations of the transports.
struct TransportRounds {
    private static let concurrencies = [1, 8, 64, 256]
    private static let time = Duration.milliseconds(400)
    /// The contender that the others are compared with.
    static let peer = "AsyncHTTPClient"
    /// `CurlTransport` on its own thread, without a provider.
    static let alone = "transport alone"
    /// `CurlTransport` with one thread, awaited by tasks.
    static let awaited = "transport, async"
    /// `CurlTransport` with two threads, awaited by tasks.
    static let twoThreads = "transport, async, 2 threads"

    /// A requirement: limits of the ratio to a peer within a round, one for each concurrency.
    private struct Bar {
        let name: String
        let contender: String
        let limits: [Double]
        let isLowerBound: Bool
        let value: (Load) -> Double
        /// The contender whose ratio to the peer is subtracted; `nil` for none.
        let base: String?
        let peer: String
    }

    private static var bars: [Bar] {
        func bar(
            _ name: String, _ contender: String, _ limits: [Double], isLowerBound: Bool = false,
            beside base: String? = nil, to peer: String = peer, _ value: @escaping (Load) -> Double
        ) -> Bar {
            Bar(
                name: name, contender: contender, limits: limits, isLowerBound: isLowerBound, value: value, base: base,
                peer: peer)
        }
        return [
            bar("requests per second", alone, [2, 2, 1.8, 1.8], isLowerBound: true, \.perSecond),
            bar("requests per second", awaited, [1.3, 1.4, 1.7, 1.9], isLowerBound: true, \.perSecond),
            // For two cores, which the server and the awaiting tasks share with the threads of the transport.
            bar(
                "requests per second", twoThreads, [1, 1, 1.15, 1.15], isLowerBound: true, to: awaited, \.perSecond),
            bar("p99", awaited, [0.65, 0.75, 0.55, 0.5]) { $0.percentile(0.99) },
            bar("processor time", awaited, [0.55, 0.65, 0.55, 0.5], \.processorPerRequest),
            // The peer has an event loop for each of the two cores.
            bar("requests per second", "provider, 2 threads", [1.4, 1.4, 1.5, 1.5], isLowerBound: true, \.perSecond),
            bar(
                "requests per second", "provider", [0.85, 0.85, 0.85, 0.85], isLowerBound: true, to: awaited,
                \.perSecond),
            bar("processor time", "provider", [1.2, 1.2, 1.2, 1.2], to: awaited, \.processorPerRequest),
            // A provider may add 15 µs to the time of the transport; a request of the peer takes 45 µs.
            bar(
                "processor time besides the transport's", "provider", [0.33, 0.33, 0.33, 0.33], beside: awaited,
                \.processorPerRequest),
        ]
    }

    /// The maximum number of allocations per request; 13 of them are for the new handle of each request that libcurl
    /// 7.83 to 8.0 needs.
    private static let mostMallocs = [alone: 42.0 + 13, awaited: 55.0 + 13, "provider": 55.0 + 13 + 30]

    /// The results by concurrency and contender, one for each round.
    private var loads: [Int: [String: [Load]]] = [:]
    private(set) var names: [String] = []
    /// The numbers of concurrent requests that were measured.
    var measured: [Int] { loads.keys.sorted() }

    static func measure(_ url: URL, rounds: Int, contender: String?, concurrency: Int?) async throws -> TransportRounds
    {
        let contenders = try Contenders(url)
        var result = TransportRounds()
        #if os(Linux)
            let transport = try CurlTransport(threads: 1)
        #endif
        let chosen = contenders.all.filter { contender == nil || $0.name == contender }
        for round in 0...rounds {
            for concurrency in concurrency.map({ [$0] }) ?? concurrencies {
                #if os(Linux)
                    if contender == nil || contender == alone {
                        let request = try TransportRequest(
                            method: .get, url: url.appending(path: "/"), headers: .default)
                        let load = try await Host.leastDisturbed(by: \.stolen) {
                            try await Load.measure(transport, request, concurrency: concurrency, for: time)
                        }
                        if round > 0 { result.add(load, of: alone, concurrency) }
                    }
                #endif
                for contender in chosen {
                    let load = try await Host.leastDisturbed(by: \.stolen) {
                        try await Load.measure(contender, concurrency: concurrency, for: time)
                    }
                    if round > 0 { result.add(load, of: contender.name, concurrency) }
                }
            }
        }
        try await contenders.shutDown()
        return result
    }

    private mutating func add(_ load: Load, of name: String, _ concurrency: Int) {
        if !names.contains(name) { names.append(name) }
        loads[concurrency, default: [:]][name, default: []].append(load)
    }

    private func median(_ name: String, _ concurrency: Int, _ value: (Load) -> Double) -> Double? {
        loads[concurrency]?[name].map { Benchmarks.median($0.map(value)) }
    }

    func ratio(
        _ name: String, to peer: String = peer, _ concurrency: Int, _ value: (Load) -> Double
    ) -> Double? {
        guard let ours = loads[concurrency]?[name], let theirs = loads[concurrency]?[peer] else { return nil }
        return Benchmarks.median(zip(ours, theirs).map { value($0) / value($1) })
    }

    private func ratio(_ bar: Bar, _ concurrency: Int) -> Double? {
        let ratio = ratio(bar.contender, to: bar.peer, concurrency, bar.value)
        guard let base = bar.base else { return ratio }
        return self.ratio(base, to: bar.peer, concurrency, bar.value).flatMap { base in ratio.map { $0 - base } }
    }

    func table(isMarkdown: Bool) -> String {
        let header = [
            "client", "at a time", "requests/s", "of \(Self.peer)", "p50 µs", "p99 µs", "of its", "CPU µs", "of its",
            "mallocs", "stolen",
        ]
        let rows = Self.concurrencies.flatMap { concurrency in
            names.map { name -> [String] in
                func text(_ value: (Load) -> Double, times factor: Double = 1) -> String {
                    median(name, concurrency, value).map { ($0 * factor).formatted(0) } ?? "-"
                }
                func ratioText(_ value: (Load) -> Double) -> String {
                    ratio(name, concurrency, value).map { $0.formatted(2) + "x" } ?? "-"
                }
                return [
                    name, "\(concurrency)", text(\.perSecond), ratioText(\.perSecond),
                    text({ $0.percentile(0.5) }, times: 1e6), text({ $0.percentile(0.99) }, times: 1e6),
                    ratioText { $0.percentile(0.99) }, text(\.processorPerRequest, times: 1e6),
                    ratioText(\.processorPerRequest), text { Double($0.mallocs) / Double($0.requests) },
                    median(name, concurrency, \.stolen).map { ($0 * 100).formatted(1) + " %" } ?? "-",
                ]
            }
        }
        return Benchmarks.table(header, rows, isMarkdown: isMarkdown)
    }

    var missedBars: [String] {
        let ratios = Self.bars.flatMap { bar in
            zip(Self.concurrencies, bar.limits).compactMap { concurrency, limit -> String? in
                guard let ratio = ratio(bar, concurrency) else { return nil }
                let slack = Workload.Bar.slack
                guard bar.isLowerBound ? ratio < limit / slack : ratio > limit * slack else { return nil }
                return "\(bar.contender), \(concurrency) at a time: \(bar.name) \(ratio.formatted(2)) x \(bar.peer), "
                    + "wanted \(bar.isLowerBound ? "at least" : "at most") \(limit.formatted(2)) x, and 20 %"
            }
        }
        let mallocs = Self.mostMallocs.sorted { $0.key < $1.key }.compactMap { name, limit -> String? in
            let count = median(name, 8) { Double($0.mallocs) / Double($0.requests) }
            // The tolerance is for allocations that are done once in a run.
            guard let count, count > limit + 0.01 else { return nil }
            return "\(name): \(count.formatted(2)) allocations for a request, allowed are \(limit.formatted(0))"
        }
        return ratios + mallocs
    }
}
