import Dispatch
import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct SchedulerContractTests {
    enum Kind: CaseIterable {
        case virtual, immediate, main, serial, concurrent, background, clock
    }

    @Test("T12: all schedulers meet the contract", arguments: Kind.allCases, SchedulerContract.claims)
    func keepsTheContract(_ kind: Kind, _ claim: ContractClaim<SchedulerContract.Subject>) async throws {
        let time = VirtualTime()
        let subject: SchedulerContract.Subject =
            switch kind {
            case .virtual: .init(time) { time.advance(by: .milliseconds(10)) }
            case .immediate: .init(.immediate)
            case .main: .init(.main)
            case .serial: .init(.serial(label: "test"))
            case .concurrent: .init(.queue(.global()), isSerial: false)
            case .background: .init(.background)
            case .clock: .init(ContinuousClock().scheduler())
            }
        try await claim.check(subject)
    }

    /// A scheduler that violates the contract: it runs work last in, first out, and does not cancel.
    private final class Broken: Scheduler {
        private let queue = DispatchQueue(label: "broken")
        private let waiting = Box<[@Sendable () -> Void]>([])
        var now: Duration { .zero }

        func schedule(
            after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
        ) -> any Cancellable {
            waiting.change { $0.append(work) }
            queue.async { [waiting] in
                var last: (@Sendable () -> Void)?
                waiting.change { last = $0.popLast() }
                last?()
            }
            return Deaf()
        }
    }

    private struct Deaf: Cancellable {
        let isCancelled = false
        func cancel() {}
    }

    /// Virtual time in which delayed work for the same instant runs last in, first out.
    private struct Reversed: Scheduler {
        let time: VirtualTime
        let count = Box(0)
        var now: Duration { time.now }

        func schedule(
            after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
        ) -> any Cancellable {
            count.change { $0 += 1 }
            let earlier = delay > .zero ? Duration.nanoseconds(count.value) : .zero
            return time.schedule(after: delay - earlier, fileID: fileID, line: line, work)
        }
    }

    @Test("T13: delayed work that runs in another order is reported")
    func tellsAReversedOrder() async throws {
        let time = VirtualTime()
        let error = await #expect(throws: ContractViolation.self) {
            try await SchedulerContract.claims[0].check(
                .init(Reversed(time: time)) { time.advance(by: .milliseconds(1)) })
        }
        #expect(error?.description.contains("the order of delayed work is [") == true)
    }

    @Test("T13: a check reports the requirement that a scheduler violates")
    func tellsWhatIsBroken() async throws {
        let error = await #expect(throws: ContractViolation.self) {
            try await SchedulerContract.claims[0].check(.init(Broken()))
        }
        #expect(error?.description.contains("first in, first out: the order is [") == true)
        await #expect(throws: ContractViolation.self) {
            try await SchedulerContract.claims[2].check(.init(Broken()))
        }
    }

    @Test("T9: an immediate scheduler skips delays")
    func immediate() {
        let log = Log()
        let scheduler: any Scheduler = .immediate
        scheduler.schedule(after: .seconds(60)) {
            scheduler.schedule(after: .seconds(2)) { log.add("late at \(scheduler.now)") }
            scheduler.schedule(after: .seconds(1)) { log.add("early at \(scheduler.now)") }
            log.add("first at \(scheduler.now)")
        }
        expectEqual(log.entries, ["first at 60.0 seconds", "early at 61.0 seconds", "late at 62.0 seconds"])
    }

    @Test("T9: an unimplemented scheduler reports the source locations of its uses")
    func unimplemented() {
        let told = Log()
        let scheduler = UnimplementedScheduler("search") { told.add("\($0)") }
        let line = UInt(#line) + 1
        let token = scheduler.schedule(after: .seconds(1)) { told.add("ran") }
        #expect(token.isCancelled)
        expectEqual(scheduler.uses.map(\.place.line), [line])
        expectEqual(
            told.entries,
            [
                #"MoyaTestingTests/SchedulerContractTests.swift:\#(line): the scheduler "search" was not expected to be"#
                    + " used; work after 1.0 seconds is lost"
            ])
    }
}
