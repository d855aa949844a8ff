#if os(Linux)
    import Moya
    import TestSupport
    import Testing

    @testable import MoyaCurl

    @Suite(.queued, .timeLimit(.minutes(10))) struct LoadBalancerTests {
        private final class Transfer: Sendable {}

        private let transfers = (0..<300).map { _ in Transfer() }

        /// A balancer in a class, because `#expect` cannot call mutating functions.
        private final class Balancer {
            private var value: LoadBalancer<Transfer>

            init(loops: Int, limit: Int, firstLoopThreshold: Int = 16) {
                value = LoadBalancer(loops: loops, limit: limit, firstLoopThreshold: firstLoopThreshold)
            }

            func admit(_ transfers: some Sequence<Transfer>, of origin: Substring) -> [Int?] {
                transfers.map { value.admit($0, of: origin) }
            }
            func admit(_ transfer: Transfer, of origin: Substring) -> Int? { value.admit(transfer, of: origin) }
            func remove(_ transfer: Transfer) -> Bool { value.remove(transfer, of: "a") }
            func release(
                _ origin: Substring, loop: Int, isMultiplexed: Bool? = nil, isReleased: Bool = true
            ) -> [LoadBalancer<Transfer>.Assignment] {
                value.apply([.init(origin: origin, loop: loop, isMultiplexed: isMultiplexed, isReleased: isReleased)])
            }
        }

        @Test("the first loop gets all transfers while it has few; further ones go to the loop with the fewest")
        func distribution() {
            let balancer = Balancer(loops: 3, limit: 300, firstLoopThreshold: 4)
            expectEqual(balancer.admit(transfers[0..<13], of: "a"), [0, 0, 0, 0, 1, 2, 1, 2, 1, 2, 1, 2, 0])
            for _ in 0..<2 { _ = balancer.release("a", loop: 0) }
            expectEqual(balancer.admit(transfers[13], of: "b"), 0)
        }

        @Test("sequential transfers stay on the first loop")
        func lowLoad() {
            let balancer = Balancer(loops: 4, limit: 64, firstLoopThreshold: 16)
            for transfer in transfers {
                expectEqual(balancer.admit(transfer, of: "a"), 0)
                #expect(balancer.release("a", loop: 0).isEmpty)
            }
        }

        @Test(
            "the shares of the loops add up to the limit of connections",
            arguments: [
                (1, 1, [1]), (4, 1, [1, 0, 0, 0]), (4, 6, [2, 2, 1, 1]), (2, 64, [32, 32]), (3, 2, [1, 1, 0]),
            ])
        func shares(_ loops: Int, _ limit: Int, _ shares: [Int]) {
            expectEqual(LoadBalancer<Transfer>(loops: loops, limit: limit, firstLoopThreshold: 16).shares, shares)
        }

        @Test("transfers above the limit wait, in order, for a connection of their own origin", arguments: [1, 2, 4])
        func limit(_ loops: Int) throws {
            let balancer = Balancer(loops: loops, limit: 5, firstLoopThreshold: 2)
            let running = balancer.admit(transfers[0..<5], of: "a")
            #expect(running.allSatisfy { $0 != nil })
            expectEqual(balancer.admit(transfers[5..<8], of: "a"), [nil, nil, nil])
            #expect(balancer.admit(transfers[8], of: "b") != nil)
            for number in 5..<8 {
                let loop = try #require(running[number - 5])
                let next = balancer.release("a", loop: loop)
                expectEqual(next.map { ObjectIdentifier($0.transfer) }, [ObjectIdentifier(transfers[number])])
                expectEqual(next.first?.loop, loop)
            }
        }

        @Test("a transfer that was removed is not assigned, and is reported once")
        func removal() {
            let balancer = Balancer(loops: 2, limit: 1, firstLoopThreshold: 16)
            expectEqual(balancer.admit(transfers[0..<3], of: "a"), [0, nil, nil])
            #expect(balancer.remove(transfers[1]))
            #expect(!balancer.remove(transfers[1]))
            #expect(!balancer.remove(transfers[0]))
            let next = balancer.release("a", loop: 0)
            expectEqual(next.map { ObjectIdentifier($0.transfer) }, [ObjectIdentifier(transfers[2])])
            #expect(!balancer.remove(transfers[2]))
        }

        @Test("a transfer that was removed is released, also while no connection is free")
        func release() {
            let balancer = Balancer(loops: 1, limit: 1)
            _ = balancer.admit(transfers[0], of: "a")
            weak var removed: Transfer?
            do {
                let transfer = Transfer()
                removed = transfer
                #expect(balancer.admit(transfer, of: "a") == nil)
                #expect(balancer.remove(transfer))
            }
            #expect(removed == nil)
        }

        @Test("a server that multiplexes gets 100 transfers for each connection, and no others before one of them ends")
        func streams() {
            let balancer = Balancer(loops: 2, limit: 2, firstLoopThreshold: 1)
            expectEqual(balancer.admit(transfers[0..<2], of: "a"), [0, 1])
            #expect(balancer.admit(transfers[2..<300], of: "a").allSatisfy { $0 == nil })
            expectEqual(balancer.release("a", loop: 0, isMultiplexed: true).count, 199)
            for _ in 0..<50 { expectEqual(balancer.release("a", loop: 1, isMultiplexed: true).map(\.loop), [1]) }
        }

        @Test("a response that has begun shows that its server multiplexes, and keeps its place until it ends")
        func sharing() {
            let balancer = Balancer(loops: 1, limit: 1)
            expectEqual(balancer.admit(transfers[0..<120], of: "a"), [0] + Array(repeating: nil, count: 119))
            expectEqual(balancer.release("a", loop: 0, isMultiplexed: true, isReleased: false).count, 99)
            #expect(balancer.release("a", loop: 0, isMultiplexed: true, isReleased: false).isEmpty)
            expectEqual(balancer.release("a", loop: 0, isMultiplexed: true).count, 1)
        }

        @Test("a server that stops multiplexing gets one transfer for each connection again; a failure shows nothing")
        func stopsMultiplexing() {
            let balancer = Balancer(loops: 1, limit: 1)
            expectEqual(balancer.admit(transfers[0..<5], of: "a"), [0, nil, nil, nil, nil])
            expectEqual(balancer.release("a", loop: 0, isMultiplexed: true).count, 4)
            #expect(balancer.release("a", loop: 0).isEmpty)
            expectEqual(balancer.admit(transfers[5], of: "a"), 0)
            #expect(balancer.release("a", loop: 0, isMultiplexed: false).isEmpty)
            #expect(balancer.admit(transfers[6], of: "a") == nil)
        }

        @Test("transfers to a server that multiplexes run on the loops that may connect to it")
        func multiplexing() {
            let balancer = Balancer(loops: 3, limit: 2, firstLoopThreshold: 1)
            expectEqual(balancer.admit(transfers[0..<2], of: "a"), [0, 1])
            expectEqual(balancer.admit(transfers[2..<5], of: "a"), [nil, nil, nil])
            let next = balancer.release("a", loop: 0, isMultiplexed: true)
            expectEqual(next.map(\.loop), [0, 0, 1])
            #expect(balancer.admit(transfers[5..<9], of: "a").allSatisfy { $0 == 0 || $0 == 1 })
        }
    }
#endif
