#if os(Linux)
    import CMoyaCurl
    import Foundation

    // The connections of a transport that were opened for other protocols, on a thread of their own. They have no part
    // in the limits of connections for requests.
    final class CurlConnectionLoop {
        enum Command: Sendable {
            case open(CurlConnection)
            case send(CurlConnection)
            case acknowledge(CurlConnection, Int)
            case cancel(CurlConnection)
            case stop
        }

        private let queue: CommandQueue<Command>
        private let settings: CurlSettings
        private let sockets: SocketSet
        private let multi: MultiHandle
        private var isStopped = false
        private var byConnection: [ObjectIdentifier: CurlSocket] = [:]
        private var connecting: [UInt: CurlSocket] = [:]
        private var byDescriptor: [Int32: CurlSocket] = [:]
        private var commands: [Command] = []
        private var buffer = [UInt8](repeating: 0, count: 64 << 10)

        static func start(_ settings: CurlSettings) throws(TransportError) -> CommandQueue<Command> {
            let queue = try CommandQueue<Command>()
            Thread {
                // SAFETY: the function copies the string.
                unsafe cepoll_begin_thread("moya.curl.ws")
                CurlConnectionLoop(queue, settings).run()
            }.start()
            return queue
        }

        private init(_ queue: CommandQueue<Command>, _ settings: CurlSettings) {
            self.queue = queue
            sockets = SocketSet(queue.epoll)
            self.settings = settings
            multi = MultiHandle(sockets)
        }

        private func run() {
            while !isStopped {
                sockets.wait(multi.timeout(queue)) { ready in
                    if let socket = byDescriptor[ready.descriptor] { advance(socket) } else { multi.process(ready) }
                }
                finishConnecting()
                queue.take(into: &commands)
                for command in commands { execute(command) }
                commands.removeAll(keepingCapacity: true)
                if multi.processTimers() { finishConnecting() }
            }
            multi.cleanUp()
        }

        private func execute(_ command: Command) {
            switch command {
            case .open(let connection): open(connection)
            case .send(let connection):
                if let socket = byConnection[ObjectIdentifier(connection)] { advance(socket, reading: false) }
            case .acknowledge(let connection, let bytes):
                guard let socket = byConnection[ObjectIdentifier(connection)], socket.acknowledge(bytes) else { break }
                advance(socket)
            case .cancel(let connection):
                guard let socket = byConnection[ObjectIdentifier(connection)] else { break }
                end(socket, .ended(URLError(.cancelled)))
            case .stop:
                isStopped = true
                for socket in byConnection.values { end(socket, .ended(.transportWasShutDown)) }
                for case .open(let connection) in queue.close() { connection.receive(.ended(.transportWasShutDown)) }
            }
        }

        private func open(_ connection: CurlConnection) {
            guard !connection.isCancelled else { return connection.receive(.ended(URLError(.cancelled))) }
            guard !isStopped else { return connection.receive(.ended(.transportWasShutDown)) }
            guard let socket = CurlSocket(connection, settings, sockets) else {
                return connection.receive(.ended(.outOfMemory(connection.request)))
            }
            guard socket.configure(), multi.add(socket.easy) else {
                let reason = "libcurl does not accept the trust policy"
                let error = URLError(.secureConnectionFailed, .tlsHandshake, connection.request.url, reason)
                return connection.receive(.ended(error))
            }
            byConnection[ObjectIdentifier(connection)] = socket
            connecting[socket.easy.id] = socket
        }

        private func finishConnecting() {
            while let (id, _, code) = multi.nextFinished() {
                guard let socket = connecting.removeValue(forKey: id) else { continue }
                guard code == 0, let descriptor = socket.open() else {
                    end(socket, .ended(socket.failure(code == 0 ? Int32(CCURLE_COULDNT_CONNECT) : code)))
                    continue
                }
                byDescriptor[descriptor] = socket
                socket.connection.receive(.opened(socket.connection))
                advance(socket)
            }
        }

        private func advance(_ socket: CurlSocket, reading: Bool = true) {
            if let last = socket.advance(reading: reading, &buffer) { end(socket, last) }
        }

        private func end(_ socket: CurlSocket, _ last: ConnectionEvent) {
            byConnection[ObjectIdentifier(socket.connection)] = nil
            connecting[socket.easy.id] = nil
            if let descriptor = socket.descriptor { byDescriptor[descriptor] = nil }
            socket.stop()
            multi.remove(socket.easy)
            socket.connection.receive(last)
        }
    }
#endif
