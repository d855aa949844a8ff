#if os(Linux)
    import Foundation
    import Moya
    import MoyaTesting
    import TestSupport
    import Testing

    /// Bytes after the end of a response, which must not be delivered as the response to the next request.
    @Suite(.queued, .timeLimit(.minutes(10))) struct HostileReuseTests {
        static let stolen = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nstolen"

        @Test(
            "a second response after the first one is delivered to no request",
            arguments: [
                (HTTPMethod.get, "\(String.ok)\(String.hello)"), (.get, "HTTP/1.1 204 x\r\n\r\n"),
                (.get, "HTTP/1.1 304 x\r\n\r\n"),
                (.head, "\(String.ok)Content-Length: 5\r\n\r\n"), (.get, "\(String.ok)Content-Length: 0\r\n\r\n"),
                (.get, "\(String.ok)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
                (.get, "HTTP/1.1 103 x\r\n\r\n\(String.ok)\(String.hello)"),
            ])
        func atOnce(_ method: HTTPMethod, _ first: String) async throws {
            let server = try LoopbackServer { request in
                request.path == "/first" ? LoopbackReply([.send(Data("\(first)\(Self.stolen)".utf8))]) : .text("own")
            }
            defer { server.stop() }
            let transport = try CurlTransport()
            let result = try await transport.exchange(
                TransportRequest(method: method, url: server.url.appending(path: "first")))
            #expect(result.error == nil)
            #expect(!result.text.contains("stolen"))
            let second = try await transport.exchange(TransportRequest(method: .get, url: server.url))
            expectEqual(second.text, "own")
        }

        @Test("a server without TLS that claims HTTP/2 does not cause wrong responses")
        func multiplexed() async throws {
            let server = try LoopbackServer { request in
                let text = request.path
                let head = "HTTP/2 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n"
                return LoopbackReply([.send(Data("\(head)\(text)".utf8))])
            }
            defer { server.stop() }
            let transport = try CurlTransport()
            let wrong = try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 0..<300 {
                    group.addTask {
                        let url = server.url.appending(path: "\(number)")
                        let result = try await transport.exchange(TransportRequest(method: .get, url: url))
                        return result.error == nil && result.text != "/\(number)" ? "\(number): \(result.text)" : nil
                    }
                }
                return try await group.reduce(into: [String]()) { list, wrong in
                    if let wrong { list.append(wrong) }
                }
            }
            expectEqual(wrong, [])
        }
    }
#endif
