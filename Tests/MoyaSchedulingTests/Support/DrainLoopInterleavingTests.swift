import TestSupport
import Testing

/// Explores all interleavings of the steps of `DrainLoop`, as its comment describes them.
///
/// Each step is one access to memory that other threads see. The order of steps is that of a sequentially consistent
/// memory; the comment of `DrainLoop` says why no processor reorders the two accesses that matter.
@Suite(.queued, .timeLimit(.minutes(10))) struct DrainLoopInterleavingTests {
    /// A thread that submits messages; its phases are the lines of `DrainLoop`.
    private struct Sender: Hashable {
        enum Phase: Hashable {
            case readHints, tryLock
            /// Owns the lock: processes its own message, reads the flag, takes the queue, releases the lock.
            case process, readFlagInside, drain, clearHint, unlock, readFlagOutside
            case append, setFlag, readFlag, tryLockToDrain
            case done
        }

        var phase = Phase.readHints
        var messages: Int
    }

    private struct World: Hashable {
        var senders: [Sender]
        var isLocked = false
        var isOwned = false
        var hasMessages = false
        var queued = 0
        var processed = 0
        /// How many of the processed messages submit another one from inside.
        var nested: Int

        /// Runs the next step of a sender.
        mutating func step(_ index: Int, skipping skipped: Sender.Phase?) {
            var sender = senders[index]
            defer { senders[index] = sender }
            func next() -> Sender.Phase { sender.messages > 0 ? .readHints : .done }
            if sender.phase == skipped, sender.phase == .readFlagOutside {
                sender.phase = next()
                return
            }
            switch sender.phase {
            case .readHints:
                sender.messages -= 1
                sender.phase = isOwned || hasMessages ? .append : .tryLock
            case .tryLock:
                if isLocked {
                    sender.phase = .append
                } else {
                    (isLocked, isOwned, sender.phase) = (true, true, .process)
                }
            case .process:
                process(1)
                sender.phase = .readFlagInside
            case .readFlagInside: sender.phase = hasMessages ? .drain : .clearHint
            case .drain:
                hasMessages = false
                let taken = queued
                queued = 0
                process(taken)
                if taken == 0 { sender.phase = .clearHint }
            case .clearHint: (isOwned, sender.phase) = (false, .unlock)
            case .unlock: (isLocked, sender.phase) = (false, .readFlagOutside)
            case .readFlagOutside: sender.phase = hasMessages ? .tryLockToDrain : next()
            case .append: (queued, sender.phase) = (queued + 1, .setFlag)
            case .setFlag: (hasMessages, sender.phase) = (true, .readFlag)
            case .readFlag: sender.phase = hasMessages ? .tryLockToDrain : next()
            case .tryLockToDrain:
                if isLocked {
                    sender.phase = next()
                } else {
                    (isLocked, isOwned, sender.phase) = (true, true, .readFlagInside)
                }
            case .done: break
            }
        }

        private mutating func process(_ count: Int) {
            processed += count
            for _ in 0..<min(count, nested) {
                nested -= 1
                queued += 1
                hasMessages = true
            }
        }
    }

    /// Returns the worlds in which all senders are done, after any order of their steps.
    private func outcomes(_ start: World, skipping skipped: Sender.Phase? = nil) -> (worlds: Set<World>, visited: Int) {
        var visited: Set<World> = [start]
        var waiting = [start]
        var ends: Set<World> = []
        while let world = waiting.popLast() {
            let running = world.senders.indices.filter { world.senders[$0].phase != .done }
            if running.isEmpty { ends.insert(world) }
            for index in running {
                var next = world
                next.step(index, skipping: skipped)
                if visited.insert(next).inserted { waiting.append(next) }
            }
        }
        return (ends, visited.count)
    }

    @Test(
        "R8: whatever the order of their steps, senders leave no message in the queue",
        arguments: [[1, 1], [3, 2], [1, 1, 1], [2, 2, 1]], [0, 2])
    func noMessageIsLeft(_ messages: [Int], _ nested: Int) {
        let (ends, visited) = outcomes(World(senders: messages.map { Sender(messages: $0) }, nested: nested))
        #expect(!ends.isEmpty && visited > 100)
        for end in ends {
            #expect(end.queued == 0 && !end.isLocked)
            expectEqual(end.processed, messages.reduce(0, +) + nested)
        }
    }

    @Test("without the look after the lock is released, a message would be left: the exploration finds it")
    func explorationFindsALostMessage() {
        let (ends, _) = outcomes(
            World(senders: [Sender(messages: 1), Sender(messages: 1)], nested: 0), skipping: .readFlagOutside)
        #expect(ends.contains { $0.queued > 0 })
    }
}
