import MoyaScheduling
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct RetryPolicyTests {
    private func delays(_ policy: RetryPolicy, _ count: Int = 6) -> [Double?] {
        (1...count).map { policy.delay(beforeRetry: $0, after: Failure()).map { $0 / .seconds(1) } }
    }

    @Test func exponentialDelaysGrowUpToTheCap() {
        let policy = RetryPolicy.exponential(initial: .seconds(1), times: 5, cap: .seconds(5), jitter: .none)
        expectEqual(delays(policy), [1, 2, 4, 5, 5, nil])
        let tripled = RetryPolicy.exponential(initial: .seconds(2), multiplier: 3, times: 3, jitter: .none)
        expectEqual(delays(tripled), [2, 6, 18, nil, nil, nil])
        expectEqual(delays(.constant(.seconds(3), times: 2), 3), [3, 3, nil])
    }

    @Test("jitter is random within its bounds", arguments: 0..<50)
    func jitter(_ seed: UInt64) {
        let full = delays(.exponential(initial: .seconds(8), times: 3, seed: seed), 3).compactMap(\.self)
        let equal = delays(.exponential(initial: .seconds(8), times: 3, jitter: .equal, seed: seed), 3).compactMap(
            \.self)
        for (index, whole) in [8.0, 16, 32].enumerated() {
            #expect((0...whole).contains(full[index]))
            #expect((whole / 2...whole).contains(equal[index]))
        }
        expectEqual(Set(full).count, 3)
        // Equal seeds give equal delays.
        expectEqual(delays(.exponential(initial: .seconds(8), times: 3, seed: seed), 3), full)
    }

    @Test("invalid parameters are clamped")
    func hostile() {
        for multiplier in [Double.nan, .infinity, -1, 0, 1e300] {
            let policy = RetryPolicy.exponential(
                initial: .seconds(Int64.max), multiplier: multiplier, times: .max, cap: .seconds(Int64.max))
            #expect(policy.delay(beforeRetry: .max / 2, after: Failure()) != nil)
            #expect(policy.delay(beforeRetry: -5, after: Failure()) == nil)
        }
        #expect(RetryPolicy.constant(.seconds(-1), times: -1).delay(beforeRetry: 1, after: Failure()) == nil)
        let brief = RetryPolicy.exponential(initial: .nanoseconds(1), multiplier: 1e300, times: 3, jitter: .none)
        expectEqual(delays(brief, 2), [1e-9, 3600])
    }

    @Test func theErrorAndItsNumberDecide() {
        let policy = RetryPolicy.constant(.seconds(1), times: 5) { error, retry in
            error as? Failure == Failure(id: 1) && retry < 3
        }
        expectEqual(policy.delay(beforeRetry: 2, after: Failure(id: 1)), .seconds(1))
        #expect(policy.delay(beforeRetry: 3, after: Failure(id: 1)) == nil)
        #expect(policy.delay(beforeRetry: 1, after: Failure(id: 2)) == nil)
    }
}
