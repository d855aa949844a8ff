import Foundation
import Moya
import MoyaTesting
import MoyaWebSocket
import TestSupport
import Testing

#if os(Linux)
    /// Handshakes of WebSockets over libcurl; the numbers are those of the design's edge cases.
    @Suite(.queued, .timeLimit(.minutes(10))) struct WebSocketHandshakeTests {
        @Test("7b-11, 13: plugins and fields of the target are part of the handshake, for each scheme")
        func handshake() async throws {
            let server = try LoopbackServer.echoingWebSockets()
            defer { server.stop() }
            for scheme in ["ws", "http", "WS"] {
                let url = URL(string: server.url.absoluteString.replacing("http", with: scheme, maxReplacements: 1))
                let target = Channel(baseURL: try #require(url))
                var configuration = ProviderConfiguration(transport: try CurlTransport(threads: 1))
                configuration.plugins = [AccessTokenPlugin { _ in "secret" }]
                let provider = MoyaProvider<Channel>(configuration: configuration)
                let socket = try await provider.webSocket(target)
                await socket.close()
                let fields = try #require(server.requests.last?.headers)
                expectEqual(fields["Origin"], "https://app.example")
                expectEqual(fields["Authorization"], "Bearer secret")
                expectEqual(fields["Sec-WebSocket-Version"], "13")
                expectEqual(fields["Host"], server.url.host().map { "\($0):\(server.url.port ?? 0)" })
                expectEqual(fields["Sec-WebSocket-Key"].flatMap { Data(base64Encoded: $0) }?.count, 16)
                #expect(fields["Sec-WebSocket-Extensions"] == nil)
            }
        }

        @Test("a subprotocol is one of those that were offered")
        func subprotocols() async throws {
            let server = try LoopbackServer { request in
                .webSocket(request, subprotocol: request.path == "/b" ? "b" : "x") { socket in _ = socket.receive() }
            }
            defer { server.stop() }
            let provider = try MoyaProvider<Local>.overCurl()
            let options = WebSocketOptions(subprotocols: ["a", "b"])
            let socket = try await provider.webSocket(Local(server, "/b"), options: options)
            expectEqual(socket.subprotocol, "b")
            expectEqual(server.requests.first?.headers["Sec-WebSocket-Protocol"], "a, b")
            await #expect(throws: MoyaError.self) {
                try await provider.webSocket(Local(server, "/x"), options: options)
            }
        }

        @Test("a user in the URL and subprotocols in a field of the target are sent")
        func userAndField() async throws {
            let server = try LoopbackServer { request in
                .webSocket(request, subprotocol: "b") { socket in _ = socket.receive() }
            }
            defer { server.stop() }
            let text = server.url.absoluteString.replacing("://", with: "://ann:p%3Aw@")
            let target = Channel(
                baseURL: try #require(URL(string: text)), headers: ["Sec-WebSocket-Protocol": "a, b"])
            let provider = MoyaProvider<Channel>(transport: try CurlTransport(threads: 1))
            let socket = try await provider.webSocket(target)
            expectEqual(socket.subprotocol, "b")
            let fields = try #require(server.requests.last?.headers)
            expectEqual(fields["Authorization"], "Basic \(Data("ann:p:w".utf8).base64EncodedString())")
            expectEqual(fields["Sec-WebSocket-Protocol"], "a, b")
        }

        @Test("7b-10: a refused handshake is the response of the server", arguments: [200, 401, 403, 404, 426, 503])
        func refused(_ status: Int) async throws {
            let server = try LoopbackServer { request in
                request.path == "/chunked" ? .chunked([Data("no".utf8)]) : .json(#"{"a":1}"#, status: status)
            }
            defer { server.stop() }
            for (path, text) in [("/", #"{"a":1}"#), ("/chunked", "no")] {
                let provider = try MoyaProvider<Local>.overCurl()
                let error = await #expect(throws: MoyaError.self) { try await provider.webSocket(Local(server, path)) }
                expectEqual(error?.response?.statusCode, path == "/" ? status : 200)
                try expectEqual(error?.response?.mapString(), text)
                if case .statusCode = error {} else { Issue.record("\(String(describing: error))") }
            }
            try await until { server.connectionCount == 0 }
        }

        @Test("7b-10, 15: a response that does not complete the handshake is an error that names the field")
        func invalidHandshakes() async throws {
            let valid: HTTPHeaders = ["Upgrade": "websocket", "Connection": "keep-alive, Upgrade"]
            let cases: [(String, (inout HTTPHeaders) -> Void, String?)] = [
                ("/valid", { $0["Upgrade"] = "WebSocket" }, nil), ("/upgrade", { $0["Upgrade"] = nil }, "Upgrade"),
                ("/connection", { $0["Connection"] = "close" }, "Connection"),
                ("/accept", { $0["Sec-WebSocket-Accept"] = "x" }, "Sec-WebSocket-Accept"),
                ("/extension", { $0["Sec-WebSocket-Extensions"] = "permessage-deflate" }, "extension"),
                ("/protocol", { $0["Sec-WebSocket-Protocol"] = "x" }, "subprotocol"),
            ]
            for (path, change, reason) in cases {
                var fields = valid
                change(&fields)
                let server = try LoopbackServer { [fields] request in
                    var fields = fields
                    if fields["Sec-WebSocket-Accept"] == nil {
                        fields["Sec-WebSocket-Accept"] = Handshake.accept(request.headers["Sec-WebSocket-Key"] ?? "")
                    }
                    return LoopbackReply([
                        .send(LoopbackReply.head(103, ["Link": "x"])), .send(LoopbackReply.head(101, fields)),
                        .run { _ = $0.read() }, .close,
                    ])
                }
                defer { server.stop() }
                let provider = try MoyaProvider<Local>.overCurl()
                do throws(MoyaError) {
                    _ = try await provider.webSocket(Local(server, path))
                    #expect(reason == nil, "\(path)")
                } catch {
                    expectEqual(error.kind, .badResponse, "\(path)")
                    #expect(reason.map { "\(error)".contains($0) } == true, "\(path): \(error)")
                }
                try await until { server.connectionCount == 0 }
            }
        }

        @Test("7b-10: frames right behind the response, at each split of both")
        func framesBehindTheHead() async throws {
            let frames = FrameWriter.frame(.text("a"), mask: []) + FrameWriter.close(.normal, "", mask: [])
            for split in stride(from: 1, to: 170 + frames.count, by: 7) {
                let server = try LoopbackServer { request in
                    let fields: HTTPHeaders = [
                        "Upgrade": "websocket", "Connection": "Upgrade",
                        "Sec-WebSocket-Accept": Handshake.accept(request.headers["Sec-WebSocket-Key"] ?? ""),
                    ]
                    let bytes = LoopbackReply.head(101, fields) + frames
                    return LoopbackReply([
                        .send(bytes.prefix(split)), .wait(.milliseconds(2)), .send(bytes.dropFirst(split)),
                        .run { while $0.read() != nil {} },
                    ])
                }
                defer { server.stop() }
                let socket = try await MoyaProvider<Local>.overCurl().webSocket(Local(server))
                var received: [WebSocketMessage] = []
                for try await message in socket.messages { received.append(message) }
                expectEqual(received, [.text("a")], "\(split)")
            }
        }

        @Test("401 reaches the interceptors, redirects are followed, and a refused connection is an error")
        func pipeline() async throws {
            let server = try LoopbackServer { request in
                switch request.path {
                case "/old":
                    .status(302, headers: ["Location": "ws://\(request.headers["Host"] ?? "")/channel"])
                case "/channel" where request.headers["Authorization"] != "Bearer new": .status(401)
                default: .webSocket(request) { socket in while let message = socket.receive() { socket.send(message) } }
                }
            }
            let authentication = AuthenticationInterceptor(credential: "old") { token, request in
                request.headers["Authorization"] = "Bearer \(token)"
            } refresh: { _ in
                "new"
            }
            let provider = try MoyaProvider<Local>.overCurl { $0.interceptors = [authentication] }
            let socket = try await provider.webSocket(Local(server, "/old"))
            try await socket.send(.text("a"))
            for try await message in socket.messages {
                expectEqual(message, .text("a"))
                break
            }
            await socket.close()
            server.stop()
            try await until { server.connectionCount == 0 }
            let error = await #expect(throws: MoyaError.self) { try await provider.webSocket(Local(server)) }
            expectEqual(error?.kind, .unreachable)
        }

        @Test("a proxy is asked for a tunnel, also for a plain WebSocket, and its refusal is an error of the proxy")
        func proxy() async throws {
            let proxy = try LoopbackServer(beforeContent: { request in
                guard request.method.rawValue == "CONNECT" else { return nil }
                guard request.target == "chat.example:80" else { return .status(403) }
                return LoopbackReply([
                    .send(LoopbackReply.head(200, [:])),
                    .run { connection in
                        var handshake = ""
                        while !handshake.hasSuffix("\r\n\r\n"), let bytes = connection.read() {
                            handshake += String(decoding: bytes, as: UTF8.self)
                        }
                        let key = handshake.firstMatch(of: /Sec-WebSocket-Key: (\S+)/).map { String($0.1) } ?? ""
                        let fields: HTTPHeaders = [
                            "Upgrade": "websocket", "Connection": "Upgrade",
                            "Sec-WebSocket-Accept": Handshake.accept(key),
                        ]
                        connection.write(LoopbackReply.head(101, fields) + FrameWriter.frame(.text("hi"), mask: []))
                        _ = connection.read()
                    },
                ])
            }) { _ in .status(404) }
            defer { proxy.stop() }
            let transport = try CurlTransport(proxy: .proxy(proxy.url), threads: 1)
            let provider = MoyaProvider<Channel>(transport: transport)
            let url = try #require(URL(string: "ws://chat.example"))
            let socket = try await provider.webSocket(Channel(baseURL: url))
            for try await message in socket.messages {
                expectEqual(message, .text("hi"))
                break
            }
            expectEqual(proxy.requests.map(\.target), ["chat.example:80"])
            let other = try #require(URL(string: "ws://other.example"))
            let error = await #expect(throws: MoyaError.self) { try await provider.webSocket(Channel(baseURL: other)) }
            #expect(error.map { "\($0)" }?.contains("proxy") == true)
        }

        @Test(
            "a proxy that ends or delays its response to CONNECT is named in the error",
            arguments: ["ws", "wss"], TunnelFault.allCases)
        func failingTunnel(_ scheme: String, _ fault: TunnelFault) async throws {
            let server = try LoopbackServer { _ in fault.reply }
            defer { server.stop() }
            let error = try await failure(
                scheme, through: server, connectTimeout: fault == .silence ? .seconds(2) : nil)
            expectEqual(error.kind, fault == .silence ? .timeout : .unreachable)
            let verb = fault == .silence ? "timed out" : "failed"
            #expect("\(error)".contains("connecting to chat.example through a proxy \(verb): "))
        }

        @Test("a server that closes an open tunnel is a failure of its TLS handshake, not of the proxy")
        func closedTunnel() async throws {
            let server = try LoopbackServer { _ in .raw("HTTP/1.1 200 Established\r\n\r\n") }
            defer { server.stop() }
            try await expectEqual(failure("wss", through: server).kind, .tls)
        }

        private func failure(
            _ scheme: String, through proxy: LoopbackServer, connectTimeout: Duration? = nil
        ) async throws -> MoyaError {
            let transport = try CurlTransport(proxy: .proxy(proxy.url), threads: 1)
            var configuration = ProviderConfiguration(transport: transport)
            configuration.timeouts.connect = connectTimeout
            let provider = MoyaProvider<Channel>(configuration: configuration)
            let target = Channel(baseURL: try #require(URL(string: "\(scheme)://chat.example")))
            return try #require(await #expect(throws: MoyaError.self) { try await provider.webSocket(target) })
        }

        @Test("7b-10: lengths that a refusal cannot have do not end the process")
        func hostileRefusals() async throws {
            for (fields, content) in [
                ("Transfer-Encoding: chunked", "7fffffffffffffff\r\nabc"), ("Transfer-Encoding: chunked", "-5\r\nabc"),
                ("Transfer-Encoding: gzip\r\nContent-Length: -5", "abc"),
                ("Content-Length: 9223372036854775807", "abc"),
                ("Content-Length: -9223372036854775808", "abc"),
            ] {
                let server = try LoopbackServer { _ in .raw("HTTP/1.1 403 No\r\n\(fields)\r\n\r\n\(content)") }
                defer { server.stop() }
                let provider = try MoyaProvider<Local>.overCurl()
                let error = await #expect(throws: MoyaError.self) { try await provider.webSocket(Local(server)) }
                let isRefusal = if case .statusCode = error { true } else { error?.kind == .badResponse }
                #expect(isRefusal, "\(fields): \(String(describing: error))")
            }
        }

        @Test("a target with another method, with content, or with an invalid subprotocol is refused before it is sent")
        func invalidRequests() async throws {
            let server = try LoopbackServer.echoingWebSockets()
            defer { server.stop() }
            let provider = try MoyaProvider<Local>.overCurl()
            let targets = [
                Local(server, method: .post), Local(server, method: .put, task: .requestData(Data("a".utf8))),
                Local(server, task: .upload(.data(Data("a".utf8)))),
            ]
            for target in targets {
                let error = await #expect(throws: MoyaError.self) { try await provider.webSocket(target) }
                expectEqual(error?.kind, .request)
            }
            for name in ["", "a b", "a\r\nX-Injected: 1"] {
                let options = WebSocketOptions(subprotocols: ["ok", name])
                let error = await #expect(throws: MoyaError.self) {
                    try await provider.webSocket(Local(server), options: options)
                }
                expectEqual(error?.kind, .request)
            }
            #expect(server.requests.isEmpty)
        }

        @Test("a target that validates status codes can open a WebSocket, and its refusals are errors")
        func validation() async throws {
            struct Validating: TargetType {
                let baseURL: URL
                let path: String
                let validationType = ValidationType.successCodes
            }
            let server = try LoopbackServer { request in
                request.path == "/no" ? .status(403) : .webSocket(request) { _ = $0.receive() }
            }
            defer { server.stop() }
            let provider = MoyaProvider<Validating>(transport: try CurlTransport(threads: 1))
            let socket = try await provider.webSocket(Validating(baseURL: server.url, path: "/"))
            await socket.close()
            let error = await #expect(throws: MoyaError.self) {
                try await provider.webSocket(Validating(baseURL: server.url, path: "/no"))
            }
            expectEqual(error?.response?.statusCode, 403)
        }

        @Test("7b-11: the cookies of a response are sent with the handshake")
        func cookies() async throws {
            let server = try LoopbackServer { request in
                request.path == "/login"
                    ? .status(200, headers: ["Set-Cookie": "id=7"]) : .webSocket(request) { _ = $0.receive() }
            }
            defer { server.stop() }
            let provider = try MoyaProvider<Local>.overCurl { $0.cookies = CookieJar() }
            _ = try await provider.response(Local(server, "/login"))
            let socket = try await provider.webSocket(Local(server, "/chat"))
            expectEqual(server.requests.last?.headers["Cookie"], "id=7")
            await socket.close()
        }

        @Test("a request that fails after the handshake leaves no connection behind")
        func failsAfterTheHandshake() async throws {
            struct Refusing: PluginType {
                func process(
                    _ result: Result<Response, MoyaError>, target: any RelativeTarget
                ) -> Result<Response, MoyaError> { .failure(.requestMapping("refused")) }
            }
            let code = Promise<UInt16?>()
            let server = try LoopbackServer { request in
                .webSocket(request) { socket in
                    while socket.receive() != nil {}
                    code.fulfill(socket.closure?.code.rawValue)
                }
            }
            defer { server.stop() }
            let provider = try MoyaProvider<Local>.overCurl { $0.plugins = [Refusing()] }
            let error = await #expect(throws: MoyaError.self) { try await provider.webSocket(Local(server)) }
            expectEqual(error?.kind, .request)
            try await expectEqual(code.value(), 1001)
            try await until { server.connectionCount == 0 }
        }

        @Test("what cannot open a WebSocket is an error that says why")
        func unsupported() async throws {
            let server = try LoopbackServer.echoingWebSockets()
            defer { server.stop() }
            let other = MoyaProvider<Local>(transport: URLSessionTransport())
            let error = await #expect(throws: MoyaError.self) { try await other.webSocket(Local(server)) }
            #expect(error.map { "\($0)" }?.contains("CurlTransport") == true)
            let stubbed = MoyaProvider<Local>(stubClosure: { _ in .immediate })
            await #expect(throws: MoyaError.self) { try await stubbed.webSocket(Local(server)) }
            #expect(server.requests.isEmpty)
        }
    }

    private struct Channel: TargetType, AccessTokenAuthorizable {
        let baseURL: URL
        let path = "/"
        var headers: [String: String]? = ["Origin": "https://app.example"]
        let authorizationType: AuthorizationType? = .bearer
    }
#endif
