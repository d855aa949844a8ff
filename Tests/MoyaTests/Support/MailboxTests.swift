import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@Suite struct MailboxTests {
    @Test func aBurstIsOnePieceOfWorkInOrder() {
        let time = VirtualTime()
        let received = Box<[Int]>([])
        let mailbox = Mailbox<Int>(on: time) { value in received.change { $0.append(value) } }
        for value in 0..<5 { mailbox.post(value) }
        #expect(received.value.isEmpty)
        time.run()
        #expect(received.value == [0, 1, 2, 3, 4])
    }

    @Test func whatIsPostedWhileReceivingIsReceivedAfter() {
        let time = VirtualTime()
        let received = Box<[Int]>([])
        let again = Box<(@Sendable (Int) -> Void)?>(nil)
        let mailbox = Mailbox<Int>(on: time) { value in
            received.change { $0.append(value) }
            if value < 3 { again.value?(value + 1) }
        }
        again.value = { [weak mailbox] in mailbox?.post($0) }
        mailbox.post(0)
        time.run()
        #expect(received.value == [0, 1, 2, 3])
    }

    @Test func aClosedMailboxReceivesNothingAndHoldsNothing() {
        let time = VirtualTime()
        weak var held: Log?
        let mailbox: Mailbox<String>
        do {
            let log = Log()
            held = log
            mailbox = Mailbox<String>(on: time) { log.add($0) }
        }
        mailbox.post("a")
        mailbox.close()
        #expect(held == nil)
        mailbox.post("b")
        time.run()
    }

    @Test func nothingIsLostBetweenThreads() async throws {
        let received = Box<[Int]>([])
        let done = Promise<Void>()
        let mailbox = Mailbox<Int>(on: .queue(.global())) { value in
            received.change { $0.append(value) }
            if received.value.count == 4000 { done.fulfil(()) }
        }
        for thread in 0..<4 {
            Thread.detachNewThread { for value in 0..<1000 { mailbox.post(thread * 1000 + value) } }
        }
        try await done.value()
        for thread in 0..<4 {
            let own = received.value.filter { $0 / 1000 == thread }
            #expect(own == Array(thread * 1000..<(thread + 1) * 1000))
        }
    }
}
