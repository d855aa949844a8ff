import Foundation
import Measuring
import MoyaCaching
import MoyaStreams

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests that a cache in memory satisfies.
enum CachedRequests {
    private static let times = 1000

    private struct Users: TargetType {
        var baseURL = URL(string: "https://api.example/v1") ?? URL(filePath: "/")
        let path = "/users"
        var sampleData: Data { FreshOrigin.content }
    }

    /// A stored response against an immediate stub, both awaited.
    static var memory: Workload {
        let stubs = MoyaProvider<Users>(stubClosure: MoyaProvider.immediatelyStub)
        let provider = MoyaProvider<Users>(transport: FreshOrigin().caching(in: HTTPCache()))
        return Workload(
            name: "a stored response in memory", operations: times,
            contenders: [
                .init(name: "stub") { await sum(of: stubs) },
                .init(name: "ours") { await sum(of: provider) },
            ], bars: [.atMost(1.3, times: "stub")])
    }

    private static func sum(of provider: MoyaProvider<Users>) async -> Int {
        let target = Users()
        var sum = 0
        for _ in 0..<times { sum += (try? await provider.response(target).data.count) ?? -1 }
        return sum
    }
}

/// Responds to each request at once with content that stays fresh.
private struct FreshOrigin: Transport {
    static let content = Data(repeating: UInt8(ascii: "a"), count: 60)
    private static let head = ResponseHead(
        statusCode: 200, version: "HTTP/1.1",
        headers: ["Content-Type": "text/plain", "Content-Length": "60", "Cache-Control": "max-age=86400"])

    let capabilities: TransportCapabilities = []

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        receive(TransportEvents(head: Self.head, chunks: [Self.content], outcome: TransportOutcome(error: nil)))
        return Exchange()
    }

    /// An exchange that is over before it can be cancelled.
    private struct Exchange: TransportExchange {
        var isCancelled: Bool { false }
        func cancel() {}
        func acknowledge(_ bytes: Int) {}
    }
}
