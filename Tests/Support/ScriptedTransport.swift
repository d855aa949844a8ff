package import Foundation
package import Moya

/// A transport that delivers batches before `start` returns, and does not read the content of requests.
package struct ScriptedTransport: Transport {
    private struct Exchange: TransportExchange {
        var isCancelled: Bool { false }
        func cancel() {}
        func acknowledge(_ bytes: Int) {}
    }

    package var capabilities: TransportCapabilities { [.backpressure, .trailers] }
    private let respond: @Sendable (TransportRequest) -> [TransportEvents]

    package init(_ respond: @escaping @Sendable (TransportRequest) -> [TransportEvents]) {
        self.respond = respond
    }

    package func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        for batch in respond(request) { receive(batch) }
        return Exchange()
    }
}

extension [TransportEvents] {
    /// A response in one batch.
    package static func response(
        _ statusCode: Int, version: String = "HTTP/1.1", headers: HTTPHeaders = [:], trailers: HTTPHeaders = [:],
        _ content: Data
    ) -> [TransportEvents] {
        [
            TransportEvents(
                head: ResponseHead(statusCode: statusCode, version: version, headers: headers),
                chunks: content.isEmpty ? [] : [content], outcome: TransportOutcome(error: nil, trailers: trailers))
        ]
    }

    /// A response in one batch.
    package static func response(_ statusCode: Int, headers: HTTPHeaders = [:], _ text: String) -> [TransportEvents] {
        response(statusCode, headers: headers, Data(text.utf8))
    }

    /// A response with status 200 in one batch.
    package static func text(_ text: String, headers: HTTPHeaders = [:]) -> [TransportEvents] {
        response(200, headers: headers, Data(text.utf8))
    }

    /// A response with JSON.
    package static func json(_ text: String) -> [TransportEvents] {
        .text(text, headers: ["Content-Type": "application/json"])
    }

    /// A failure without a response.
    package static func failure(_ code: URLError.Code) -> [TransportEvents] {
        [TransportEvents(outcome: TransportOutcome(error: URLError(code)))]
    }

    package var head: ResponseHead? { compactMap(\.head).first }
    package var content: Data { flatMap(\.chunks).reduce(Data(), +) }
    package var text: String { String(decoding: content, as: UTF8.self) }
    package var outcome: TransportOutcome? { compactMap(\.outcome).first }
}

extension Transport {
    /// Sends a request, and returns the batches that are delivered before `start` returns.
    package func batches(
        _ method: HTTPMethod = .get, _ url: String, headers: HTTPHeaders = [:], body: RequestBody = .none,
        delivery: TransportRequest.Delivery = .whole
    ) throws -> [TransportEvents] {
        guard let url = URL(string: url) else { throw URLError(.badURL) }
        let request = try TransportRequest(method: method, url: url, headers: headers, body: body, delivery: delivery)
        let box = Box<[TransportEvents]>([])
        _ = start(request) { batch in box.change { $0.append(batch) } }
        return box.value
    }
}

/// A folder for the files of a test, removed with the last reference.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "moya-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    package func file(_ name: String) -> URL { url.appending(path: name) }

    /// The names of the files, sorted.
    package var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }
}
