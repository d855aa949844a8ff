import Foundation

/// A TCP socket on the loopback interface, which is closed when the last reference to the object is released.
///
/// SAFETY, for each `unsafe` in this file: each pointer refers to a local variable or array, which is valid during the
/// call and has the passed size.
final class Socket: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var yes: Int32 = 1
        unsafe _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        #if canImport(Darwin)
            unsafe _ = setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    deinit { close(descriptor) }

    static func listening() throws -> (socket: Socket, port: UInt16) {
        #if canImport(Darwin)
            let kind: Int32 = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let descriptor = Foundation.socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
        let socket = Socket(descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(socket.descriptor, address, size) == 0 && listen(socket.descriptor, 512) == 0
                    && getsockname(socket.descriptor, address, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRNOTAVAIL) }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    /// Waits for the next connection; returns `nil` after ``stopListening()``, or if no descriptor is free.
    func accepted() -> Socket? {
        while true {
            let connection = accept(descriptor, nil, nil)
            if connection >= 0 { return Socket(connection) }
            guard [EINTR, ECONNABORTED].contains(errno) else { return nil }
        }
    }

    /// Waits for bytes and returns at most `count` of them; returns an empty array at the end of the connection.
    func read(upTo count: Int = 65_536) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        var received: Int
        repeat { received = unsafe recv(descriptor, &buffer, count, 0) } while received < 0 && errno == EINTR
        return received > 0 ? Array(buffer.prefix(received)) : []
    }

    /// Sends bytes; returns whether all bytes were sent.
    func write(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = Array(bytes)
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe send(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, flags)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Returns whether nothing arrives within the time: no bytes, no new connection, no end of the connection.
    func isQuiet(for time: Duration) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let end = ContinuousClock.now + min(time, .milliseconds(Int32.max))
        while true {
            let rest = max(.zero, ContinuousClock.now.duration(to: end))
            let count = unsafe poll(&request, 1, Int32((rest / .milliseconds(1)).rounded(.up)))
            // A signal ends the wait early.
            if count >= 0 || errno != EINTR { return count == 0 }
        }
    }

    /// Ends reading and writing; may be called from any thread.
    func shutDown() {
        #if canImport(Darwin)
            shutdown(descriptor, SHUT_RDWR)
        #else
            shutdown(descriptor, Int32(SHUT_RDWR))
        #endif
    }

    /// Closes the port of a listening socket; may be called from any thread.
    func stopListening() {
        #if canImport(Darwin)
            // There, `shutDown` has no effect on such a socket. Another one takes its place and its descriptor.
            let other = Foundation.socket(AF_INET, SOCK_STREAM, 0)
            guard other >= 0 else { return }
            dup2(other, descriptor)
            close(other)
        #else
            shutDown()
        #endif
    }

    func resetWhenClosed() {
        var option = linger(l_onoff: 1, l_linger: 0)
        unsafe _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}
