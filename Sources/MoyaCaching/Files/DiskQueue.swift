import MoyaHTTP

/// A serial queue for the operations of a store on disk.
final class DiskQueue: Sendable {
    private struct Operation: Sendable {
        let run: @Sendable () -> Void
    }

    private let delivery: SerialDelivery<Operation>

    init(on scheduler: any Scheduler) {
        delivery = SerialDelivery(on: scheduler) { $0.run() }
    }

    func post(_ run: @escaping @Sendable () -> Void) {
        delivery.post(Operation(run: run))
    }
}
