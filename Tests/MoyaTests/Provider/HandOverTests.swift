import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport whose responses the test delivers.
private final class Manual: Transport {
    final class Exchange: TransportExchange {
        let request: TransportRequest
        let receive: @Sendable (TransportEvents) -> Void
        let cancels = Box(0)

        init(_ request: TransportRequest, _ receive: @escaping @Sendable (TransportEvents) -> Void) {
            self.request = request
            self.receive = receive
        }

        var isCancelled: Bool { cancels.value > 0 }
        func cancel() { cancels.change { $0 += 1 } }
        func acknowledge(_ bytes: Int) {}
    }

    let exchanges = Box<[Exchange]>([])
    var capabilities: TransportCapabilities { [] }

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let exchange = Exchange(request, receive)
        exchanges.change { $0.append(exchange) }
        return exchange
    }
}

private func currentThread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }

/// The values that a provider passes to a transport, and a transport to a provider.
@Suite(.queued, .timeLimit(.minutes(10))) struct HandOverTests {
    private let transport = Manual()
    private let ok = TransportEvents(
        head: ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: [:]), outcome: TransportOutcome(error: nil))

    struct Plain: TargetType {
        var baseURL: URL { MyService.zen.baseURL }
        let path = "/"
        var method = HTTPMethod.get
        var headers: [String: String]?
        var task = RequestTask.requestPlain
    }

    struct Changing: PluginType {
        var change: @Sendable (inout URLRequest) -> Void = { _ in }

        func prepare(_ request: URLRequest, target: any RelativeTarget) -> URLRequest {
            var request = request
            change(&request)
            return request
        }
    }

    @Test("plugins and request closures do not change the case of a method", arguments: ["get", "Patch", "find"])
    func methods(_ method: String) throws {
        let target = Plain(method: HTTPMethod(rawValue: method))
        MoyaProvider<Plain>(transport: transport).request(target) { _ in }
        MoyaProvider<Plain>(transport: transport, plugins: [Changing()]).request(target) { _ in }
        MoyaProvider<Plain>(
            requestClosure: { MoyaProvider<Plain>.defaultRequestMapping(for: $0, closure: $1) }, transport: transport
        ).request(target) { _ in }
        expectEqual(transport.exchanges.value.map(\.request.method.rawValue), [method, method, method])
    }

    @Test("a plugin can replace the method")
    func replacedMethod() {
        let provider = MoyaProvider<Plain>(transport: transport, plugins: [Changing { $0.httpMethod = "PUT" }])
        provider.request(Plain(method: "get")) { _ in }
        expectEqual(transport.exchanges.value.map(\.request.method), [.put])
    }

    @Test("empty content that a plugin sets counts as no content")
    func emptyContent() {
        let outcome = Box<MoyaError?>(nil)
        let provider = MoyaProvider<Plain>(transport: transport, plugins: [Changing { $0.httpBody = Data() }])
        provider.request(Plain(method: .head)) { if case .failure(let error) = $0 { outcome.value = error } }
        #expect(outcome.value == nil)
        expectEqual(transport.exchanges.value.count, 1)
    }

    @Test("callbacks on the immediate scheduler do not run on the transport's thread")
    func immediateCallbacks() async throws {
        let provider = MoyaProvider<Plain>(transport: transport)
        let isOnTransport = Promise<Bool>()
        let transportThread = Box<ObjectIdentifier?>(nil)
        provider.request(Plain(), callbackQueue: .immediate) { _ in
            isOnTransport.fulfill(transportThread.value == currentThread())
        }
        let exchange = try #require(transport.exchanges.value.first)
        func receive() {
            transportThread.value = currentThread()
            exchange.receive(ok)
            transportThread.value = nil
        }
        receive()
        #expect(try await isOnTransport.value() == false)
    }

    @Test("a redirect that is cancelled while its content is read ends with the error of a cancel")
    func cancelledRedirect() throws {
        let outcome = Box<TransportOutcome?>(nil)
        let request = try TransportRequest(method: .get, url: try #require(URL(string: "http://a.example/")))
        let exchange = FollowUpTransport(above: transport).start(request) { outcome.value = $0.outcome }
        let below = try #require(transport.exchanges.value.first)
        below.receive(
            TransportEvents(head: ResponseHead(statusCode: 302, version: "HTTP/1.1", headers: ["Location": "/b"])))
        exchange.cancel()
        below.receive(TransportEvents(outcome: TransportOutcome(error: nil)))
        expectEqual(outcome.value?.error?.code, .cancelled)
        expectEqual(transport.exchanges.value.count, 1)
    }

    @Test("any number of consumed bytes is accepted, before and after the response")
    func hugeCredit() throws {
        let request = try TransportRequest(method: .get, url: try #require(URL(string: "http://a.example/")))
        let exchange = FollowUpTransport(above: transport).start(request) { _ in }
        transport.exchanges.value.first?.receive(ok)
        for _ in 0..<3 { exchange.acknowledge(.max) }
        for _ in 0..<3 { exchange.acknowledge(.min) }
    }

    @Test("the request of a response has the fields of the last request after a redirect")
    func redirectedCookies() async throws {
        let jar = CookieJar()
        let response = Promise<Result<Response, MoyaError>>()
        let provider = MoyaProvider<Plain>(transport: transport, cookies: jar)
        jar.store(Cookie(name: "a", value: "1", domain: MyService.zen.baseURL.host() ?? ""))
        provider.request(Plain()) { response.fulfill($0) }
        let redirect = ResponseHead(
            statusCode: 302, version: "HTTP/1.1", headers: ["Location": "/b", "Set-Cookie": "a=2; Path=/"])
        transport.exchanges.value.first?.receive(TransportEvents(head: redirect, outcome: TransportOutcome(error: nil)))
        let last = try #require(transport.exchanges.value.last)
        last.receive(ok)
        let sent = try await response.value().get().request
        expectEqual(sent?.value(forHTTPHeaderField: "Cookie"), last.request.headers["Cookie"])
    }
}
