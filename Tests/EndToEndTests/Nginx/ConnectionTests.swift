import Foundation
import MoyaStreams
import TestSupport
import Testing

/// The use of connections, also of those that the server closes.
@Suite(.enabled(if: address("MOYA_HTTP") != nil), .queued, .timeLimit(.minutes(10)))
struct ConnectionTests {
    /// Sends requests; returns the IDs of the used connections, and the number of missing or wrong responses.
    private func crowd(
        _ provider: MoyaProvider<MultiTarget>, _ count: Int, atATime: Int
    ) async throws -> (connections: Set<String>, wrong: Int, protocols: Set<String>) {
        try await withThrowingTaskGroup(of: Response.self) { group in
            var connections: Set<String> = []
            var protocols: Set<String> = []
            var wrong = 0
            var left = count
            func add() {
                left -= 1
                group.addTask { try await provider.response(Page(path: "/zen.txt")) }
            }
            while left > count - atATime { add() }
            for try await response in group {
                if response.data.count != 43 { wrong += 1 }
                connections.insert(response.headers["X-Connection"] ?? "none")
                protocols.insert(response.headers["X-Protocol"] ?? "none")
                if left > 0 { add() }
            }
            return (connections, wrong, protocols)
        }
    }

    @Test(
        "a hundred concurrent requests share one connection of HTTP/2", arguments: TransportKind.with(.ownAuthorities))
    func multiplexing(_ kind: TransportKind) async throws {
        let result = try await crowd(try kind.provider("MOYA_TLS_GOOD"), 300, atATime: 100)
        expectEqual(result.wrong, 0)
        expectEqual(result.protocols, ["HTTP/2.0"])
        #expect(result.connections.count <= 3)
    }

    #if os(Linux)
        @Test("with one connection of HTTP/2, a request does not wait for the end of a long response")
        func besideLongResponse() async throws {
            let trust = ServerTrustPolicy(authorities: [try tlsFile("ca.pem")], trustsSystemAuthorities: false)
            let provider = MoyaProvider<MultiTarget>(
                baseURL: address("MOYA_TLS_GOOD"), transport: try CurlTransport(trust: trust, connectionsPerHost: 1))
            let long = try await provider.streamedResponse(Page(path: "/slow/long.bin"))  // takes 20 seconds
            let short = try await provider.response(Page(path: "/zen.txt"))
            expectEqual(short.headers["X-Connection"], long.head.headers["X-Connection"])
            #expect(try #require(short.metrics?.queued) < .seconds(5))
        }

        @Test("threads of a transport share no connection of HTTP/2, and lose no request", arguments: [2, 4])
        func multiplexingOnThreads(threads: Int) async throws {
            let provider = try TransportKind.curl.provider("MOYA_TLS_GOOD", threads: threads)
            let result = try await crowd(provider, 600, atATime: 100)
            expectEqual(result.wrong, 0)
            expectEqual(result.protocols, ["HTTP/2.0"])
            // The first requests of a thread may open several connections before the server has announced HTTP/2.
            #expect((threads...3 * threads).contains(result.connections.count))
        }
    #endif

    @Test("connections are reused", arguments: TransportKind.allCases)
    func keepAlive(_ kind: TransportKind) async throws {
        let result = try await crowd(try kind.provider("MOYA_HTTP"), 100, atATime: 4)
        expectEqual(result.wrong, 0)
        expectEqual(result.protocols, ["HTTP/1.1"])
        #expect(result.connections.count <= 8)
    }

    @Test("no request is lost if the server closes its connections", arguments: TransportKind.allCases)
    func closing(_ kind: TransportKind) async throws {
        for server in ["MOYA_SHORT", "MOYA_CLOSE"] {
            let result = try await crowd(try kind.provider(server), 200, atATime: 10)
            expectEqual(result.wrong, 0)
            #expect(result.connections.count >= 200 / 3)
        }
    }

    @Test("content is sent to a server that closes its connections", arguments: TransportKind.allCases)
    func closingWithContent(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_SHORT")
        let content = Data(repeating: 7, count: 10_000)
        for number in 0..<50 {
            let page = Page(path: "/put/\(kind).\(number)", method: .put, task: .requestData(content))
            #expect([201, 204].contains(try await provider.response(page).statusCode))
        }
    }

    @Test(
        "a request to an IPv6 address succeeds", .enabled(if: address("MOYA_IPV6") != nil),
        arguments: TransportKind.with(.addressesInBrackets))
    func version6(_ kind: TransportKind) async throws {
        let response = try await kind.provider("MOYA_IPV6").response(Page(path: "/zen.txt"))
        expectEqual(response.statusCode, 200)
        expectEqual(response.data.count, 43)
    }
}
