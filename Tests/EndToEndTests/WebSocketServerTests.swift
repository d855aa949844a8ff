import TestSupport

#if os(Linux)
    import Foundation
    import MoyaStreams
    import MoyaWebSocket
    import Testing

    /// WebSockets with the server of another implementation: plain, over TLS, and behind nginx.
    @Suite(.enabled(if: address("MOYA_WS") != nil), .queued, .timeLimit(.minutes(10)))
    struct WebSocketServerTests {
        private struct Echo: RelativeTarget {
            var path = "/websocket"
        }

        private func provider(_ server: String, _ trust: ServerTrustPolicy = .system) throws -> MoyaProvider<Echo> {
            MoyaProvider(baseURL: address(server), transport: try CurlTransport(trust: trust))
        }

        private func trust() throws -> ServerTrustPolicy {
            let pin = String(decoding: try tlsFile("pin.txt"), as: UTF8.self).trimmingCharacters(in: .newlines)
            return ServerTrustPolicy(authorities: [try tlsFile("ca.pem")], pins: ["localhost": [pin]])
        }

        private func echoes(_ provider: MoyaProvider<Echo>, _ messages: [WebSocketMessage]) async throws {
            let options = WebSocketOptions(subprotocols: ["echo"])
            let socket = try await provider.webSocket(Echo(), options: options)
            let sending = Task { for message in messages { try await socket.send(message) } }
            var received: [WebSocketMessage] = []
            for try await message in socket.messages {
                received.append(message)
                if received.count == messages.count { break }
            }
            try await sending.value
            expectEqual(received, messages)
            await socket.close(.normal, reason: "bye")
            expectEqual(socket.closure?.code, .normal)
        }

        @Test("messages of all sizes come back", arguments: ["MOYA_WS", "MOYA_WSS", "MOYA_HTTP", "MOYA_TLS_GOOD"])
        func echo(_ server: String) async throws {
            let provider = try provider(server, trust())
            try await echoes(
                provider,
                [.text("ü€𝄞"), .data(Data())]
                    + [1, 125, 126, 65_535, 65_536, 1 << 20, 5 << 20].map { .data(Data(repeating: 7, count: $0)) })
            try await echoes(provider, (0..<2000).map { .text("message \($0)") })
        }

        @Test("a certificate that is not trusted, and a wrong pin, are errors of TLS")
        func tls() async throws {
            for trust in [
                ServerTrustPolicy.system,
                ServerTrustPolicy(
                    authorities: [try tlsFile("ca.pem")],
                    pins: ["localhost": ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]]),
            ] {
                let provider = try provider("MOYA_WSS", trust)
                let error = await #expect(throws: MoyaError.self) { try await provider.webSocket(Echo()) }
                expectEqual(error?.kind, .tls)
            }
        }

        @Test("the code and the reason of the server arrive")
        func close() async throws {
            let options = WebSocketOptions(subprotocols: ["echo"])
            let socket = try await provider("MOYA_WS").webSocket(Echo(path: "/close"), options: options)
            let error = await #expect(throws: MoyaError.self) { for try await _ in socket.messages {} }
            expectEqual(error?.webSocketError, .closed(WebSocketCloseCode(rawValue: 4000), reason: "because"))
        }
    }
#endif
