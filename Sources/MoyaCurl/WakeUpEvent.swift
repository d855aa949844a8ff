#if os(Linux)
    import CMoyaCurl
    import Foundation

    final class WakeUpEvent: Sendable {
        let descriptor: Int32

        init() throws(TransportError) {
            descriptor = cepoll_event_create()
            guard descriptor >= 0 else { throw .system("eventfd") }
        }

        deinit { close(descriptor) }

        func signal() { cepoll_event_signal(descriptor) }
    }

    extension TransportError {
        static func system(_ call: String) -> TransportError {
            let info = [NSDebugDescriptionErrorKey: call]
            return .unavailable(NSError(domain: NSPOSIXErrorDomain, code: Int(errno), userInfo: info))
        }
    }
#endif
