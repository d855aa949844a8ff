import AsyncHTTPClient
import Foundation
import Measuring
import MoyaStreams

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client that sends GET requests and reads the responses.
struct Contender: Sendable {
    let name: String
    /// Sends a request and returns the length of the response.
    let get: @Sendable () async throws -> Int
}

/// A peer, the transports without a provider, and providers with these transports.
///
/// All but `URLSession` send the same header fields: those that a provider adds by default.
struct Contenders {
    let all: [Contender]
    private let client: HTTPClient

    private struct Root: TargetType {
        let baseURL: URL
        let path = "/"
    }

    init(_ url: URL) throws {
        let client = HTTPClient(eventLoopGroupProvider: .singleton)
        self.client = client
        let address = url.absoluteString + "/"
        let session = URLSession(configuration: .ephemeral)
        let root = url.appending(path: "/")
        var all = [
            Contender(name: "AsyncHTTPClient") {
                var request = HTTPClientRequest(url: address)
                for field in HTTPHeaders.default.fields { request.headers.add(name: field.name, value: field.value) }
                let response = try await client.execute(request, timeout: .seconds(30))
                return try await response.body.collect(upTo: 1 << 20).readableBytes
            },
            Self.provider("provider on URLSession", URLSessionTransport(), url),
            Contender(name: "URLSession") { try await session.data(from: root).0.count },
        ]
        #if os(Linux)
            // The number of threads is explicit, because the default depends on the machine.
            all.insert(try Self.transport("transport, async", CurlTransport(threads: 1), root), at: 0)
            all.insert(try Self.transport("transport, async, 2 threads", CurlTransport(threads: 2), root), at: 1)
            all.insert(Self.provider("provider", try CurlTransport(threads: 1), url), at: 3)
            // As many threads as the peer has event loops on two cores.
            all.insert(Self.provider("provider, 2 threads", try CurlTransport(threads: 2), url), at: 4)
        #endif
        self.all = all
    }

    private static func provider(_ name: String, _ transport: any Transport, _ url: URL) -> Contender {
        let provider = MoyaProvider<Root>(transport: transport)
        return Contender(name: name) { try await provider.response(Root(baseURL: url)).data.count }
    }

    /// Returns a contender that awaits a transport, without a provider.
    private static func transport(_ name: String, _ transport: any Transport, _ url: URL) throws -> Contender {
        let request = try TransportRequest(method: .get, url: url, headers: .default)
        return Contender(name: name) {
            try await withCheckedThrowingContinuation { continuation in
                _ = transport.start(request) { events in
                    guard let outcome = events.outcome else { return }
                    continuation.resume(
                        with: outcome.error.map { .failure($0) } ?? .success(events.chunks.reduce(0) { $0 + $1.count }))
                }
            }
        }
    }

    func shutDown() async throws {
        try await client.shutdown()
    }
}
