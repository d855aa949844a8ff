#if canImport(os)
    import Foundation
    import os

    /// An observer that shows calls and their exchanges as intervals in Instruments.
    ///
    /// ```swift
    /// let provider = MoyaProvider<GitHub>(observers: [SignpostObserver(subsystem: "com.example.app")])
    /// ```
    /// The interval `Call` shows the name of the target. The interval `Exchange` shows the method and the URL, without
    /// the values of the query. All other events, such as retries, are signpost events. An observer is called after an
    /// event has happened, so each interval starts and ends some microseconds late.
    public struct SignpostObserver: CallObserver {
        private let signposter: OSSignposter

        /// Creates an observer with the subsystem and the category of its signposts.
        public init(subsystem: String, category: String = "Moya") {
            signposter = OSSignposter(subsystem: subsystem, category: category)
        }

        /// Begins or ends an interval, or emits a signpost event.
        public func observe(_ event: CallEvent) {
            guard signposter.isEnabled else { return }
            let call = OSSignpostID(event.call)
            switch event.kind {
            case .started: _ = signposter.beginInterval("Call", id: call, "\(event.target.name, privacy: .public)")
            case .sending(let request):
                let text = "\(request.method) \(request.urlForLogs)"
                _ = signposter.beginInterval("Exchange", id: event.exchangeSignpost, "\(text, privacy: .public)")
            case .exchanged(let exchange):
                signposter.endInterval(
                    "Exchange", .beginState(id: event.exchangeSignpost), "\(exchange.description, privacy: .public)")
            case .joined, .receiving, .retrying:
                signposter.emitEvent("Event", id: call, "\(event.kind.description, privacy: .public)")
            case .ended:
                signposter.endInterval(
                    "Call", .beginState(id: call), "\(event.kind.description, privacy: .public)")
            }
        }
    }

    extension CallEvent {
        /// A call has one exchange at a time, so no two running exchanges have the same ID.
        fileprivate var exchangeSignpost: OSSignpostID { OSSignpostID(call | 1 << 63) }
    }
#endif
