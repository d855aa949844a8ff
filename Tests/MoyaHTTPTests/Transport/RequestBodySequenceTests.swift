import Dispatch
import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

/// Content from an async sequence, on all transports.
@Suite(.queued, .timeLimit(.minutes(10))) struct RequestBodySequenceTests {
    static let streaming = TransportKind.allCases.filter {
        (try? $0.make().capabilities.contains(.streamsRequestContent)) == true
    }

    private func send(
        _ body: RequestBody, to server: LoopbackServer, _ kind: TransportKind, method: HTTPMethod = .post,
        delivery: TransportRequest.Delivery = .whole
    ) throws -> Exchanging {
        let request = try TransportRequest(method: method, url: server.url, body: body, delivery: delivery)
        return Exchanging(request, on: try kind.make())
    }

    /// Chunks with the given texts; an empty text is an empty chunk.
    private func texts(_ texts: String...) -> AsyncStream<Data> {
        AsyncStream { continuation in
            for text in texts { continuation.yield(Data(text.utf8)) }
            continuation.finish()
        }
    }

    @Test("7a-2: content arrives completely, with its length or in chunks", arguments: TransportKind.allCases)
    func arrives(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        for length in [nil, 6] as [Int64?] {
            let result = try await send(.stream(length: length) { texts("ab", "", "c", "def") }, to: server, kind)
                .finished()
            #expect(result.error == nil)
            expectEqual(result.text, "abcdef")
            if kind != .urlSession || length != nil {
                expectEqual(server.requests.last?.headers["Content-Length"], length.map { "\($0)" })
            }
        }
        let empty = try await send(.stream { texts() }, to: server, kind).finished()
        #expect(empty.error == nil)
        #expect(empty.content.isEmpty)
    }

    @Test("7a-2: other content than was declared is an error, not a request", arguments: TransportKind.allCases)
    func length(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        for length in [0, 5, 7] as [Int64] {
            let result = try await send(.stream(length: length) { texts("abc", "def") }, to: server, kind).finished()
            expectEqual(result.error?.code, .requestBodyStreamExhausted, "\(length)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test("7a-1: the sequence is asked for a chunk only when the connection takes it", arguments: streaming)
    func backpressure(_ kind: TransportKind) async throws {
        let (chunk, count) = (Data(repeating: 7, count: 1 << 16), 1024)
        let produced = Box(0)
        let ahead = Box(0)
        let server = try LoopbackServer(beforeContent: { _ in
            LoopbackReply([
                .run { connection in
                    var received = 0
                    // Nothing is read until the sequence is not asked any more.
                    var (last, equal) = (0, 0)
                    while equal < 50 {
                        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(2))
                        equal = produced.value == last && last > 0 ? equal + 1 : 0
                        last = produced.value
                    }
                    ahead.value = last
                    while received < chunk.count * count, let bytes = connection.read() { received += bytes.count }
                }, .respond(status: 200, headers: ["Connection": "close"], body: Data("done".utf8)),
            ])
        }) { _ in .status(404) }
        defer { server.stop() }
        let chunks = AsyncStream<Data> {
            guard produced.value < chunk.count * count else { return nil }
            produced.change { $0 += chunk.count }
            return chunk
        }
        let body = RequestBody.stream(once: chunks, length: Int64(chunk.count * count))
        let result = try await send(body, to: server, kind).finished()
        #expect(result.error == nil)
        expectEqual(result.text, "done")
        expectEqual(result.bytesSent, Int64(chunk.count * count))
        // What the system buffers on both sides of a loopback connection.
        #expect(ahead.value < 24 << 20)
        expectEqual(produced.value, chunk.count * count)
    }

    @Test("7a-3: an error of the sequence is the error of the request", arguments: TransportKind.allCases)
    func fails(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        let transport = try kind.make()
        let chunks = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data("abc".utf8))
            continuation.finish(throwing: Failure(id: 7))
        }
        @Sendable func open() throws -> AsyncStream<Data> { throw Failure(id: 7) }
        for body in [RequestBody.stream(once: chunks), .stream { try open() }] {
            let request = try TransportRequest(method: .post, url: server.url, body: body)
            let result = try await transport.exchange(request)
            expectEqual(result.error?.code, .requestBodyStreamExhausted)
            expectEqual(result.error?.userInfo[NSUnderlyingErrorKey] as? Failure, Failure(id: 7))
        }
        // The connection with half of a request is not used again.
        let next = try TransportRequest(method: .post, url: server.url, body: .data(Data("next".utf8)))
        try await expectEqual(transport.exchange(next).text, "next")
        expectEqual(server.requests.map(\.body), [Data("next".utf8)])
    }

    @Test("7a-4: an early final response stops the sequence", arguments: streaming, [413, 401, 503])
    func earlyResponse(_ kind: TransportKind, _ status: Int) async throws {
        let server = try LoopbackServer(beforeContent: { _ in .status(status, body: Data("no".utf8)) }) {
            _ in .status(404)
        }
        defer { server.stop() }
        let chunks = Endless()
        let result = try await send(.stream(once: chunks), to: server, kind).finished()
        #expect(result.error == nil)
        expectEqual(result.head?.statusCode, status)
        expectEqual(result.text, "no")
        try await chunks.isStopped.value()
    }

    @Test("7a-9: a complete response ends the exchange while the sequence is silent", arguments: streaming)
    func completeResponse(_ kind: TransportKind) async throws {
        for body in ["", "enough"] {
            let server = try LoopbackServer(beforeContent: { _ in
                LoopbackReply([.respond(status: 200, headers: [:], body: Data(body.utf8)), .run { _ = $0.read() }])
            }) { _ in .status(404) }
            defer { server.stop() }
            for first in [Data("x".utf8), nil] {
                let chunks = Endless(first: first)
                let result = try await send(.stream(once: chunks), to: server, kind).finished()
                #expect(result.error == nil)
                expectEqual(result.text, body)
                try await chunks.isStopped.value()
            }
            try await until { server.connectionCount == 0 }
        }
    }

    @Test("7a-5: a cancel of the request stops the sequence", arguments: TransportKind.allCases)
    func cancel(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        let chunks = Endless()
        let hasBegun = Promise<Void>()
        let body = RequestBody.stream {
            hasBegun.fulfill(())
            return chunks
        }
        let exchange = try send(body, to: server, kind)
        try await hasBegun.value()
        exchange.cancel()
        try await expectEqual(exchange.finished().error?.code, .cancelled)
        try await chunks.isStopped.value()
        #expect(server.requests.isEmpty)
    }

    @Test("7a-8: the response arrives while the content is being sent", arguments: streaming)
    func duplex(_ kind: TransportKind) async throws {
        let server = try LoopbackServer(beforeContent: { _ in
            LoopbackReply([
                .send(LoopbackReply.head(200, ["Connection": "close"])),
                .run { connection in
                    // Sends what arrives back, with the framing of the chunks, until the last chunk.
                    while let bytes = connection.read() {
                        connection.write(bytes)
                        if bytes.suffix(5) == Data("0\r\n\r\n".utf8) { break }
                    }
                },
            ])
        }) { _ in .status(404) }
        defer { server.stop() }
        let (chunks, input) = AsyncStream<Data>.makeStream()
        let exchange = try send(.stream(once: chunks), to: server, kind, delivery: .chunks(window: nil))
        for number in 1...3 {
            input.yield(Data("message \(number);".utf8))
            try await until { exchange.events.value.text.contains("message \(number);") }
        }
        input.finish()
        let result = try await exchange.finished()
        #expect(result.error == nil)
        expectEqual(result.head?.statusCode, 200)
    }

    /// Reads a byte: at once if the sequence was fast, and otherwise after the reader has asked to be read again.
    private func part(of reader: inout any BodyReader, after resumed: Promise<Void>) async throws -> BodyPart {
        let part = try reader.read(upTo: 1)
        guard case .pending = part else { return part }
        try await resumed.value()
        return try reader.read(upTo: 1)
    }

    @Test("content that can be read once is not read twice, but may be opened again before the first read")
    func once() async throws {
        let body = RequestBody.stream(once: texts("a"))
        _ = try body.open {}
        let hasMore = Promise<Void>()
        var reader = try body.open { hasMore.fulfill(()) }
        _ = try await part(of: &reader, after: hasMore)
        let isRefused = Promise<Void>()
        var other = try body.open { isRefused.fulfill(()) }
        let error = await #expect(throws: URLError.self) { try await part(of: &other, after: isRefused) }
        #expect(error?.localizedDescription.hasPrefix("the content can be read only once") == true)
    }

    @Test("dropping the reader stops the sequence, before and after its first chunk")
    func dropped() async throws {
        for isRead in [true, false] {
            let chunks = Endless()
            let body = RequestBody.stream { chunks }
            let hasMore = Promise<Void>()
            do {
                var reader = try body.open { hasMore.fulfill(()) }
                if isRead {
                    let isChunk = if case .data = try await part(of: &reader, after: hasMore) { true } else { false }
                    #expect(isChunk)
                }
            }
            if isRead { try await chunks.isStopped.value() } else { #expect(!chunks.isStopped.isFulfilled) }
        }
    }

    @Test("dropping the reader while a chunk is being made ends the stream that the chunks are made of")
    func droppedInTransform() async throws {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let (isStopped, isAsked, isMade) = (Promise<Void>(), Promise<Void>(), Promise<Void>())
        continuation.onTermination = { _ in isStopped.fulfill(()) }
        continuation.yield(1)
        let body = RequestBody.stream {
            stream.map { number in
                isAsked.fulfill(())
                try? await isMade.value()
                return Data("\(number)".utf8)
            }
        }
        do {
            var reader = try body.open {}
            _ = try reader.read(upTo: 1)
            try await isAsked.value()
        }
        isMade.fulfill(())
        try await isStopped.value()
        withExtendedLifetime(stream) {}
    }

    @Test("chunks are read in parts of any size")
    func parts() async throws {
        for size in 1...7 {
            let body = RequestBody.stream { texts("abc", "defg", "h") }
            let more = Box(0)
            var reader = try body.open { more.change { $0 += 1 } }
            var (read, waits) = ("", 0)
            reading: while true {
                switch try reader.read(upTo: size) {
                case .data(let data):
                    #expect(data.count <= size)
                    read += String(decoding: data, as: UTF8.self)
                case .pending:
                    waits += 1
                    let expected = waits
                    try await until { more.value == expected }
                case .end: break reading
                }
            }
            expectEqual(read, "abcdefgh")
        }
    }
}

/// A sequence of one chunk, or of none, that never ends by itself.
private struct Endless: AsyncSequence, Sendable {
    var first: Data? = Data("x".utf8)
    /// Fulfilled when nothing iterates over the sequence any more.
    let isStopped = Promise<Void>()

    func makeAsyncIterator() -> Iterator { Iterator(first: first, end: End(isStopped: isStopped)) }

    struct Iterator: AsyncIteratorProtocol {
        var first: Data?
        let end: End

        mutating func next() async -> Data? {
            if let first = first.take() { return first }
            let isCancelled = Promise<Void>()
            await withTaskCancellationHandler {
                try? await isCancelled.value(within: .seconds(300))
            } onCancel: {
                isCancelled.fulfill(())
            }
            return nil
        }
    }

    final class End: Sendable {
        let isStopped: Promise<Void>

        init(isStopped: Promise<Void>) {
            self.isStopped = isStopped
        }

        deinit { isStopped.fulfill(()) }
    }
}
