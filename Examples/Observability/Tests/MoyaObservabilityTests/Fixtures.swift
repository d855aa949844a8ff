import Foundation
import Moya
import Synchronization

/// A target with a path template.
struct ShowUser: TargetType {
    var baseURL: URL { URL(string: "https://a.test") ?? URL(filePath: "/") }
    var path = "/users/{id}"
    var id: Int
}

/// Redirects `/users/1` to another host and `/users/2` to `/users/3`, refuses `/users/503` and `/users/504`.
final class Origin: Transport {
    struct Exchange: TransportExchange {
        var isCancelled: Bool { false }
        func cancel() {}
        func acknowledge(_ bytes: Int) {}
    }

    private let state = Mutex<[TransportRequest]>([])

    var requests: [TransportRequest] { state.withLock { $0 } }
    var capabilities: TransportCapabilities { [] }

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        state.withLock { $0.append(request) }
        let reply: (status: Int, headers: HTTPHeaders)? =
            switch request.url.path {
            case "/users/1": (302, ["Location": "https://b.test/users/9?key=s3cret"])
            case "/users/2": (302, ["Location": "/users/3"])
            case "/users/503": (503, [:])
            case "/users/504": nil
            default: (200, ["Cache-Control": "max-age=60"])
            }
        guard let reply else {
            receive(TransportEvents(outcome: TransportOutcome(error: URLError(.networkConnectionLost))))
            return Exchange()
        }
        let head = ResponseHead(statusCode: reply.status, version: "HTTP/1.1", headers: reply.headers)
        receive(TransportEvents(head: head, outcome: TransportOutcome(error: nil)))
        return Exchange()
    }
}

/// Counts the ends of calls, so that a test can await the last event.
final class Ends: CallObserver {
    private let ends: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (ends, continuation) = AsyncStream.makeStream()
    }

    func observe(_ event: CallEvent) {
        if case .ended = event.kind { continuation.yield() }
    }

    func wait(for count: Int) async {
        var missing = count
        for await _ in ends {
            missing -= 1
            if missing == 0 { return }
        }
    }
}
