import Foundation
import Moya
import NIOCore
import NIOPosix
import Synchronization

/// A server that refuses a request after its first bytes, and reads no more.
struct HastyServer {
    private final class Refusal: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let text = "HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 8\r\n\r\ntoo much"
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            _ = context.channel.setOption(.autoRead, value: false)
        }
    }

    let url: URL
    private let channel: any Channel

    static func started() async throws -> HastyServer {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Refusal()) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let port = channel.localAddress?.port, let url = URL(string: "http://127.0.0.1:\(port)") else {
            throw URLError(.badURL)
        }
        return HastyServer(url: url, channel: channel)
    }

    func stop() async throws {
        try await channel.close()
    }
}

/// Creates endless readers, and records whether they are released.
final class Readers: Sendable {
    private struct Endless: BodyReader {
        let life: Life
        let givesOnce: Bool
        var hasGiven = false

        mutating func read(upTo count: Int) -> BodyPart {
            if givesOnce, hasGiven { return .pending }
            hasGiven = true
            return .data(Data(count: count))
        }
    }

    private final class Life: Sendable {
        let readers: Readers

        init(_ readers: Readers) {
            self.readers = readers
            readers.count.add(1, ordering: .relaxed)
        }

        deinit { readers.count.subtract(1, ordering: .relaxed) }
    }

    private let count = Atomic(0)

    /// - Parameter once: whether the reader returns one part and is pending from then on.
    func make(once: Bool = false) -> any BodyReader { Endless(life: Life(self), givesOnce: once) }

    /// Waits, with a time limit, until all readers are released.
    func areReleased() async -> Bool {
        let start = ContinuousClock.now
        while count.load(ordering: .relaxed) > 0 {
            guard ContinuousClock.now - start < .seconds(60) else { return false }
            await withCheckedContinuation { continuation in
                DispatchScheduler.background.schedule(after: .milliseconds(1)) { continuation.resume() }
            }
        }
        return true
    }
}
