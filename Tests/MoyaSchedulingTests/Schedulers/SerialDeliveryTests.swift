import Foundation
import MoyaScheduling
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct SerialDeliveryTests {
    @Test func aBurstIsOnePieceOfWorkInOrder() {
        let time = VirtualTime()
        let received = Box<[Int]>([])
        let delivery = SerialDelivery<Int>(on: time) { value in received.change { $0.append(value) } }
        for value in 0..<5 { delivery.post(value) }
        #expect(received.value.isEmpty)
        time.run()
        expectEqual(received.value, [0, 1, 2, 3, 4])
    }

    @Test func aMessagePostedDuringAnotherIsReceivedAfterIt() {
        let time = VirtualTime()
        let received = Box<[Int]>([])
        let again = Box<(@Sendable (Int) -> Void)?>(nil)
        let delivery = SerialDelivery<Int>(on: time) { value in
            received.change { $0.append(value) }
            if value < 3 { again.value?(value + 1) }
        }
        again.value = { [weak delivery] in delivery?.post($0) }
        delivery.post(0)
        time.run()
        expectEqual(received.value, [0, 1, 2, 3])
    }

    @Test func aClosedDeliveryReceivesNothingAndRetainsNothing() {
        let time = VirtualTime()
        weak var held: Log?
        let delivery: SerialDelivery<String>
        do {
            let log = Log()
            held = log
            delivery = SerialDelivery<String>(on: time) { log.add($0) }
        }
        delivery.post("a")
        delivery.close()
        #expect(held == nil)
        delivery.post("b")
        time.run()
    }

    @Test func nothingIsLostBetweenThreads() async throws {
        let received = Box<[Int]>([])
        let done = Promise<Void>()
        let delivery = SerialDelivery<Int>(on: .queue(.global())) { value in
            received.change { $0.append(value) }
            if received.value.count == 4000 { done.fulfill(()) }
        }
        for thread in 0..<4 {
            Thread.detachNewThread { for value in 0..<1000 { delivery.post(thread * 1000 + value) } }
        }
        try await done.value()
        for thread in 0..<4 {
            let own = received.value.filter { $0 / 1000 == thread }
            expectEqual(own, Array(thread * 1000..<(thread + 1) * 1000))
        }
    }
}
