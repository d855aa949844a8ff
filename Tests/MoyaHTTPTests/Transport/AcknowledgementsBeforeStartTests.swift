import Foundation
import Moya
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite(
    "AcknowledgementsBeforeStart: bytes acknowledged before the exchange is known", .queued, .timeLimit(.minutes(10)))
struct AcknowledgementsBeforeStartTests {
    @Test("it returns the sum once")
    func sum() {
        var acknowledgements = AcknowledgementsBeforeStart()
        acknowledgements.add(3)
        acknowledgements.add(4)
        expectEqual(acknowledgements.take(), 7)
        expectEqual(acknowledgements.take(), 0)
    }

    @Test("negative numbers are ignored, and the sum does not overflow")
    func extremes() {
        var acknowledgements = AcknowledgementsBeforeStart()
        acknowledgements.add(.min)
        expectEqual(acknowledgements.take(), 0)
        acknowledgements.add(.max)
        acknowledgements.add(.max)
        expectEqual(acknowledgements.take(), .max)
    }

    @Test("an exchange receives only what has happened", arguments: [(0, false), (5, false), (0, true), (5, true)])
    func catchesUp(acknowledged: Int, isCancelled: Bool) {
        let exchange = RecordingExchange()
        exchange.catchUp(acknowledged: acknowledged, isCancelled: isCancelled)
        expectEqual(exchange.calls, (acknowledged > 0 ? ["consumed 5"] : []) + (isCancelled ? ["cancel"] : []))
    }
}

private final class RecordingExchange: TransportExchange {
    private let log = Locked<[String]>([])
    var calls: [String] { log.withLock { $0 } }
    var isCancelled: Bool { false }
    func cancel() { log.withLock { $0.append("cancel") } }
    func acknowledge(_ bytes: Int) { log.withLock { $0.append("consumed \(bytes)") } }
}
