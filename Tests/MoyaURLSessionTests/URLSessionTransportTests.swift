import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@testable import MoyaURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct URLSessionTransportTests {
    @Test("the timeouts of a configuration are ignored, also infinite ones")
    func configuredTimeouts() async throws {
        let server = try LoopbackServer { _ in .text("in time") }
        defer { server.stop() }
        for timeout in [TimeInterval.infinity, 1e-9, -1] {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.timeoutIntervalForRequest = timeout
            configuration.timeoutIntervalForResource = timeout
            let result = try await URLSessionTransport(configuration: configuration).exchange(
                TransportRequest(method: .get, url: server.url))
            expectEqual(result.text, "in time")
            expectEqual(configuration.timeoutIntervalForRequest, timeout)
        }
    }

    #if canImport(FoundationNetworking)
        @Test("each chunk of a slow upload, which is collected first, begins the idle time again")
        func slowUpload() async throws {
            let server = try LoopbackServer { request in .text(String(decoding: request.body, as: UTF8.self)) }
            defer { server.stop() }
            let (chunks, continuation) = AsyncStream<Data>.makeStream()
            let request = try TransportRequest(method: .post, url: server.url, body: .stream(once: chunks))
            let batches = Box(0)
            let content = Box("")
            _ = URLSessionTransport().start(request) { events in
                batches.change { $0 += 1 }
                for chunk in events.chunks { content.change { $0 += String(decoding: chunk, as: UTF8.self) } }
            }
            for number in 1...4 {
                continuation.yield(Data("\(number)".utf8))
                try await until { batches.value >= number }
            }
            continuation.finish()
            try await until { content.value == "1234" }
        }

        /// A cancel holds the lock while it waits for Foundation's queue, which calls `startOver`.
        @Test("a lost connection is handled while a cancel holds the lock", arguments: [HTTPMethod.put, .post])
        func startsOverWithoutTheLock(_ method: HTTPMethod) throws {
            let url = try #require(URL(string: "http://127.0.0.1:9"))
            let exchange = SessionExchange(try TransportRequest(method: method, url: url), maximumBufferedBytes: 1) {
                _ in
            }
            let task = URLSession.shared.dataTask(with: url)
            var returns: Bool?
            exchange.unlessCancelled { returns = finishesOnAnotherThread { exchange.startOver(task) } }
            #expect(returns == true)
        }
    #endif

    @Test(
        "an exchange with too much unconsumed content fails",
        .enabled(if: !SessionExchange.canSuspend))
    func fallsBehind() async throws {
        let size = 6_000_000
        let server = try LoopbackServer { _ in .status(200, body: Data(repeating: 1, count: size)) }
        defer { server.stop() }
        let request = try TransportRequest(method: .get, url: server.url, delivery: .chunks(window: 100_000))
        let patient = try await URLSessionTransport().exchange(request)
        #expect(patient.error == nil)
        expectEqual(patient.received, size)
        let impatient = URLSessionTransport(.ephemeral, .system, maximumBufferedBytes: 2_000_000)
        let result = try await impatient.exchange(request)
        expectEqual(result.error?.code, .dataLengthExceedsMaximum)
        #expect(result.error?.localizedDescription.contains("has not consumed") == true)
        #expect(result.received <= 2_000_000)
    }

    @Test("an upload of a file or a stream may end early, by a cancel or by the server", arguments: [false, true])
    func uploadsEndEarly(_ isReset: Bool) async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("content")
        try Data(count: 300_000).write(to: file)
        let server = try LoopbackServer { _ in isReset ? LoopbackReply([.reset]) : .text("read") }
        defer { server.stop() }
        let stream = RequestBody.stream {
            AsyncStream<Data> { continuation in
                continuation.yield(Data(count: 3000))
                continuation.finish()
            }
        }
        let transport = URLSessionTransport()
        for number in 0..<100 {
            let body = number % 2 == 0 ? RequestBody.file(file) : stream
            let request = try TransportRequest(method: .post, url: server.url, body: body)
            let exchanging = Exchanging(request, on: transport)
            if !isReset {
                let count = server.connectionCount
                if number % 4 > 1 {
                    try await until { server.connectionCount > count || exchanging.outcome.isFulfilled }
                }
                exchanging.cancel()
            }
            let result = try await exchanging.finished()
            #expect(!isReset || result.error != nil)
        }
    }

    @Test(
        "an upload of a long file may end early, too, and has all bytes otherwise",
        arguments: ["/reset", "/cancel", "/"])
    func longUploads(_ path: String) async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("content")
        let content = (0..<(17 << 12)).reduce(into: Data()) {
            $0.append(Data(repeating: UInt8(truncatingIfNeeded: $1), count: 256))
        }
        try content.write(to: file)
        let server = try LoopbackServer { request in
            request.path == "/reset" ? .reset : .text("\(request.body == content)")
        }
        defer { server.stop() }
        for _ in 0..<3 {
            let request = try TransportRequest(
                method: .post, url: server.url.appending(path: path), body: .file(file))
            let exchanging = Exchanging(request, on: URLSessionTransport())
            if path == "/cancel" {
                try await until { server.connectionCount > 0 }
                exchanging.cancel()
            }
            let result = try await exchanging.finished()
            #expect(path != "/reset" || result.error != nil)
            #expect(path != "/" || result.text == "true")
        }
    }

    @Test("a URL scheme in upper case is accepted", arguments: TransportKind.allCases)
    func schemeInCapitals(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { .text($0.target) }
        defer { server.stop() }
        let text = server.url.absoluteString.replacingOccurrences(of: "http:", with: "HTTP:") + "/a%2Fb?c=%20d"
        let url = try #require(URL(string: text))
        let result = try await kind.make().exchange(TransportRequest(method: .get, url: url))
        #expect(result.error == nil)
        expectEqual(result.text, "/a%2Fb?c=%20d")
    }

    @Test(
        "RFC 3986, 5.2.4: dot segments are removed from a path, and nothing else", arguments: TransportKind.allCases,
        [
            ("/a/../b", "/b"), ("/a/./b/.", "/a/b/"), ("/a/b/..", "/a/"), ("/../../a", "/a"), ("/a//../b", "/a/b"),
            ("/a/%2E%2e/b", "/b"), ("/.a/..b/...", "/.a/..b/..."), ("/a%2F..?/../", "/a%2F..?/../"),
            ("/a//b/", "/a//b/"),
        ])
    func dotSegments(_ kind: TransportKind, _ row: (path: String, target: String)) async throws {
        let server = try LoopbackServer { .text($0.target) }
        defer { server.stop() }
        let url = try #require(URL(string: server.url.absoluteString + row.path))
        let result = try await kind.make().exchange(TransportRequest(method: .get, url: url))
        expectEqual(result.text, row.target)
    }

    @Test(
        "RFC 9112, 6.3: a Content-Length that is not one number is an error", arguments: TransportKind.allCases,
        ["+5", "-5", "5\r\nContent-Length: 3", "3\r\nContent-Length: 5", "5, 3"])
    func invalidLength(_ kind: TransportKind, _ length: String) async throws {
        let server = try LoopbackServer { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nhello") }
        defer { server.stop() }
        for delivery in [TransportRequest.Delivery.whole, .chunks(window: nil)] {
            let request = try TransportRequest(method: .get, url: server.url, delivery: delivery)
            let result = try await kind.make().exchange(request)
            expectEqual(result.error.map { MoyaError.underlying($0, nil).kind }, .badResponse)
            #expect(result.head == nil)
            #expect(result.chunks.isEmpty)
            expectEqual(result.outcomes.count, 1)
        }
    }

    @Test(
        "a redirect without a location is delivered as the response", arguments: TransportKind.allCases,
        [300, 301, 302, 303, 304, 307, 308])
    func redirectToNowhere(_ kind: TransportKind, _ status: Int) async throws {
        let server = try LoopbackServer { _ in .status(status, headers: ["X-Mark": "yes"], body: Data("gone".utf8)) }
        defer { server.stop() }
        let result = try await kind.make().exchange(TransportRequest(method: .get, url: server.url))
        #expect(result.error == nil)
        expectEqual(result.heads, 1)
        expectEqual(result.head?.statusCode, status)
        expectEqual(result.head?.headers["X-Mark"], "yes")
        expectEqual(server.requests.count, 1)
    }

    @Test("fields whose names differ only in case are delivered", arguments: TransportKind.allCases)
    func namesInOtherCase(_ kind: TransportKind) async throws {
        let head = Data("HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: 2\r\nContent-Length: 0\r\n\r\n".utf8)
        let server = try LoopbackServer { _ in LoopbackReply([.send(head)]) }
        defer { server.stop() }
        let response = try await MoyaProvider<Local>(transport: try kind.make()).response(Local(server))
        expectEqual(response.headers.values(for: "X-A").joined(separator: ", "), "1, 2")
    }

    #if os(Linux)
        @Test(
            "content in an unknown form is an invalid response over both transports", arguments: TransportKind.allCases)
        func invalidCoding(_ kind: TransportKind) async throws {
            let server = try LoopbackServer { _ in
                .status(200, headers: ["Content-Encoding": "zstd"], body: Data("not zstd".utf8))
            }
            defer { server.stop() }
            let error = await #expect(throws: MoyaError.self) {
                try await MoyaProvider<Local>(transport: try kind.make()).response(Local(server))
            }
            expectEqual(error?.kind, .badResponse)
        }
    #endif

    @Test("a method is sent unchanged, or refused", arguments: TransportKind.allCases, ["get", "Post", "query"])
    func methods(_ kind: TransportKind, _ name: String) async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        let method = HTTPMethod(rawValue: name)
        let result = try await kind.make().exchange(TransportRequest(method: method, url: server.url))
        if let error = result.error {
            expectEqual(MoyaError.underlying(error, nil).kind, .request)
            #expect(server.requests.isEmpty)
        } else {
            expectEqual(server.requests.map(\.method), [method])
        }
    }

    @Test("content without a content type is not declared as a form", arguments: TransportKind.allCases)
    func undeclaredType(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        let body = RequestBody.data(Data("a=b".utf8))
        let result = try await kind.make().exchange(TransportRequest(method: .post, url: server.url, body: body))
        expectEqual(result.text, "a=b")
        let type = server.requests.first?.headers["Content-Type"] ?? "application/octet-stream"
        expectEqual(type, "application/octet-stream")
    }

    @Test("the times of the first byte and of the end are reported, in this order", arguments: TransportKind.allCases)
    func times(_ kind: TransportKind) async throws {
        let isHeadSeen = Box(false)
        let head = LoopbackReply.head(200, ["Content-Length": "3"])
        let server = try LoopbackServer { _ in
            LoopbackReply([.send(head), .waitUntil { isHeadSeen.value }, .send(Data("all".utf8))])
        }
        defer { server.stop() }
        let exchanging = Exchanging(
            try TransportRequest(method: .get, url: server.url, delivery: .chunks(window: nil)), on: try kind.make())
        try await exchanging.hasHead.value()
        isHeadSeen.value = true
        let metrics = try #require(try await exchanging.finished().outcomes.first?.metrics)
        let (firstByte, total) = (try #require(metrics.firstByte), try #require(metrics.total))
        #expect(firstByte > .zero)
        #expect(firstByte < total)
    }

    @Test("a body from a path that is not a file is a failure", arguments: TransportKind.allCases)
    func noFile(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        for url in [server.url, FileManager.default.temporaryDirectory] {
            let request = try TransportRequest(method: .put, url: server.url, body: .file(url))
            let result = try await kind.make().exchange(request)
            #expect(result.error != nil)
            expectEqual(result.outcomes.count, 1)
        }
    }

    @Test("responses of many kinds that are cancelled at random times have one outcome each and do not hang")
    func randomCancels() async throws {
        let server = try LoopbackServer { request in
            switch Int(request.query ?? "").map({ $0 % 5 }) {
            case 0: .text("quick")
            case 1: .status(302, headers: ["Location": "/elsewhere"], body: Data("moved".utf8))
            case 2: .status(401, headers: ["WWW-Authenticate": "Basic realm=\"a\""], body: Data("who?".utf8))
            case 3: .text("late").after(.wait(.milliseconds(3)))
            default: .chunked([Data("a".utf8), Data("b".utf8)], every: .milliseconds(1))
            }
        }
        defer { server.stop() }
        let transport = URLSessionTransport()
        var generator = SeededGenerator(seed: 20_261_121)
        var exchanges: [Exchanging] = []
        let count = manyTimes / 50
        for number in 0..<count {
            let url = try #require(URL(string: "\(server.url)/?\(number)"))
            let delivery: TransportRequest.Delivery = number.isMultiple(of: 2) ? .whole : .chunks(window: nil)
            let exchanging = Exchanging(
                try TransportRequest(method: .get, url: url, delivery: delivery), on: transport)
            exchanges.append(exchanging)
            let delay = Duration.microseconds(Int(generator.next() % 8000))
            (DispatchScheduler.background as any Scheduler).schedule(after: delay) { exchanging.cancel() }
            if number >= 64 { _ = try await exchanges[number - 64].finished() }
        }
        for exchanging in exchanges { _ = try await exchanging.finished() }
        let results = exchanges.map(\.events.value)
        #expect(results.allSatisfy { $0.outcomes.count == 1 && $0.eventsAfterOutcome == 0 })
        let cancelled = results.count { $0.error?.code == .cancelled }
        let complete = results.filter { $0.error == nil }
        expectEqual(cancelled + complete.count, count)
        #expect(cancelled > 0)
        let unclear = complete.count { $0.heads != 1 || $0.content.isEmpty }
        expectEqual(unclear, 0)
    }
}

#if canImport(FoundationNetworking)
    /// Settings that URLSession on Linux does not support, and the errors for them.
    @Suite(.queued, .timeLimit(.minutes(10))) struct URLSessionOnLinuxTests {
        static let policies: [(ServerTrustPolicy, String)] = {
            let pem = Data("-----BEGIN CERTIFICATE-----\nMIIAAQA=\n-----END CERTIFICATE-----\n".utf8)
            let key = Data("-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----\n".utf8)
            let pin = Data(count: 32).base64EncodedString()
            return [
                (ServerTrustPolicy(authorities: [pem]), "additional authorities"),
                (
                    ServerTrustPolicy(authorities: [pem], trustsSystemAuthorities: false),
                    "additional authorities, distrust of the system's authorities"
                ),
                (ServerTrustPolicy(pins: ["a.example": [pin]]), "pins"),
                (ServerTrustPolicy(identity: .init(certificates: pem, privateKey: key)), "a client identity"),
                (ServerTrustPolicy(minimumTLSVersion: .tls13), "a newer minimum version of TLS"),
            ]
        }()

        @Test("a trust policy is refused when the transport is created, never ignored", arguments: policies.indices)
        func refusesPolicies(_ index: Int) throws {
            let (policy, part) = Self.policies[index]
            let error = #expect(throws: TransportError.self) { try URLSessionTransport(trust: policy) }
            expectEqual(error?.kind, .request)
            let text = error?.description ?? ""
            #expect(text.contains("would not enforce \(part) of the trust policy"))
            #expect(text.contains("Use CurlTransport"))
        }

        @Test("the system's policy is supported, and a malformed policy is refused as malformed")
        func systemPolicy() throws {
            try expectEqual(URLSessionTransport(trust: .system).capabilities, [])
            expectEqual(URLSessionTransport().capabilities, [])
            let malformed = ServerTrustPolicy(pins: ["a.example": ["abc"]])
            let error = #expect(throws: TransportError.self) { try URLSessionTransport(trust: malformed) }
            #expect(error?.description.contains("is not a SHA-256 hash") == true)
        }

        @Test("an IPv6 address as the host is refused with a remedy", arguments: ["[::1]", "[fe80::1%25lo]:8080"])
        func addresses(_ host: String) async throws {
            let url = try #require(URL(string: "http://\(host)/"))
            let result = try await URLSessionTransport().exchange(TransportRequest(method: .get, url: url))
            let error = try #require(result.error)
            expectEqual(result.outcomes.count, 1)
            expectEqual(MoyaError.underlying(error, nil).kind, .request)
            #expect(error.localizedDescription.contains("Use CurlTransport, or a name for that address"))
        }

        @Test("a header field in Latin-1 is a failure with a specific text")
        func latin1() async throws {
            let head = "HTTP/1.1 200 OK\r\nX-Name: J\u{fc}rgen\r\nContent-Length: 0\r\n\r\n"
            let bytes = head.unicodeScalars.map { UInt8($0.value) }
            let server = try LoopbackServer { _ in LoopbackReply([.send(Data(bytes))]) }
            defer { server.stop() }
            let result = try await URLSessionTransport().exchange(TransportRequest(method: .get, url: server.url))
            expectEqual(
                result.error?.code, .cannotParseResponse, "\(String(describing: result.error?.localizedDescription))")
            expectEqual(result.outcomes.count, 1)
        }
    }
#else
    /// Trust policies with URLSession on Apple platforms.
    @Suite(.queued, .timeLimit(.minutes(10))) struct URLSessionTrustTests {
        @Test("authorities, pins and a newer version of TLS are accepted, and are capabilities")
        func takes() throws {
            let authority = Data(Fixture.all[0].text.utf8)
            let policy = ServerTrustPolicy(
                authorities: [authority], trustsSystemAuthorities: false, pins: ["a.example": [Fixture.all[0].pin]],
                minimumTLSVersion: .tls13)
            let transport = try URLSessionTransport(trust: policy)
            expectEqual(transport.capabilities, [.metrics, .customAuthorities, .pinning])
        }

        @Test("an invalid certificate, or an identity in PEM, is refused when the transport is created")
        func refuses() {
            let pem = Data("-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n".utf8)
            let key = Data("-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----\n".utf8)
            let policies = [
                (ServerTrustPolicy(authorities: [pem]), "is not a certificate in PEM"),
                (ServerTrustPolicy(identity: .init(certificates: pem, privateKey: key)), "SecPKCS12Import"),
            ]
            for (policy, reason) in policies {
                let error = #expect(throws: TransportError.self) { try URLSessionTransport(trust: policy) }
                #expect(error?.description.contains(reason) == true)
            }
        }
    }
#endif
