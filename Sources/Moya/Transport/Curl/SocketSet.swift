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
    }

    /// The sockets that are waited for, by one thread.
    ///
    /// A connection that is kept for later stays registered: the next transfer on it wants the same again, and two calls of
    /// the system are saved. That is safe for sockets that are opened and closed here alone; if such a one stirs while nobody
    /// waits for it, it is taken out.
    final class SocketSet {
        private struct Entry {
            /// What it is registered for: 1 reading, 2 writing; 0: it is not.
            var wish: UInt8 = 0
            /// Opened here.
            var isOwn = false
            var isAwaited = false
        }

        private let descriptor: Int32
        /// By descriptor.
        private var entries: [Entry] = []
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

        private func change(_ socket: Int32, _ change: (inout Entry) -> Void) {
            guard socket >= 0 else { return }
            let missing = Int(socket) + 1 - entries.count
            if missing > 0 { entries += Array(repeating: Entry(), count: max(missing, 64)) }
            change(&entries[Int(socket)])
        }

        /// A socket was opened that ``shut(_:)`` closes.
        func opened(_ socket: Int32) {
            change(socket) { $0 = Entry(isOwn: true) }
        }

        func shut(_ socket: Int32) {
            change(socket) { entry in
                if entry.wish != 0 { cepoll_forget(descriptor, socket) }
                entry = Entry()
            }
            close(socket)
        }

        /// Stops waiting each time that it is rung.
        func watch(_ bell: Bell) {
            cepoll_watch_bell(descriptor, bell.descriptor)
        }

        func watch(_ socket: Int32, reading: Bool, writing: Bool) {
            let wish: UInt8 = (reading ? 1 : 0) | (writing ? 2 : 0)
            change(socket) { entry in
                entry.isAwaited = true
                guard entry.wish != wish else { return }
                cepoll_watch(descriptor, socket, reading ? 1 : 0, writing ? 1 : 0)
                entry.wish = wish
            }
        }

        func forget(_ socket: Int32) {
            change(socket) { entry in
                entry.isAwaited = false
                // The number of another's socket may come back without a word.
                if !entry.isOwn { takeOut(socket, &entry) }
            }
        }

        private func takeOut(_ socket: Int32, _ entry: inout Entry) {
            guard entry.wish != 0 else { return }
            cepoll_forget(descriptor, socket)
            entry.wish = 0
        }

        /// Waits until a socket is ready or the time, in milliseconds, has passed; for ever if negative.
        func wait(_ milliseconds: Int32, _ act: (cepoll_ready) -> Void) {
            // SAFETY: the buffer has as many elements as it says.
            let count = unsafe cepoll_wait(descriptor, &buffer, Int32(buffer.count), milliseconds)
            for index in 0..<max(Int(count), 0) {
                let ready = buffer[index]
                var isAwaited = false
                change(ready.descriptor) { entry in
                    isAwaited = entry.isAwaited
                    if !isAwaited { takeOut(ready.descriptor, &entry) }
                }
                if isAwaited { act(ready) }
            }
        }
    }

    extension MoyaError {
        fileprivate static func system(_ call: String) -> MoyaError {
            let info = [NSDebugDescriptionErrorKey: call]
            return .underlying(NSError(domain: NSPOSIXErrorDomain, code: Int(errno), userInfo: info), nil)
        }
    }
#endif
