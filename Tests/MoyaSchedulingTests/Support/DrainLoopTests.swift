import Dispatch
import Foundation
import MoyaScheduling
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct DrainLoopTests {
    @Test("R8: a message that is submitted during another one is processed after it, in order")
    func nestedNotesWait() {
        let log = Log()
        let passAgain = Box<(@Sendable (Int) -> Void)?>(nil)
        let drainLoop = DrainLoop<Int, Int>(0) { depth, note in
            depth += 1
            log.add("\(note) at depth \(depth)")
            if note == 1 {
                passAgain.value?(2)
                passAgain.value?(3)
            }
            depth -= 1
        }
        passAgain.value = { [weak drainLoop] in drainLoop?.submit($0) }
        drainLoop.submit(1)
        expectEqual(log.entries, ["1 at depth 1", "2 at depth 1", "3 at depth 1"])
    }

    @Test("R16: nested submissions do not grow the stack")
    func nestedNotesDoNotGrowTheStack() {
        let passAgain = Box<(@Sendable (Int) -> Void)?>(nil)
        let last = Box(0)
        let drainLoop = DrainLoop<Int, Int>(0) { _, note in
            if note < manyTimes { passAgain.value?(note + 1) } else { last.value = note }
        }
        passAgain.value = { [weak drainLoop] in drainLoop?.submit($0) }
        drainLoop.submit(1)
        expectEqual(last.value, manyTimes)
    }

    @Test("no message is lost if threads race")
    func racingNotesAreAllWorkedOn() async throws {
        let threads = 4
        let each = 20_000
        let total = Promise<Int>()
        let drainLoop = DrainLoop<Int, Int>(0) { count, _ in
            count += 1
            if count == threads * each { total.fulfill(count) }
        }
        for _ in 0..<threads {
            Thread.detachNewThread { for note in 0..<each { drainLoop.submit(note) } }
        }
        try await expectEqual(total.value(), threads * each)
    }

    @Test("no message stays queued if two threads submit one each")
    func racingPairs() async throws {
        for _ in 0..<2000 {
            let seen = Promise<Int>()
            let drainLoop = DrainLoop<Int, Int>(0) { count, _ in
                count += 1
                if count == 2 { seen.fulfill(count) }
            }
            DispatchQueue.global().async { drainLoop.submit(1) }
            DispatchQueue.global().async { drainLoop.submit(2) }
            try await expectEqual(seen.value(), 2)
        }
    }
}
