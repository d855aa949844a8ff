#if os(Linux)
    import CCurl
    import Foundation

    /// An eventfd that unblocks a thread that waits for sockets.
    final class WakeUpEvent: Sendable {
        let descriptor: Int32

        init() throws(MoyaError) {
            descriptor = cepoll_event_create()
            guard descriptor >= 0 else { throw .system("eventfd") }
        }

        deinit { close(descriptor) }

        func signal() { cepoll_event_signal(descriptor) }
    }

    extension MoyaError {
        /// Returns the error of a system call that has just failed.
        static func system(_ call: String) -> MoyaError {
            let info = [NSDebugDescriptionErrorKey: call]
            return .underlying(NSError(domain: NSPOSIXErrorDomain, code: Int(errno), userInfo: info), nil)
        }
    }
#endif
