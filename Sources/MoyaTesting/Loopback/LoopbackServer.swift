public import Foundation
public import Moya

/// A scripted HTTP/1.1 server on 127.0.0.1 and a free port, for tests and examples.
///
/// ```swift
/// let server = try LoopbackServer { request in
///     request.path == "/zen" ? .text("Half measures are as bad as nothing at all.") : .status(404)
/// }
/// defer { server.stop() }
/// // … send requests to server.url …
/// server.requests.map(\.path)
/// ```
/// Connections are persistent, and each has a thread of its own. The server has no TLS and is not made for production.
public final class LoopbackServer: Sendable {
    private struct State: Sendable {
        var requests: [LoopbackRequest] = []
        var connections: [ObjectIdentifier: Socket] = [:]
        var isStopped = false
    }

    /// The URL of the server, such as `http://127.0.0.1:49152`.
    public let url: URL

    private let socket: Socket
    private let script: @Sendable (LoopbackRequest) -> LoopbackReply
    private let scriptBeforeContent: @Sendable (LoopbackRequest) -> LoopbackReply?
    private let state = Locked(State())

    /// Starts a server.
    ///
    /// Both closures are called on the thread of the connection.
    ///
    /// - Parameters:
    ///   - beforeContent: returns a reply that is sent before the content of the request is read; `nil` to read the
    ///     content. After such a reply, the connection closes.
    ///   - script: returns the reply to a request.
    /// - Throws: a `POSIXError` if no port can be opened.
    public init(
        beforeContent: @escaping @Sendable (LoopbackRequest) -> LoopbackReply? = { _ in nil },
        _ script: @escaping @Sendable (LoopbackRequest) -> LoopbackReply
    ) throws {
        let (socket, port) = try Socket.listening()
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw POSIXError(.EADDRNOTAVAIL) }
        self.url = url
        self.socket = socket
        self.script = script
        scriptBeforeContent = beforeContent
        Thread.detachNewThread { [weak self] in
            // Checks `isStopped` every 100 ms: on some systems, `accept` does not return when the socket is shut down.
            while self?.state.withLock({ $0.isStopped }) == false {
                guard !socket.isQuiet(for: .milliseconds(100)) else { continue }
                guard let server = self else { return }
                guard let connection = socket.accepted() else {
                    // For example, no descriptor is free: it tries again later.
                    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(10))
                    continue
                }
                Thread.detachNewThread { server.serve(connection) }
            }
        }
    }

    /// Starts a server that replies to each request with the sample data of the matching target, or with 404.
    ///
    /// ```swift
    /// let server = try LoopbackServer(serving: [MyService.zen, .showUser(id: 7)])
    /// ```
    /// A request matches a target if method, path and query are equal; the base URL is ignored.
    ///
    /// - Throws: a `POSIXError` if no port can be opened, and `MoyaError.requestMapping` if no valid request can be
    ///   created for a target.
    public convenience init<Target: RelativeTarget>(serving targets: [Target]) throws {
        let provider = MoyaProvider<MultiTarget>(baseURL: URL(string: "http://localhost"))
        let samples = try targets.map(MultiTarget.init).map { try SampleRoute($0, endpoint: provider.endpoint($0)) }
        try self.init { request in
            samples.first { $0.matches(request) }?.reply
                ?? .status(404, body: Data("no target for \(request.method) \(request.target)".utf8))
        }
    }

    /// Starts a server that sends the first reply to the first request, the second reply to the second, and so on.
    ///
    /// The replies do not depend on the requests. After the last reply, the server replies with 404.
    ///
    /// - Throws: a `POSIXError` if no port can be opened.
    public convenience init(replies: [LoopbackReply]) throws {
        let script = ReplyScript(replies)
        try self.init { _ in script.next() }
    }

    deinit { socket.stopListening() }

    /// The received requests, in order.
    public var requests: [LoopbackRequest] { state.withLock { $0.requests } }

    /// The number of open connections.
    public var connectionCount: Int { state.withLock { $0.connections.count } }

    /// Removes all requests from ``requests``.
    public func forgetRequests() {
        state.withLock { $0.requests = [] }
    }

    /// Closes the port and all connections.
    public func stop() {
        let connections = state.withLock { state in
            state.isStopped = true
            return state.connections.values.map(\.self)
        }
        socket.stopListening()
        for connection in connections { connection.shutDown() }
    }

    private func serve(_ connection: Socket) {
        let id = ObjectIdentifier(connection)
        let isOpen = state.withLock { state in
            if !state.isStopped { state.connections[id] = connection }
            return !state.isStopped
        }
        defer { state.withLock { _ = $0.connections.removeValue(forKey: id) } }
        guard isOpen else { return }
        var reader = RequestReader(connection)
        while let head = reader.nextHead() {
            if let reply = scriptBeforeContent(head) {
                state.withLock { $0.requests.append(head) }
                let isOpen = perform(reply, for: head, on: connection, unread: reader.unread, isLast: true)
                if isOpen { connection.shutDown() }
                return
            }
            guard let request = reader.content(of: head) else { return }
            state.withLock { $0.requests.append(request) }
            guard perform(script(request), for: request, on: connection) else { return }
        }
    }

    /// Performs the steps of a reply; returns whether the connection stays open.
    private func perform(
        _ reply: LoopbackReply, for request: LoopbackRequest, on connection: Socket, unread: [UInt8] = [],
        isLast: Bool = false
    ) -> Bool {
        let own = LoopbackConnection(connection, unread: unread)
        for step in reply.steps {
            switch step {
            case .respond(let status, let headers, let body):
                // RFC 9110, section 8.6: a response with the status code 1xx or 204 has no `Content-Length`.
                let allowsContent = status != 204 && !(100..<200).contains(status)
                let hasBody = allowsContent && status != 304 && request.method != .head
                var headers = headers
                // RFC 9112, section 9.6: otherwise, the client could send another request meanwhile.
                if isLast, status >= 200 { headers["Connection"] = headers["Connection"] ?? "close" }
                if hasBody || allowsContent && request.method == .head {
                    headers["Content-Length"] = String(body.count)
                }
                let head = LoopbackReply.head(status, headers)
                guard connection.write(hasBody ? head + body : head) else { return false }
            case .send(let bytes):
                guard connection.write(bytes) else { return false }
            case .sendContent(let bytes, let pause):
                guard request.method != .head else { continue }
                guard pause <= .zero || connection.isQuiet(for: pause), connection.write(bytes) else { return false }
            case .wait(let time):
                guard connection.isQuiet(for: time) else { return false }
            case .waitUntil(let condition):
                while !condition() { guard connection.isQuiet(for: .milliseconds(1)) else { return false } }
            case .run(let body): body(own)
            case .close:
                connection.shutDown()
                return false
            case .reset:
                connection.resetWhenClosed()
                return false
            }
        }
        return !ListFieldValue(request.headers["Connection"] ?? "").elements.contains { $0.lowercased() == "close" }
    }
}

private final class ReplyScript: Sendable {
    private let remaining: Locked<ArraySlice<LoopbackReply>>

    init(_ replies: [LoopbackReply]) {
        remaining = Locked(replies[...])
    }

    func next() -> LoopbackReply {
        remaining.withLock { $0.popFirst() } ?? .status(404, body: Data("the script is over".utf8))
    }
}

private struct SampleRoute: Sendable {
    let method: HTTPMethod
    let path: String
    let query: String?
    let reply: LoopbackReply

    init(_ target: MultiTarget, endpoint: Endpoint) throws {
        let request = try TransportRequest(endpoint.urlRequest())
        func parts(_ url: URL) -> URLComponents? { URLComponents(url: url, resolvingAgainstBaseURL: true) }
        let base = parts(target.baseURL)?.percentEncodedPath ?? ""
        let path = parts(request.url)?.percentEncodedPath ?? ""
        let own = path.hasPrefix(base) ? path.dropFirst(base.count) : path[...]
        self.path = own.hasPrefix("/") ? String(own) : "/\(own)"
        method = request.method
        query = parts(request.url)?.percentEncodedQuery
        switch endpoint.sampleResponseClosure().result {
        case .success(let sample): reply = .status(sample.statusCode, headers: sample.headers, body: sample.data)
        case .failure: reply = .reset
        }
    }

    func matches(_ request: LoopbackRequest) -> Bool {
        request.method == method && request.path == path && request.query == query
    }
}
