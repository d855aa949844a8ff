import Foundation
import MallocCounter
import Measuring
import MoyaStreams
import Synchronization

/// The results of sending requests for some time.
struct Load {
    let requests: Int
    let seconds: Double
    /// The user and system time of this process.
    let processorSeconds: Double
    let mallocs: Int
    /// The fraction of the processors that the host has withdrawn during the measurement, from 0 to 1.
    let stolen: Double
    /// The durations of the requests in seconds, sorted.
    let latencies: [Double]

    var perSecond: Double { Double(requests) / seconds }
    var processorPerRequest: Double { processorSeconds / Double(requests) }

    func percentile(_ share: Double) -> Double {
        latencies.isEmpty ? .nan : latencies[min(Int(share * Double(latencies.count)), latencies.count - 1)]
    }

    /// Measures `concurrency` tasks, each of which sends one request after the other.
    static func measure(
        _ contender: Contender, concurrency: Int, for time: Duration
    ) async throws -> Load {
        try await measure {
            try await withThrowingTaskGroup(of: [Double].self) { group in
                let end = ContinuousClock.now + time
                for _ in 0..<concurrency {
                    group.addTask {
                        var latencies: [Double] = []
                        var begin = ContinuousClock.now
                        while begin < end {
                            guard try await contender.get() == 60 else { throw URLError(.badServerResponse) }
                            let now = ContinuousClock.now
                            latencies.append((now - begin) / .seconds(1))
                            begin = now
                        }
                        return latencies
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
        }
    }

    /// Measures requests that are sent on the thread of the transport, without a provider and tasks.
    static func measure(
        _ transport: any Transport, _ request: TransportRequest, concurrency: Int, for time: Duration
    ) async throws -> Load {
        try await measure {
            try await withCheckedThrowingContinuation { continuation in
                Lanes(transport, request, concurrency, until: .now + time) { continuation.resume(with: $0) }.start()
            }
        }
    }

    private static func measure(_ work: () async throws -> [Double]) async throws -> Load {
        let stolen = Host.stolenTime()
        let begin = ContinuousClock.now
        let processor = Host.processorTime()
        let mallocs = Int(allocation_count())
        let latencies = try await work()
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        return Load(
            requests: latencies.count, seconds: seconds, processorSeconds: Host.processorTime() - processor,
            mallocs: Int(allocation_count()) - mallocs,
            stolen: (Host.stolenTime() - stolen) / (seconds * Double(ProcessInfo.processInfo.activeProcessorCount)),
            latencies: latencies.sorted())
    }
}

/// Runs a number of concurrent exchanges; when one ends, starts the next one.
private final class Lanes: Sendable {
    private let transport: any Transport
    private let request: TransportRequest
    private let end: ContinuousClock.Instant
    private let running: Atomic<Int>
    private let concurrency: Int
    private let latencies = Mutex<[Double]>([])
    private let done: @Sendable (Result<[Double], any Error>) -> Void

    init(
        _ transport: any Transport, _ request: TransportRequest, _ concurrency: Int, until end: ContinuousClock.Instant,
        _ done: @escaping @Sendable (Result<[Double], any Error>) -> Void
    ) {
        self.transport = transport
        self.request = request
        self.concurrency = concurrency
        self.end = end
        self.done = done
        running = Atomic(concurrency)
    }

    func start() {
        for _ in 0..<concurrency { next() }
    }

    private func next() {
        let begin = ContinuousClock.now
        guard begin < end else { return leave() }
        _ = transport.start(request) { [self] events in
            guard let outcome = events.outcome else { return }
            guard outcome.error == nil, events.chunks.reduce(0, { $0 + $1.count }) == 60 else { return leave() }
            latencies.withLock { $0.append((ContinuousClock.now - begin) / .seconds(1)) }
            next()
        }
    }

    private func leave() {
        guard running.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
        done(.success(latencies.withLock { $0 }))
    }
}
