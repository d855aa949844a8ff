import Dispatch
import Foundation
import Measuring
import MoyaStreams

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The cost of the provider: stubs compared with a request written by hand, and awaited requests compared with the
/// awaited transport.
enum ProviderOverhead {
    static var all: [Workload] {
        [stubs, awaited(1, limit: 2), awaited(64, limit: 3.5)]
    }

    private static let times = 1000
    private static let address = "https://api.example/v1/users"

    private struct Users: TargetType, AccessTokenAuthorizable {
        var baseURL = URL(string: "https://api.example/v1") ?? URL(filePath: "/")
        let path = "/users"
        var authorizationType: AuthorizationType? { .bearer }
    }

    // MARK: Stubs

    private static var stubs: Workload {
        Workload(
            name: "an immediate stub", operations: times,
            contenders: [
                .init(name: "floor") {
                    var sum = 0
                    for _ in 0..<times {
                        guard let url = URL(string: address) else { return -1 }
                        var request = URLRequest(url: url)
                        for field in HTTPHeaders.default.fields {
                            request.setValue(field.value, forHTTPHeaderField: field.name)
                        }
                        sum += request.url == nil ? -1 : 200
                    }
                    return sum
                },
                .init(name: "ours") { statusCodes(of: MoyaProvider(stubClosure: MoyaProvider.immediatelyStub)) },
                .init(name: "three plugins") {
                    let logger = NetworkLoggerPlugin(configuration: .init(output: { _, _ in }, logOptions: []))
                    return statusCodes(
                        of: MoyaProvider(
                            stubClosure: MoyaProvider.immediatelyStub,
                            plugins: [NetworkActivityPlugin { _, _ in }, AccessTokenPlugin { _ in "token" }, logger]))
                },
            ],
            bars: [
                .atMost(2, times: "floor"), Workload.Bar(contender: "three plugins", other: "ours", limit: 2.5),
            ], mallocs: 12)
    }

    private static func statusCodes(of provider: MoyaProvider<Users>) -> Int {
        let sum = Sum()
        let target = Users()
        for _ in 0..<times { provider.request(target) { sum.add((try? $0.get().statusCode) ?? 0) } }
        return sum.value
    }

    // MARK: Awaited requests

    /// Measures the processor time of awaited requests.
    ///
    /// The limits stand for 1.2 times an exchange over curl, which takes some 50 µs: a provider may add 10 µs to the
    /// time of the transport in memory, which takes 4 µs, or 10 µs if a thread wakes up for each request. The limit of
    /// allocations is that of a provider without observers; the floor makes its request from strings each time; the
    /// five events of an observed call are delivered on another thread.
    private static func awaited(_ concurrency: Int, limit: Double) -> Workload {
        let transport = InMemoryTransport()
        let provider = MoyaProvider<Users>(transport: transport)
        let observed = MoyaProvider<Users>(transport: transport, observers: [IgnoringObserver()])
        let target = Users()
        var workload = Workload(
            name: "\(concurrency) awaited at a time", operations: times,
            contenders: [
                .init(name: "transport") {
                    guard let url = URL(string: address) else { return -1 }
                    return await sum(concurrency) { await response(transport, url) }
                },
                .init(name: "floor") {
                    await sum(concurrency) {
                        guard let url = URL(string: "\(target.baseURL)\(target.path)") else { return -1 }
                        return await response(transport, url)
                    }
                },
                .init(name: "ours") {
                    await sum(concurrency) { (try? await provider.response(target).data.count) ?? -1 }
                },
                .init(name: "observed") {
                    await sum(concurrency) { (try? await observed.response(target).data.count) ?? -1 }
                },
            ],
            bars: [.atMost(limit, times: "transport")], mallocs: 11)
        workload.mallocsBesides = "transport"
        workload.measuresProcessorTime = true
        return workload
    }

    /// Sends the requests in `concurrency` tasks; returns the sum of the results.
    private static func sum(_ concurrency: Int, _ request: @escaping @Sendable () async -> Int) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for lane in 0..<concurrency {
                group.addTask {
                    var sum = 0
                    for _ in stride(from: lane, to: times, by: concurrency) { sum += await request() }
                    return sum
                }
            }
            return await group.reduce(0, +)
        }
    }

    private static func response(_ transport: InMemoryTransport, _ url: URL) async -> Int {
        guard let request = try? TransportRequest(method: .get, url: url, headers: .default) else { return -1 }
        return await withCheckedContinuation { continuation in
            _ = transport.start(request) { events in
                guard events.outcome != nil else { return }
                continuation.resume(returning: events.chunks.reduce(0) { $0 + $1.count })
            }
        }
    }
}

private struct IgnoringObserver: CallObserver {
    func observe(_ event: CallEvent) {}
}

/// A transport that responds to each request immediately, on another thread.
private struct InMemoryTransport: Transport {
    private static let head = ResponseHead(
        statusCode: 200, version: "HTTP/1.1", headers: ["Content-Type": "text/plain", "Content-Length": "60"])
    private static let content = Data(repeating: UInt8(ascii: "a"), count: 60)

    let capabilities: TransportCapabilities = [.backpressure, .connectTimeout]
    private let queue = DispatchQueue(label: "in-memory transport")

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        queue.async {
            receive(
                TransportEvents(
                    head: Self.head, chunks: [Self.content], outcome: TransportOutcome(error: nil)))
        }
        return Exchange()
    }

    /// An exchange that cannot be cancelled, because it ends soon.
    private struct Exchange: TransportExchange {
        var isCancelled: Bool { false }
        func cancel() {}
        func acknowledge(_ bytes: Int) {}
    }
}
