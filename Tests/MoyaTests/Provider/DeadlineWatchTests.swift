import Foundation
import TestSupport
import Testing

@testable import Moya

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("One wake-up for the deadlines of a provider", .queued, .timeLimit(.minutes(10)))
struct DeadlineWatchTests {
    private struct Slow: RelativeTarget {
        let milliseconds: Int
        let path = "/"
        var options: RequestOptions {
            RequestOptions(timeouts: Timeouts(idle: nil, attempt: .milliseconds(milliseconds)))
        }
    }

    private let transport = SilentOrigin()

    private func provider(_ timeouts: Timeouts = Timeouts()) -> MoyaProvider<Slow> {
        MoyaProvider<Slow>(baseURL: URL(string: "http://a.example"), transport: transport, timeouts: timeouts)
    }

    @Test("each request ends after its own deadline and never before, in whatever order they start")
    func ownDeadlines() async {
        let provider = provider()
        await withTaskGroup(of: Void.self) { group in
            for milliseconds in [90, 30, 60, 30, 10, 120] {
                group.addTask {
                    let start = ContinuousClock.now
                    let error = await #expect(throws: MoyaError.self) {
                        try await provider.response(Slow(milliseconds: milliseconds))
                    }
                    expectEqual(error?.kind, .timeout)
                    #expect(start.duration(to: .now) >= .milliseconds(milliseconds))
                }
            }
        }
        #expect(transport.exchanges.value.allSatisfy { $0.isCancelled })
    }

    @Test("a deadline that comes after all others have passed is watched, too")
    func again() async {
        let provider = provider()
        for milliseconds in [20, 1, 20] {
            let error = await #expect(throws: MoyaError.self) {
                try await provider.response(Slow(milliseconds: milliseconds))
            }
            expectEqual(error?.kind, .timeout)
        }
    }

    @Test("calls that share a request each end at their total deadline, and the exchange with the last one")
    func joined() async throws {
        struct Joining: RelativeTarget {
            let path = "/"
            var options: RequestOptions { RequestOptions(timeouts: Timeouts(total: .milliseconds(50))) }
        }
        let provider = MoyaProvider<Joining>(
            baseURL: URL(string: "http://a.example"), transport: transport, trackInflights: true)
        let ended = Box<[String]>([])
        for name in ["first", "second"] {
            let start = ContinuousClock.now
            provider.request(Joining()) { result in
                let isTimeout = if case .failure(let error) = result { error.kind == .timeout } else { false }
                let isLate = start.duration(to: .now) >= .milliseconds(50)
                ended.change { $0.append("\(name) \(isTimeout) \(isLate)") }
            }
        }
        try await until { ended.value.count == 2 }
        expectEqual(ended.value.sorted(), ["first true true", "second true true"])
        expectEqual(transport.exchanges.value.map(\.isCancelled), [true])
    }

    @Test("a released provider leaves no wake-up that keeps it alive")
    func released() async throws {
        let held: Weak<MoyaProvider<Slow>>
        do {
            let provider = provider()
            held = Weak(provider)
            let call = provider.request(Slow(milliseconds: 60_000)) { _ in }
            call.cancel()
        }
        try await until { held.object == nil }
    }
}
