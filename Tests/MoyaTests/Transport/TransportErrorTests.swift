import Foundation
import MoyaTesting
import TestSupport
import Testing

@testable import Moya

/// The texts of errors, which name the host, the phase and the remedy, and contain no secrets.
@Suite(.queued, .timeLimit(.minutes(10))) struct TransportErrorTests {
    /// Returns a request whose URL has a secret in each component.
    private func request(_ scheme: String, _ host: String, _ port: Int) throws -> TransportRequest {
        let url = try #require(URL(string: "\(scheme)://ann:hidden1@\(host):\(port)/hidden2?token=hidden3"))
        return try TransportRequest(method: .get, url: url, connectTimeout: .seconds(20))
    }

    private func text(_ result: Exchanged) throws -> String {
        let error = try #require(result.error)
        let text = MoyaError.underlying(error, nil).description
        #expect(!text.contains("hidden"))
        #expect(!text.contains("ann"))
        return text
    }

    private func closedPort() throws -> Int {
        let server = try LoopbackServer { _ in .closed }
        server.stop()
        return try #require(server.url.port)
    }

    @Test("the error of a refused connection names host, port, phase and remedy", arguments: TransportKind.allCases)
    func refused(_ kind: TransportKind) async throws {
        let port = try closedPort()
        let result = try await kind.make().exchange(request("http", "127.0.0.1", port))
        let text = try text(result)
        expectEqual(result.error?.code, .cannotConnectToHost)
        #expect(text.hasPrefix("connecting to 127.0.0.1:\(port) failed: "))
        #expect(text.contains(". Check that the server, or the proxy in between, accepts connections on this port"))
    }

    @Test(
        "the error of a failed name look-up names the host, whatever the name says", arguments: TransportKind.allCases,
        ["missing.invalid", "proxy.invalid", "ssl-connect.invalid"])
    func unknownHost(_ kind: TransportKind, _ host: String) async throws {
        let result = try await kind.make().exchange(request("http", host, 80))
        let text = try text(result)
        expectEqual(result.error?.code, .cannotFindHost)
        #expect(text.hasPrefix("resolving the host name \(host):80 failed: "))
        #expect(text.contains(". Check the spelling of the host"))
    }

    @Test(
        "the error of a TLS handshake with a server without TLS names the handshake", arguments: TransportKind.allCases)
    func handshake(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in .text("not TLS") }
        defer { server.stop() }
        let port = try #require(server.url.port)
        let result = try await kind.make().exchange(request("https", "127.0.0.1", port))
        let text = try text(result)
        expectEqual(MoyaError.underlying(try #require(result.error), nil).kind, .tls)
        #expect(text.hasPrefix("the TLS handshake with 127.0.0.1:\(port) failed: "))
        #expect(text.contains(". Check that the port speaks TLS"))
    }

    @Test("the error of a connection that is closed before the response says so", arguments: TransportKind.allCases)
    func closed(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in .closed }
        defer { server.stop() }
        let port = try #require(server.url.port)
        let result = try await kind.make().exchange(request("http", "127.0.0.1", port))
        let text = try text(result)
        expectEqual(result.error?.code, .networkConnectionLost)
        #expect(text.hasPrefix("waiting for the response of 127.0.0.1:\(port) failed: "))
    }

    @Test("the error of an incomplete response says so", arguments: TransportKind.allCases)
    func cutShort(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in .truncated(Data("hidden4 and more".utf8), by: 5) }
        defer { server.stop() }
        let port = try #require(server.url.port)
        let result = try await kind.make().exchange(request("http", "127.0.0.1", port))
        let text = try text(result)
        expectEqual(result.error?.code, .networkConnectionLost)
        #expect(text.hasPrefix("receiving the response of 127.0.0.1:\(port) failed: "))
    }

    @Test("the error of a key that is not pinned names the pins and a possible interception, and no other remedy")
    func pins() throws {
        let pins = [UInt8(1), 2].map { Data(repeating: $0, count: 32).base64EncodedString() }
        let policy = ServerTrustPolicy(pins: ["HOST.example": Set(pins), "other.example": ["none"]])
        let url = try #require(URL(string: "https://ann:hidden1@host.example/a?token=hidden3#hidden4"))
        let error = policy.pinMismatch(at: url)
        expectEqual(MoyaError.underlying(error, nil).kind, .tls)
        let reason = "the server's key matches none of the pins of host.example (\(pins[0]), \(pins[1]))"
        expectEqual(
            error.localizedDescription,
            "the TLS handshake with host.example failed: \(reason). Someone may be intercepting the connection. "
                + "If the server's key has changed, update ServerTrustPolicy.pins.")
        expectEqual(error.failingURL?.absoluteString, "https://host.example/a")
    }

    @Test("an error that is printed shows its URL without secrets")
    func failingURL() throws {
        let url = try #require(URL(string: "https://ann:hidden1@host.example/a?token=hidden3#hidden4"))
        let error = URLError(.timedOut, .connecting, url, "Connection timed out.")
        expectEqual(error.failingURL?.absoluteString, "https://host.example/a")
        #expect(!String(reflecting: error).contains("hidden"))
        let reason = "connecting to host.example timed out: Connection timed out. Check the port"
        #expect(error.localizedDescription.hasPrefix(reason))
    }

    @Test("no error of Foundation has a secret of the URL in it", arguments: TransportKind.allCases)
    func underlyingURLs(_ kind: TransportKind) async throws {
        let url = try #require(URL(string: "http://ann:hidden1@127.0.0.1:1/a?token=hidden3#hidden4"))
        let result = try await kind.make().exchange(TransportRequest(method: .get, url: url))
        var error: (any Error)? = result.error
        #expect(error != nil)
        while let next = error as NSError? {
            #expect(!"\(next.userInfo) \(String(reflecting: next))".contains("hidden"))
            error = next.userInfo[NSUnderlyingErrorKey] as? any Error
        }
    }

    #if os(Linux)
        @Test("the errors of a refused tunnel and of an unreachable proxy name the proxy")
        func proxy() async throws {
            let server = try LoopbackServer { _ in .status(403) }
            defer { server.stop() }
            let refusing = try CurlTransport(proxy: .proxy(server.url))
            let refused = try text(await refusing.exchange(request("https", "shop.example", 443)))
            #expect(refused.hasPrefix("connecting to shop.example:443 through a proxy failed: "))
            #expect(refused.contains(". Check the address, the credentials and the rules of the proxy"))
            let url = try #require(URL(string: "http://user:hidden5@missing.invalid:3128"))
            let missing = try CurlTransport(proxy: .proxy(url))
            let unknown = try text(await missing.exchange(request("http", "shop.example", 80)))
            #expect(unknown.hasPrefix("connecting to shop.example:80 through a proxy failed: "))
        }

        @Test(
            "the error of a timeout during the TLS handshake names the handshake and the option to change",
            arguments: [1, 4])
        func handshakeTimeout(_ threads: Int) async throws {
            let silent = try SilentPort()
            let url = try #require(URL(string: "https://127.0.0.1:\(silent.port)/hidden?hidden"))
            let request = try TransportRequest(method: .get, url: url, connectTimeout: .milliseconds(100))
            let result = try await CurlTransport(threads: threads).exchange(request)
            expectEqual(result.error?.code, .timedOut)
            let text = try text(result)
            // libcurl 8 reports the connection only after the handshake.
            let isConnecting = Libcurl.loaded == .from8
            let phase = isConnecting ? "connecting to" : "the TLS handshake with"
            let remedy = isConnecting ? "the port, and the firewalls in between" : "that the port speaks TLS"
            #expect(text.hasPrefix("\(phase) 127.0.0.1:\(silent.port) timed out: "))
            #expect(text.hasSuffix(". Check \(remedy), or raise Timeouts.connect."))
        }
    #endif
}
