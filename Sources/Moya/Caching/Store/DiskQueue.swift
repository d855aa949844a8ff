/// Runs the operations of a store on disk, one at a time and in order.
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
