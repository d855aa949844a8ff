import Foundation
import Moya
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport whose responses a closure provides, immediately or later.
final class PageServer: Transport {
    struct Reply: Sendable {
        var status = 200
        var headers: HTTPHeaders = [:]
        var content = ""
    }

    let capabilities: TransportCapabilities = []
    /// The requests that were sent.
    let log = Log()
    /// The requests that were cancelled before they had a response.
    let cancelled = Log()
    private let script: @Sendable (TransportRequest, @escaping @Sendable (Reply) -> Void) -> Void

    /// Creates a server.
    ///
    /// - Parameter script: called with a request, and with a function that delivers its response.
    init(later script: @escaping @Sendable (TransportRequest, @escaping @Sendable (Reply) -> Void) -> Void) {
        self.script = script
    }

    convenience init(_ script: @escaping @Sendable (TransportRequest) -> Reply) {
        self.init(later: { request, done in done(script(request)) })
    }

    /// The paths and queries of the requests that were sent.
    var paths: [String] { log.entries.map { $0.replacing("GET https://a.example", with: "") } }

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        log.add("\(request.method) \(request.url.absoluteString)")
        let exchange = Exchange(receive) { [cancelled] in cancelled.add("\(request.url.path)") }
        script(request) { exchange.end(with: $0) }
        return exchange
    }

    private final class Exchange: TransportExchange {
        private let receive: Locked<(@Sendable (TransportEvents) -> Void)?>
        private let onCancel: @Sendable () -> Void

        init(_ receive: @escaping @Sendable (TransportEvents) -> Void, onCancel: @escaping @Sendable () -> Void) {
            self.receive = Locked(receive)
            self.onCancel = onCancel
        }

        var isCancelled: Bool { false }

        func cancel() {
            guard let receive = receive.withLock({ $0.take() }) else { return }
            onCancel()
            receive(TransportEvents(outcome: TransportOutcome(error: URLError(.cancelled))))
        }

        func acknowledge(_ bytes: Int) {}

        func end(with reply: Reply) {
            guard let receive = receive.withLock({ $0.take() }) else { return }
            receive(
                TransportEvents(
                    head: ResponseHead(statusCode: reply.status, version: "HTTP/1.1", headers: reply.headers),
                    chunks: [Data(reply.content.utf8)], outcome: TransportOutcome(error: nil)))
        }
    }
}

/// A list of numbers, as a target.
struct List: TargetType, DecodableTargetType {
    typealias Value = [Int]
    var token: String?
    var headers: [String: String]? = ["Authorization": "Bearer t"]
    var method = Moya.Method.get
    var body: [String]?
    var path: String { "/list" }
    var baseURL: URL { URL(string: "https://a.example") ?? URL(filePath: "/") }
    var task: RequestTask {
        if let body { return .requestCompositeJSONEncodable(body, urlParameters: ["size": 2]) }
        let parameters: [String: any Sendable] = token.map { ["size": 2, "token": $0] } ?? ["size": 2]
        return .requestParameters(parameters: parameters, encoding: URLEncoding.queryString)
    }
}

extension PageServer {
    /// Returns a provider that sends its requests to this server.
    func provider(
        interceptors: [any RequestInterceptor] = [], trackInflights: Bool = false,
        scheduler: any Scheduler = .background
    ) -> MoyaProvider<List> {
        MoyaProvider<List>(
            transport: self, interceptors: interceptors, trackInflights: trackInflights, scheduler: scheduler)
    }

    /// Returns a server with pages of one number, from 1 to `count`, each with a link to the next one.
    static func linked(_ count: Int) -> PageServer {
        PageServer { request in
            let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
            let page = items.first { $0.name == "page" }?.value.flatMap { Int($0) } ?? 1
            let headers: HTTPHeaders = page < count ? ["Link": "</list?page=\(page + 1)>; rel=\"next\""] : [:]
            return Reply(headers: headers, content: "[\(page)]")
        }
    }
}

/// Returns the values of a sequence, and the error that it throws.
func collect<S: AsyncSequence>(_ sequence: S) async -> (values: [S.Element], error: MoyaError?) {
    var values: [S.Element] = []
    do {
        for try await value in sequence { values.append(value) }
    } catch {
        return (values, error as? MoyaError)
    }
    return (values, nil)
}
