/// Assigns transfers to event loops, within a limit of connections per origin that is divided among the loops.
///
/// The first loop is preferred while it has few transfers, because only transfers on the same loop can share
/// connections; then the loop with the fewest. Without a free connection, a transfer waits in a FIFO queue; not in
/// libcurl's queue, because libcurl examines every waiting transfer whenever one ends.
struct LoadBalancer<Transfer: AnyObject & Sendable>: Sendable {
    /// What a loop reports of a connection: that a transfer has left it, or that others may share it.
    struct ConnectionReport: Sendable {
        let origin: Substring
        let loop: Int
        /// Whether the server accepts several requests at a time on one connection; `nil` if it did not respond.
        var isMultiplexed: Bool?
        /// `false` if the transfer continues, because its response has only begun.
        var isReleased = true
    }

    typealias Assignment = (transfer: Transfer, loop: Int)

    private struct OriginLoad: Sendable {
        /// The number of running transfers to the origin, by loop.
        var running: [Int]
        /// The waiting transfers by their numbers, which are consecutive but for removed transfers.
        var waiting: [UInt64: Transfer] = [:]
        var firstNumber: UInt64 = 0
        var nextNumber: UInt64 = 0
        var isMultiplexed = false

        mutating func popFirst() -> Transfer? {
            while firstNumber < nextNumber {
                defer { firstNumber += 1 }
                if let transfer = waiting.removeValue(forKey: firstNumber) { return transfer }
            }
            return nil
        }
    }

    // libcurl has the same limit (`CURLMOPT_MAX_CONCURRENT_STREAMS`). If a server allows fewer, libcurl opens further
    // connections, and the rest waits in its queue.
    static var streamsPerConnection: Int { 100 }

    /// The maximum number of connections to one origin, by loop.
    let shares: [Int]
    private let firstLoopThreshold: Int
    /// The number of running transfers, by loop.
    private var loads: [Int]
    private var origins: [Substring: OriginLoad] = [:]
    /// The numbers of the waiting transfers in the queues of their origins.
    private var numbers: [ObjectIdentifier: UInt64] = [:]

    init(loops: Int, limit: Int, firstLoopThreshold: Int) {
        shares = (0..<loops).map { limit / loops + ($0 < limit % loops ? 1 : 0) }
        self.firstLoopThreshold = firstLoopThreshold
        loads = Array(repeating: 0, count: loops)
    }

    /// Assigns a transfer to a loop and returns the loop's index; returns `nil` if the transfer must wait.
    mutating func admit(_ transfer: Transfer, of name: Substring) -> Int? {
        // Removing the state from the dictionary prevents copy-on-write from copying its arrays.
        var state = origins.removeValue(forKey: name) ?? OriginLoad(running: Array(repeating: 0, count: loads.count))
        defer { origins[name] = state }
        guard state.waiting.isEmpty, let loop = preferredLoop(for: state) else {
            numbers[ObjectIdentifier(transfer)] = state.nextNumber
            state.waiting[state.nextNumber] = transfer
            state.nextNumber += 1
            return nil
        }
        state.running[loop] += 1
        loads[loop] += 1
        return loop
    }

    mutating func remove(_ transfer: Transfer, of origin: Substring) -> Bool {
        guard let number = numbers.removeValue(forKey: ObjectIdentifier(transfer)) else { return false }
        origins[origin]?.waiting[number] = nil
        return true
    }

    mutating func apply(_ reports: [ConnectionReport]) -> [Assignment] {
        var assignments: [Assignment] = []
        for connection in reports {
            if connection.isReleased { loads[connection.loop] -= 1 }
            // Changing the origin within the dictionary would allocate memory.
            guard var origin = origins.removeValue(forKey: connection.origin) else { continue }
            if connection.isReleased { origin.running[connection.loop] -= 1 }
            origin.isMultiplexed = connection.isMultiplexed ?? origin.isMultiplexed
            while let loop = preferredLoop(for: origin), let next = origin.popFirst() {
                numbers[ObjectIdentifier(next)] = nil
                origin.running[loop] += 1
                loads[loop] += 1
                assignments.append((next, loop))
            }
            if origin.waiting.isEmpty, origin.running.allSatisfy({ $0 == 0 }) { continue }
            origins[connection.origin] = origin
        }
        return assignments
    }

    private func preferredLoop(for origin: OriginLoad) -> Int? {
        var best: Int?
        let streams = origin.isMultiplexed ? Self.streamsPerConnection : 1
        for loop in loads.indices where origin.running[loop] < shares[loop] * streams {
            if loop == 0, loads[0] < firstLoopThreshold { return 0 }
            if best.map({ loads[loop] < loads[$0] }) ?? true { best = loop }
        }
        return best
    }
}
