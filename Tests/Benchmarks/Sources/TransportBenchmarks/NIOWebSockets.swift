import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Synchronization

#if os(Linux)
    /// A WebSocket client of SwiftNIO with one thread, whose messages are sent and received by tasks.
    ///
    /// The writer of a `NIOAsyncChannel` does not limit the messages that wait for the thread: this client does, and
    /// writes all that wait at once.
    final class NIOWebSocket: Sendable {
        private struct Unsent {
            var frames: [WebSocketFrame] = []
            var size = 0
            var isFlushing = false
            var sender: CheckedContinuation<Void, Never>?
        }

        private typealias AsyncChannel = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>
        /// At this size of unsent messages, the sender waits.
        private static let window = 64 << 10

        private let channel: any Channel
        private let messages: NIOAsyncChannelInboundStream<WebSocketFrame>
        private let unsent = Mutex(Unsent())

        private init(_ channel: any Channel, _ messages: NIOAsyncChannelInboundStream<WebSocketFrame>) {
            (self.channel, self.messages) = (channel, messages)
        }

        /// Opens a socket for `body`.
        static func open<T: Sendable>(_ url: URL, _ body: (NIOWebSocket) async throws -> T) async throws -> T {
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let channel = try await connect(url, group)
            let result = try await channel.executeThenClose { messages, _ in
                try await body(NIOWebSocket(channel.channel, messages))
            }
            try await group.shutdownGracefully()
            return result
        }

        private static func connect(_ url: URL, _ group: MultiThreadedEventLoopGroup) async throws -> AsyncChannel {
            let (host, port) = (url.host ?? "", url.port ?? 80)
            let promise = group.next().makePromise(of: AsyncChannel.self)
            let upgrader = NIOWebSocketClientUpgrader(maxFrameSize: 1 << 24) { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    promise.succeed(try AsyncChannel(wrappingChannelSynchronously: channel))
                }
            }
            let upgrade: NIOHTTPClientUpgradeSendableConfiguration = ([upgrader], { _ in })
            let bootstrap = ClientBootstrap(group: group).channelInitializer { channel in
                channel.closeFuture.whenComplete { _ in promise.fail(ChannelError.eof) }
                return channel.pipeline.addHTTPClientHandlers(withClientUpgrade: upgrade)
            }
            let headers: HTTPHeaders = ["Host": "\(host):\(port)", "Sec-WebSocket-Protocol": "echo"]
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: headers)
            let channel = try await bootstrap.connect(host: host, port: port).get()
            channel.write(HTTPClientRequestPart.head(head), promise: nil)
            channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
            return try await promise.futureResult.get()
        }

        private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer) async {
            let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
            let (isFirst, mustWait) = unsent.withLock { unsent in
                unsent.frames.append(frame)
                unsent.size += data.readableBytes
                return (!exchange(&unsent.isFlushing, with: true), unsent.size >= Self.window)
            }
            if isFirst { channel.eventLoop.execute { self.flush() } }
            guard mustWait else { return }
            await withCheckedContinuation { continuation in
                unsent.withLock { unsent in
                    if unsent.isFlushing { unsent.sender = continuation }
                    return unsent.isFlushing ? nil : continuation
                }?.resume()
            }
        }

        private func flush() {
            let batch = unsent.withLock { exchange(&$0, with: Unsent(isFlushing: !$0.frames.isEmpty)) }
            batch.sender?.resume()
            guard let last = batch.frames.last else { return }
            for frame in batch.frames.dropLast() { channel.write(frame, promise: nil) }
            channel.writeAndFlush(last).whenComplete { _ in self.flush() }
        }

        /// Sends each message after the answer to the one before.
        func echo(_ size: Int, _ end: ContinuousClock.Instant) async throws -> Int {
            let message = ByteBuffer(repeating: 0, count: size)
            var (count, answers) = (0, messages.makeAsyncIterator())
            while ContinuousClock.now < end {
                await send(.binary, message)
                guard let answer = try await answers.next(), answer.length == size else {
                    throw URLError(.badServerResponse)
                }
                count += 1
            }
            return count
        }

        /// Sends messages in one task, and receives the answers in another.
        func pipelined(_ size: Int, _ end: ContinuousClock.Instant) async throws -> Int {
            let message = ByteBuffer(repeating: 0, count: size)
            let sending = Task {
                while ContinuousClock.now < end { await send(.binary, message) }
                await send(.text, ByteBuffer(string: "end"))
            }
            var count = 0
            for try await answer in messages {
                guard answer.opcode == .binary else { break }
                count += 1
            }
            await sending.value
            return count
        }
    }
#endif
