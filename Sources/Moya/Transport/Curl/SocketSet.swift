#if os(Linux)
    import CCurl
    import Foundation

    /// Wakes a thread that waits for sockets.
    final class Bell: Sendable {
        let descriptor: Int32

        init() throws(MoyaError) {
            descriptor = cepoll_bell_create()
            guard descriptor >= 0 else { throw .system("eventfd") }
        }

        deinit { close(descriptor) }

        func ring() { cepoll_bell_signal(descriptor) }

        func silence() { cepoll_bell_clear(descriptor) }
    }

    /// The sockets that are waited for, by one thread.
    final class SocketSet {
        private let descriptor: Int32
        private var registered: [Int32: UInt8] = [:]
        private var buffer = [cepoll_ready](repeating: cepoll_ready(), count: 64)

        /// A set belongs to its thread; its descriptor, which may be refused, is made before.
        static func makeDescriptor() throws(MoyaError) -> Int32 {
            let descriptor = cepoll_create()
            guard descriptor >= 0 else { throw .system("epoll_create1") }
            return descriptor
        }

        init(descriptor: Int32) {
            self.descriptor = descriptor
        }

        deinit { close(descriptor) }

        func watch(_ socket: Int32, reading: Bool, writing: Bool) {
            let wish: UInt8 = (reading ? 1 : 0) | (writing ? 2 : 0)
            guard registered[socket] != wish else { return }
            cepoll_watch(descriptor, socket, reading ? 1 : 0, writing ? 1 : 0)
            registered[socket] = wish
        }

        func forget(_ socket: Int32) {
            guard registered.removeValue(forKey: socket) != nil else { return }
            cepoll_forget(descriptor, socket)
        }

        /// Waits until a socket is ready or the time, in milliseconds, has passed; for ever if negative.
        func wait(_ milliseconds: Int32) -> ArraySlice<cepoll_ready> {
            // SAFETY: the buffer has as many elements as it says.
            let count = unsafe cepoll_wait(descriptor, &buffer, Int32(buffer.count), milliseconds)
            return buffer.prefix(max(Int(count), 0))
        }
    }

    extension MoyaError {
        fileprivate static func system(_ call: String) -> MoyaError {
            let info = [NSDebugDescriptionErrorKey: call]
            return .underlying(NSError(domain: NSPOSIXErrorDomain, code: Int(errno), userInfo: info), nil)
        }
    }
#endif
