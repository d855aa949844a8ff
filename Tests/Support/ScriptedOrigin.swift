import Foundation
package import Moya

/// A transport that delivers the response of a closure immediately; `nil` is a lost connection.
package final class ScriptedOrigin: Transport {
    package typealias Reply = (statusCode: Int, headers: HTTPHeaders, content: String)

    private let reply: @Sendable (TransportRequest, Int) -> Reply?
    private let state = Locked<[TransportRequest]>([])

    package init(_ reply: @escaping @Sendable (TransportRequest, Int) -> Reply?) {
        self.reply = reply
    }

    package var requests: [TransportRequest] { state.withLock { $0 } }
    package var capabilities: TransportCapabilities { [] }

    package func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let number = state.withLock { state in
            state.append(request)
            return state.count
        }
        guard let (statusCode, headers, content) = reply(request, number) else {
            receive(TransportEvents(outcome: TransportOutcome(error: URLError(.networkConnectionLost))))
            return FinishedExchange()
        }
        let isEmpty = content.isEmpty || request.method == .head || statusCode == 304
        receive(
            TransportEvents(
                head: ResponseHead(statusCode: statusCode, version: "HTTP/1.1", headers: headers),
                chunks: isEmpty ? [] : [Data(content.utf8)], outcome: TransportOutcome(error: nil)))
        return FinishedExchange()
    }
}

/// An exchange that has ended before it is returned.
package struct FinishedExchange: TransportExchange {
    package init() {}

    package var isCancelled: Bool { false }
    package func cancel() {}
    package func acknowledge(_ bytes: Int) {}
}

extension ScriptedOrigin {
    /// Redirects `/1` to `/2` and so on down to `/0`, refuses `/lost` and `/503`, and responds to all other paths.
    package static func redirecting(to base: String = "") -> ScriptedOrigin {
        ScriptedOrigin { request, _ in
            switch request.url.path {
            case "/2": (302, ["Location": "/1"], "")
            case "/1": (302, ["Location": "\(base)/0"], "")
            case "/503": (503, [:], "")
            case "/lost": nil
            default: (200, ["ETag": "\"1\""], "content")
            }
        }
    }

    /// The values of a field of the requests.
    package func values(_ name: String) -> [String?] { requests.map { $0.headers[name] } }
}
