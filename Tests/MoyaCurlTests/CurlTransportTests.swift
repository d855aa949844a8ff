#if os(Linux)
    import Foundation
    import Moya
    @testable import MoyaCurl
    import MoyaTesting
    import TestSupport
    import Testing

    @Suite(.serialized, .queued, .timeLimit(.minutes(10))) struct CurlTransportTests {
        private static func descriptors() -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
        }

        private static func residentKilobytes() -> Int {
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
            return Int(line.filter(\.isNumber)) ?? 0
        }

        @Test("5,000 requests with random cancels have one outcome each and leak nothing")
        func randomCancels() async throws {
            let server = try LoopbackServer { request in
                switch Int(request.query ?? "").map({ $0 % 5 }) {
                case 0: .text("quick")
                case 1: .status(200, body: Data(repeating: 7, count: 100_000))
                case 2:
                    LoopbackReply([
                        .wait(.milliseconds(2)), .respond(status: 200, headers: [:], body: Data("late".utf8)),
                    ])
                case 3:
                    LoopbackReply([
                        .send(LoopbackReply.head(200, ["Content-Length": "9"])), .wait(.milliseconds(1)), .reset,
                    ])
                default: .chunked([Data("a".utf8), Data("b".utf8)], every: .milliseconds(1))
                }
            }
            let before = Self.descriptors()
            let transport = Box<CurlTransport?>(try CurlTransport())
            var generator = SeededGenerator(seed: 20261121)
            func round(_ count: Int) async throws -> [Exchanged] {
                var running: [Exchanging] = []
                var finished: [Exchanged] = []
                for number in 0..<count {
                    let url = try #require(URL(string: "\(server.url)/?\(number)"))
                    let delivery: TransportRequest.Delivery = number.isMultiple(of: 2) ? .whole : .chunks(window: nil)
                    let exchanging = Exchanging(
                        try TransportRequest(method: .get, url: url, delivery: delivery),
                        on: try #require(transport.value))
                    running.append(exchanging)
                    if generator.next() % 2 == 0 {
                        let delay = Duration.microseconds(Int(generator.next() % 4000))
                        (DispatchScheduler.background as any Scheduler).schedule(after: delay) { exchanging.cancel() }
                    }
                    if running.count == 64 {
                        finished.append(try await running.removeFirst().finished().withoutContent)
                    }
                }
                for exchanging in running { finished.append(try await exchanging.finished().withoutContent) }
                return finished
            }
            _ = try await round(1000)
            var memory = Self.residentKilobytes()
            let results = try await round(manyTimes / 10)
            var growth = Self.residentKilobytes() - memory
            // The memory of the process includes other tests, which use a limited amount; a leak would add 200 MB in
            // each round.
            for _ in 0..<3 where growth >= 100_000 {
                memory = Self.residentKilobytes()
                _ = try await round(manyTimes / 10)
                growth = Self.residentKilobytes() - memory
            }
            expectEqual(results.count, manyTimes / 10)
            #expect(results.allSatisfy { $0.outcomes.count == 1 && $0.eventsAfterOutcome == 0 })
            let cancelled = results.count { $0.error?.code == .cancelled }
            let lost = results.count { $0.error?.code == .networkConnectionLost }
            #expect(cancelled > manyTimes / 100)
            #expect(lost > manyTimes / 1000)
            expectEqual(results.count { $0.error != nil }, cancelled + lost)
            #expect(growth < 100_000, "resident memory grew by \(growth) KB")
            transport.value = nil
            server.stop()
            try await until { server.connectionCount == 0 }
            // Other tests open a few descriptors at the same time; a leak would be thousands.
            try await until { Self.descriptors() < before + 200 }
        }

        @Test("backpressure: the transport reads no more than the window and a chunk of content that is not consumed")
        func backpressure() async throws {
            let size = 20_000_000
            let server = try LoopbackServer { _ in .status(200, body: Data(repeating: 1, count: size)) }
            defer { server.stop() }
            let transport = try CurlTransport()
            let window = 100_000
            let exchanging = Exchanging(
                try TransportRequest(method: .get, url: server.url, delivery: .chunks(window: window)), on: transport)
            var consumed = 0
            while consumed < size {
                let before = consumed
                try await until { exchanging.events.value.received > before }
                let received = exchanging.events.value.received
                #expect(received - consumed <= window + 16_384 * 2)
                consumed = received
                exchanging.acknowledge(received - before)
            }
            try await expectEqual(exchanging.finished().received, size)
        }

        @Test("an error about a malformed head or trailers says what is wrong")
        func namesFaults() async throws {
            func fields(of length: Int, times: Int) -> String {
                String(repeating: "A: \(String(repeating: "a", count: length))\r\n", count: times) + "\r\n"
            }
            let chunks = "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n"
            let faults = [
                ("Content-Length: 1\r\nContent-Length: 2\r\n\r\n", "invalid Content-Length"),
                (fields(of: 90 << 10, times: 4), "head of the response is longer than 300 KiB"),
                (chunks + "0\r\n" + fields(of: 4000, times: 90), "trailers are longer than 300 KiB"),
                (chunks + "0\r\n" + fields(of: 5000, times: 1), "a trailer is too long"),
                (chunks + "x\r\n", "the chunks or the trailers of the response are malformed"),
            ]
            for (text, fault) in faults {
                let server = try LoopbackServer { _ in .raw("HTTP/1.1 200 OK\r\n" + text) }
                defer { server.stop() }
                let error = await #expect(throws: MoyaError.self) {
                    try await MoyaProvider<Local>(transport: try CurlTransport()).response(Local(server))
                }
                expectEqual(error?.kind, .badResponse)
                #expect(error?.description.localizedCaseInsensitiveContains(fault) == true, "\(error as Any)")
            }
        }

        @Test("a head that libcurl refuses as too long is an error about the request, or about the response")
        func namesLongHeads() async throws {
            let field = "X-Long: \(String(repeating: "a", count: 150_000))\r\n"
            let server = try LoopbackServer { _ in .raw("HTTP/1.1 200 OK\r\n\(field)\r\n") }
            defer { server.stop() }
            let provider = MoyaProvider<Local>(transport: try CurlTransport())
            let cases = [(5, 250_000, "Send fewer or shorter fields."), (1, 301_000, "Shorten it.")]
            for (count, length, advice) in cases {
                let fields = (1...count).map { ("X-Long-\($0)", String(repeating: "a", count: length)) }
                let headers = Dictionary(uniqueKeysWithValues: fields)
                let refused = await #expect(throws: MoyaError.self) {
                    try await provider.response(Local(server, headers: headers))
                }
                expectEqual(refused?.kind, .request)
                #expect(refused?.description.hasSuffix(advice) == true, "\(refused as Any)")
            }
            let long = await #expect(throws: MoyaError.self) { try await provider.response(Local(server)) }
            expectEqual(long?.kind, .badResponse)
            #expect(long?.description.contains("header field of the response is longer") == true, "\(long as Any)")
        }

        @Test("trailers and metrics are reported")
        func trailersAndMetrics() async throws {
            let server = try LoopbackServer { _ in .chunked([Data("a".utf8)], trailers: ["X-Check": "sum"]) }
            defer { server.stop() }
            let result = try await CurlTransport().exchange(TransportRequest(method: .get, url: server.url))
            let outcome = try #require(result.outcomes.first)
            expectEqual(outcome.trailers["x-check"], "sum")
            #expect(outcome.metrics.isReusedConnection == false)
            let first = try #require(outcome.metrics.firstByte)
            let total = try #require(outcome.metrics.total)
            #expect(first <= total)
        }

        @Test("a stream of unknown length is sent in chunks, and may pause")
        func streamedContent() async throws {
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let body = RequestBody.stream(length: nil) { resume in PausingReader(resume: resume) }
            let result = try await CurlTransport().exchange(
                TransportRequest(method: .post, url: server.url, body: body, delivery: .chunks(window: nil)))
            expectEqual(result.text, "part 0, part 1, part 2, ")
            expectEqual(server.requests.first?.headers["Transfer-Encoding"], "chunked")
            expectEqual(result.bytesSent, 24)
        }

        @Test(
            "a stream that is longer than declared is an error, and the excess is not sent as another request",
            arguments: [0, 3] as [Int64])
        func streamLongerThanDeclared(_ length: Int64) async throws {
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let transport = try CurlTransport()
            let body = RequestBody.stream(length: length) { _ in
                TextReader("abcGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
            }
            let first = try await transport.exchange(TransportRequest(method: .put, url: server.url, body: body))
            expectEqual(first.error?.code, .requestBodyStreamExhausted)
            let underlying = first.error?.userInfo[NSUnderlyingErrorKey] as? any Error
            let words = [first.error?.localizedDescription, underlying?.localizedDescription].compactMap(\.self)
            #expect(words.contains { $0.contains("longer than the \(length) bytes") })
            let second = try await transport.exchange(
                TransportRequest(method: .get, url: server.url.appending(path: "innocent")))
            #expect(second.error == nil)
            expectEqual(server.requests.map(\.path), ["/innocent"])
        }

        @Test("a stream that is shorter than declared is an error and does not hang")
        func streamShorterThanDeclared() async throws {
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let body = RequestBody.stream(length: 10) { _ in TextReader("abc") }
            let result = try await CurlTransport().exchange(TransportRequest(method: .put, url: server.url, body: body))
            #expect(result.error?.localizedDescription.contains("ended after 3 of 10 bytes") == true)
        }

        @Test("a server that sends without pause does not delay other exchanges")
        func fairness() async throws {
            let server = try LoopbackServer { request in
                guard request.path == "/big" else { return .text("small") }
                let piece = Data(repeating: 1, count: 4_000_000)
                return LoopbackReply([
                    .send(LoopbackReply.head(200, ["Content-Length": "\(Int.max)"])),
                    .run { connection in while connection.write(piece) {} },
                ])
            }
            defer { server.stop() }
            let transport = try CurlTransport()
            let begun = Promise<Void>()
            let isOver = Box(false)
            let big = transport.start(
                try TransportRequest(
                    method: .get, url: server.url.appending(path: "big"), delivery: .chunks(window: nil))
            ) { events in
                if !events.chunks.isEmpty { begun.fulfill(()) }
                if events.outcome != nil { isOver.value = true }
            }
            try await begun.value()
            _ = try await transport.exchange(TransportRequest(method: .get, url: server.url))
            #expect(!isOver.value)
            big.cancel()
            try await until { isOver.value }
        }

        @Test("a window of zero or less delivers one chunk at a time", arguments: [0, -1])
        func smallestWindow(_ window: Int) async throws {
            let server = try LoopbackServer { _ in .status(200, body: Data(repeating: 1, count: 100_000)) }
            defer { server.stop() }
            let exchanging = Exchanging(
                try TransportRequest(method: .get, url: server.url, delivery: .chunks(window: window)),
                on: try CurlTransport())
            while !exchanging.outcome.isFulfilled {
                exchanging.acknowledge(100_000)
                await Task.yield()
            }
            try await expectEqual(exchanging.finished().received, 100_000)
        }

        @Test("a reader that fails ends the exchange with its error")
        func failingReader() async throws {
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let body = RequestBody.stream(length: 10) { _ in FailingReader() }
            let result = try await CurlTransport().exchange(
                TransportRequest(method: .post, url: server.url, body: body))
            expectEqual(result.error?.code, .requestBodyStreamExhausted)
            #expect(result.error?.localizedDescription.contains("cannot be read") == true)
        }

        @Test(
            "a request that is cancelled in the queue is not sent, with each version of libcurl",
            arguments: [nil, 0x07_56_00] as [UInt32?])
        func cancelledWhileItWaits(_ version: UInt32?) async throws {
            let isDue = Box(false)
            let server = try LoopbackServer { request in
                request.path == "/first" ? LoopbackReply.text("1").after(.waitUntil { isDue.value }) : .echo(request)
            }
            defer { server.stop() }
            let library = try CurlCapabilities(takenFor: version)
            let transport = try CurlTransport(.forTests(library, connectionsPerHost: 1))
            func start(_ path: String) throws -> Exchanging {
                Exchanging(try TransportRequest(method: .get, url: server.url.appending(path: path)), on: transport)
            }
            let first = try start("first")
            try await until { server.requests.count == 1 }
            let unwanted = try start("unwanted")
            let last = try start("last")
            unwanted.cancel()
            try await expectEqual(unwanted.finished().error?.code, .cancelled)
            isDue.value = true
            #expect(try await first.finished().error == nil)
            #expect(try await last.finished().error == nil)
            #expect(try await transport.exchange(TransportRequest(method: .get, url: server.url)).error == nil)
            expectEqual(server.requests.map(\.path), ["/first", "/last", "/"])
        }

        @Test("the deadline for connecting may be shorter than a second", arguments: [nil, 0x07_56_00] as [UInt32?])
        func connectTimeout(_ version: UInt32?) async throws {
            // `SilentNameServerTests` tests name look-ups without a response.
            let blackhole = try Blackhole()
            defer { blackhole.close() }
            let library = try CurlCapabilities(takenFor: version)
            let transport = try CurlTransport(.forTests(library, connectionsPerHost: 1))
            let result = try await transport.exchange(
                TransportRequest(method: .get, url: blackhole.url, connectTimeout: .milliseconds(150)))
            expectEqual(result.error?.code, .timedOut)
        }
    }

    private struct PausingReader: BodyReader {
        let resume: @Sendable () -> Void
        var part = 0
        var hasPaused = false

        mutating func read(upTo count: Int) -> BodyPart {
            guard part < 3 else { return .end }
            hasPaused.toggle()
            if hasPaused {
                (DispatchScheduler.background as any Scheduler).schedule(after: .milliseconds(2), resume)
                return .pending
            }
            defer { part += 1 }
            return .data(Data("part \(part), ".utf8))
        }
    }

    private struct TextReader: BodyReader {
        var text: Data

        init(_ text: String) { self.text = Data(text.utf8) }

        mutating func read(upTo count: Int) -> BodyPart {
            guard !text.isEmpty else { return .end }
            defer { text = Data(text.dropFirst(count)) }
            return .data(text.prefix(count))
        }
    }

    private struct FailingReader: BodyReader {
        func read(upTo count: Int) throws -> BodyPart { throw Failure() }
    }

    /// A port that does not complete TCP handshakes, because its queue of connections is full.
    private final class Blackhole {
        let url: URL
        private let socket: Int32
        private var fillers: [Int32] = []

        init() throws {
            socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let descriptor = socket
            unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    unsafe _ = bind(descriptor, address, size)
                    _ = listen(descriptor, 0)
                    unsafe _ = getsockname(descriptor, address, &size)
                }
            }
            let port = UInt16(bigEndian: address.sin_port)
            url = try #require(URL(string: "http://127.0.0.1:\(port)"))
            for _ in 0..<3 {
                let filler = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
                unsafe withUnsafePointer(to: &address) { pointer in
                    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                        unsafe _ = connect(filler, address, size)
                    }
                }
                fillers.append(filler)
            }
        }

        func close() {
            for descriptor in fillers + [socket] { Foundation.close(descriptor) }
        }
    }
#endif
