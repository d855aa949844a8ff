#if os(Linux)
    import CMoyaCurl
    import Foundation

    extension FileHandle {
        /// Closes a new descriptor with the last reference; throws the error of the call if there is no descriptor.
        convenience init(_ descriptor: Int32, of call: String) throws(TransportError) {
            guard descriptor >= 0 else {
                let info = [NSDebugDescriptionErrorKey: call]
                throw .unavailable(NSError(domain: NSPOSIXErrorDomain, code: Int(errno), userInfo: info))
            }
            self.init(fileDescriptor: descriptor, closeOnDealloc: true)
        }
    }

    // The sockets that one thread waits for with epoll. A socket that the transport has opened stays registered while
    // idle, which saves two system calls per request. libcurl may close its own sockets without calling ``close(_:)``,
    // so they're deregistered as soon as it stops waiting for them.
    final class SocketSet: CallbackContext {
        private struct Entry {
            var registered = (reading: false, writing: false)
            var isOpenedHere = false
            var isAwaited = false
        }

        private let epoll: FileHandle
        private var entries: [Entry] = []
        /// The sockets that have become readable while idle.
        private var unasked: Set<Int32> = []
        /// The ports on this machine of HTTP/2 connections, whose frames may arrive at any time.
        private var multiplexed: Set<Int> = []
        private var buffer = [cepoll_ready](repeating: cepoll_ready(), count: 64)

        init(_ epoll: FileHandle) {
            self.epoll = epoll
        }

        private func change(_ socket: Int32, _ change: (inout Entry) -> Void) {
            guard socket >= 0 else { return }
            let missing = Int(socket) + 1 - entries.count
            if missing > 0 { entries += Array(repeating: Entry(), count: max(missing, 64)) }
            change(&entries[Int(socket)])
        }

        /// Adds a socket that the transport has opened itself, and that only ``close(_:)`` closes.
        func opened(_ socket: Int32) {
            change(socket) { $0 = Entry(isOpenedHere: true) }
        }

        /// Returns the socket of a port on this machine; `nil` if the transport has not opened exactly one itself.
        func socket(boundTo port: Int) -> Int32? {
            let sockets = entries.indices.filter { socket in
                entries[socket].isOpenedHere && port > 0 && ccurl_local_port(Int32(socket)) == port
            }
            return sockets.count == 1 ? sockets.first.map(Int32.init) : nil
        }

        /// Whether an idle socket of a port on this machine has received bytes.
        func hasUnaskedBytes(boundTo port: Int) -> Bool {
            !multiplexed.contains(port) && unasked.contains { ccurl_local_port($0) == port && Self.hasUnreadBytes($0) }
        }

        func noteMultiplexing(boundTo port: Int) { multiplexed.insert(port) }

        static func hasUnreadBytes(_ socket: Int32) -> Bool {
            var count: Int32 = 0
            // SAFETY: the request writes one number of this type.
            return unsafe ioctl(socket, UInt(FIONREAD), &count) == 0 && count > 0
        }

        func close(_ socket: Int32) {
            unasked.remove(socket)
            if !multiplexed.isEmpty { multiplexed.remove(Int(ccurl_local_port(socket))) }
            change(socket) { entry in
                deregister(socket, &entry)
                entry = Entry()
            }
            Foundation.close(socket)
        }

        func watch(_ socket: Int32, reading: Bool, writing: Bool) {
            if !unasked.isEmpty { unasked.remove(socket) }
            change(socket) { entry in
                entry.isAwaited = true
                guard entry.registered != (reading, writing) else { return }
                cepoll_watch(epoll.fileDescriptor, socket, reading ? 1 : 0, writing ? 1 : 0)
                entry.registered = (reading, writing)
            }
        }

        func unwatch(_ socket: Int32) {
            change(socket) { entry in
                entry.isAwaited = false
                if !entry.isOpenedHere { deregister(socket, &entry) }
            }
        }

        private func deregister(_ socket: Int32, _ entry: inout Entry) {
            guard entry.registered != (false, false) else { return }
            cepoll_unwatch(epoll.fileDescriptor, socket)
            entry.registered = (false, false)
        }

        // Calls `act` for each ready socket that libcurl waits for. The timeout is in milliseconds; negative for none.
        func wait(_ timeout: Int32, _ act: (cepoll_ready) -> Void) {
            // SAFETY: the buffer has as many elements as the given capacity.
            let count = unsafe cepoll_wait(epoll.fileDescriptor, &buffer, Int32(buffer.count), timeout)
            for index in 0..<max(Int(count), 0) {
                let ready = buffer[index]
                var isAwaited = false
                change(ready.descriptor) { entry in
                    isAwaited = entry.isAwaited
                    if !isAwaited { deregister(ready.descriptor, &entry) }
                }
                if isAwaited { act(ready) } else { unasked.insert(ready.descriptor) }
            }
        }
    }
#endif
