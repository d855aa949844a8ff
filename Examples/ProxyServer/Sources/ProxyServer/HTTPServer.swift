import NIOCore
import NIOHTTP1
import NIOPosix

/// An HTTP/1.1 server with one route.
struct HTTPServer: Sendable {
    private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    private let listener: NIOAsyncChannel<Connection, Never>
    private let route: ArchiveRoute

    /// Opens a port on the loopback interface.
    ///
    /// - Parameter port: the port; 0 for a free one.
    init(port: Int, route: ArchiveRoute) async throws {
        self.route = route
        listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
    }

    var port: Int { listener.channel.localAddress?.port ?? 0 }

    /// Accepts connections until the task is cancelled.
    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            try await listener.executeThenClose { connections in
                for try await connection in connections {
                    group.addTask { await serve(connection) }
                }
            }
        }
    }

    /// Responds to the requests of a connection until it is closed.
    ///
    /// The task that responds is cancelled when the client closes the connection, and with it the request to GitHub.
    private func serve(_ connection: Connection) async {
        await withTaskGroup { group in
            group.addTask { try? await respond(on: connection) }
            group.addTask { try? await connection.channel.closeFuture.get() }
            _ = await group.next()
            group.cancelAll()
        }
    }

    private func respond(on connection: Connection) async throws {
        try await connection.executeThenClose { requests, writer in
            for try await part in requests {
                guard case .head(let request) = part else { continue }
                try await route.respond(to: request, on: writer)
                if !request.isKeepAlive { return }
            }
        }
    }
}
