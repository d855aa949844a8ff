#if os(Linux)
    import Foundation
    import Moya
    import MoyaTesting
    import TestSupport
    import Testing

    /// Compressed content whose decoding must wait until the receiver has consumed the content before.
    @Suite(.queued, .timeLimit(.minutes(10))) struct DecodingWindowTests {
        enum Coding: String, CaseIterable {
            case gzip = "gzip"
            case gzipTwice = "gzip, gzip"
            case zstd = "zstd"

            fileprivate func encode(_ content: [Block]) -> Data {
                switch self {
                case .gzip: Encoder.gzip(content)
                case .gzipTwice: Encoder.gzip([.bytes(Encoder.gzip(content))])
                case .zstd: Encoder.zstd(content)
                }
            }
        }

        enum Framing: CaseIterable {
            case length, chunked, untilClosed

            func reply(_ content: Data, coding: Coding) -> LoopbackReply {
                let headers: HTTPHeaders = ["Content-Encoding": coding.rawValue]
                switch self {
                case .length: return .status(200, headers: headers, body: content)
                case .chunked:
                    let starts = stride(from: 0, to: content.count, by: 7001)
                    return .chunked(starts.map { content.dropFirst($0).prefix(7001) }, headers: headers)
                case .untilClosed: return LoopbackReply([.send(LoopbackReply.head(200, headers) + content), .close])
                }
            }
        }

        /// Zeros, which compress well, and bytes, which do not.
        private static let content: [Block] = (0..<6).flatMap { number in
            [.zeros(100_000 + number), .bytes(Data((0..<12_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }))]
        }

        private func start(_ server: LoopbackServer, window: Int?, on transport: CurlTransport) throws -> Exchanging {
            Exchanging(
                try TransportRequest(method: .get, url: server.url, delivery: .chunks(window: window)), on: transport)
        }

        @Test(
            "compressed content is decoded completely, and at most 32 KiB more than the window at a time",
            arguments: Coding.allCases, Framing.allCases)
        func complete(_ coding: Coding, _ framing: Framing) async throws {
            let encoded = coding.encode(Self.content)
            let plain = Self.content.reduce(Data()) { $0 + $1.decoded }
            let server = try LoopbackServer { request in
                let isOffered = request.headers["Accept-Encoding"]?.contains(coding.rawValue.prefix(4)) == true
                return isOffered ? framing.reply(encoded, coding: coding) : .status(406)
            }
            defer { server.stop() }
            let transport = try CurlTransport(proxy: .direct, threads: 1)
            for window in [1, 5000, 65_536, nil] {
                let exchanging = try start(server, window: window, on: transport)
                var (acknowledged, most) = (0, 0)
                while !exchanging.outcome.isFulfilled {
                    let received = exchanging.events.value.received
                    most = max(most, received - acknowledged)
                    exchanging.acknowledge(received - acknowledged)
                    acknowledged = received
                    await Task.yield()
                }
                let result = try await exchanging.finished()
                if result.head?.statusCode == 406 { return }
                #expect(result.error == nil)
                #expect(result.content == plain, "\(result.received) of \(plain.count) bytes, window \(window ?? -1)")
                if let window { #expect(most <= window + 32_768) }
            }
        }

        @Test(
            "content that is decoded to much more is delivered bit by bit without a window, too",
            arguments: [true, false])
        func parts(_ isWhole: Bool) async throws {
            let encoded = Coding.gzip.encode([.zeros(20_000_000)])
            let server = try LoopbackServer { _ in Framing.length.reply(encoded, coding: .gzip) }
            defer { server.stop() }
            let lengths = Box<[Int]>([])
            let end = Promise<Void>()
            let request = try TransportRequest(
                method: .get, url: server.url, delivery: isWhole ? .whole : .chunks(window: nil))
            _ = try CurlTransport(proxy: .direct).start(request) { events in
                lengths.change { $0.append(events.length) }
                if events.outcome != nil { end.fulfill(()) }
            }
            _ = try await end.value()
            expectEqual(lengths.value.reduce(0, +), 20_000_000)
            // Each delivery shows the provider that the exchange is alive.
            #expect(lengths.value.count > 10)
            if !isWhole { #expect(lengths.value.allSatisfy { $0 < 1_200_000 }) }
        }

        @Test(
            "a decompression bomb fills the window at most, and does not delay other exchanges",
            arguments: Coding.allCases)
        func bomb(_ coding: Coding) async throws {
            let window = 65_536
            let encoded = coding.encode([.zeros(3_000_000)])
            let server = try LoopbackServer { request in
                request.headers["Accept-Encoding"]?.contains(coding.rawValue.prefix(4)) == true
                    ? Framing.length.reply(encoded, coding: coding) : .text("small")
            }
            defer { server.stop() }
            let transport = try CurlTransport(proxy: .direct, threads: 1)
            let exchanging = try start(server, window: window, on: transport)
            try await exchanging.hasHead.value()
            if exchanging.events.value.head?.headers["Content-Encoding"] == nil { return }
            try await until { exchanging.events.value.received >= window }
            let request = try TransportRequest(method: .get, url: server.url, headers: ["Accept-Encoding": "identity"])
            for _ in 0..<3 { try await expectEqual(transport.exchange(request).text, "small") }
            #expect(!exchanging.outcome.isFulfilled)
            let received = exchanging.events.value.received
            #expect(received <= window + 32_768, "\(received) bytes")
            exchanging.cancel()
            try await expectEqual(exchanging.finished().error?.code, .cancelled)
        }
    }

    /// A part of content that the encoders of these tests write as one block or more.
    private enum Block: Sendable {
        case zeros(Int)
        case bytes(Data)

        var decoded: Data {
            switch self {
            case .zeros(let count): Data(count: count)
            case .bytes(let data): data
            }
        }
    }

    /// Encoders that expand their content at most by a few bytes, and compress zeros only.
    private enum Encoder {
        // RFC 8878, section 3.1.1: a frame with a window of 128 KiB, which is the maximum size of a block.
        static func zstd(_ content: [Block]) -> Data {
            var frame = Data([0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3])
            for block in content {
                switch block {
                case .zeros(let count):
                    for start in stride(from: 0, to: count, by: 131_072) {
                        frame += bytes(min(131_072, count - start) << 3 | 1 << 1, 3) + [0]
                    }
                case .bytes(let data): frame += bytes(data.count << 3, 3) + data
                }
            }
            return frame + [1, 0, 0]
        }

        // RFC 1951 and 1952: a member of stored blocks, and of blocks with fixed codes.
        static func gzip(_ content: [Block]) -> Data {
            var (member, bits) = (Data([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]), 0)
            func write(_ text: String) {
                for bit in text {
                    if bits % 8 == 0 { member.append(0) }
                    if bit == "1" { member[member.count - 1] |= 1 << (bits % 8) }
                    bits += 1
                }
            }
            func store(_ data: Data, isLast: Bool) {
                write(isLast ? "100" : "000")
                bits = 0
                member += bytes(data.count, 2) + bytes(~data.count, 2) + data
            }
            for block in content {
                switch block {
                case .zeros(let count):
                    // Literals, then matches of the length 258 and the distance 1.
                    write("010" + String(repeating: "00110000", count: 1 + (count - 1) % 258))
                    for _ in 0..<(count - 1) / 258 { write("1100010100000") }
                    write("0000000")
                case .bytes(let data):
                    for start in stride(from: 0, to: data.count, by: 65_535) {
                        store(data.dropFirst(start).prefix(65_535), isLast: false)
                    }
                }
            }
            store(Data(), isLast: true)
            let decoded = content.reduce(Data()) { $0 + $1.decoded }
            return member + bytes(checksum(decoded), 4) + bytes(decoded.count, 4)
        }

        private static func bytes(_ number: Int, _ count: Int) -> Data {
            Data((0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
        }

        // RFC 1952, section 8.
        private static func checksum(_ data: Data) -> Int {
            let table = (0..<256).map { (0..<8).reduce($0) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xedb8_8320 : 0) } }
            return data.reduce(0xffff_ffff) { table[($0 ^ Int($1)) & 255] ^ $0 >> 8 } ^ 0xffff_ffff
        }
    }
#endif
