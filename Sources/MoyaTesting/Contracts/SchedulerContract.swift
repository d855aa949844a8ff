public import MoyaScheduling

/// The requirements of `Scheduler`, each with a check (rule R24 of the article `StreamContract` of MoyaStreams).
public enum SchedulerContract {
    /// A scheduler to check, and a closure that moves the scheduler's clock if the clock is virtual.
    public struct Subject: Sendable {
        let scheduler: any Scheduler
        let isSerial: Bool
        let move: @Sendable () -> Void

        /// Creates the subject of a check.
        ///
        /// - Parameters:
        ///   - scheduler: the scheduler.
        ///   - isSerial: whether the scheduler runs one piece of work at a time; a concurrent scheduler need not keep
        ///     the order of work for the same instant.
        ///   - move: moves a virtual clock; called repeatedly while a check waits.
        public init(_ scheduler: any Scheduler, isSerial: Bool = true, move: @escaping @Sendable () -> Void = {}) {
            self.scheduler = scheduler
            self.isSerial = isSerial
            self.move = move
        }

        func wait(_ what: String, _ condition: @escaping @Sendable () -> Bool) async throws {
            try await until(what) {
                move()
                return condition()
            }
        }
    }

    /// All requirements on a scheduler, each with its check.
    public static let claims: [ContractClaim<Subject>] = [
        ContractClaim("R24: work for the same instant runs first in, first out") { subject in
            let ran = LockedArray<Int>()
            subject.scheduler.schedule {
                for number in 0..<100 { subject.scheduler.schedule { ran.append(number) } }
            }
            try await subject.wait("100 pieces of work have run") { ran.count == 100 }
            try expect(subject.isSerial ? ran.elements : ran.elements.sorted(), is: Array(0..<100), "the order")
            let late = LockedArray<Int>()
            subject.scheduler.schedule {
                for number in 0..<100 {
                    subject.scheduler.schedule(after: .milliseconds(5)) { late.append(number) }
                }
            }
            try await subject.wait("100 pieces of delayed work have run") { late.count == 100 }
            let order = subject.isSerial ? late.elements : late.elements.sorted()
            try expect(order, is: Array(0..<100), "the order of delayed work")
        },
        ContractClaim("R24: work runs in the order of its time, and not before it") { subject in
            let ran = LockedArray<PossibleDueTimes>()
            let early = LockedArray<Int>()
            // One piece of work schedules all three delays. A virtual clock does not move before this work returns, so
            // the delays begin at the same time.
            subject.scheduler.schedule {
                for delay in [30, 10, 20] {
                    let before = subject.scheduler.now
                    let after = LockedArray<Duration>()
                    subject.scheduler.schedule(after: .milliseconds(delay)) {
                        let now = subject.scheduler.now
                        if now - before < .milliseconds(delay) { early.append(delay) }
                        ran.append(
                            PossibleDueTimes(milliseconds: delay, before: before, after: after.elements.first ?? now))
                    }
                    after.append(subject.scheduler.now)
                }
            }
            try await subject.wait("three delays have passed") { ran.count == 3 }
            try expect(early.elements, is: [], "the work that ran too early")
            guard subject.isSerial else { return }
            let order = ran.elements
            for (first, second) in zip(order, order.dropFirst()) where !first.mayPrecede(second) {
                throw ContractViolation(
                    description: "\(first.milliseconds) ms came before \(second.milliseconds) ms")
            }
        },
        ContractClaim("R24: work that was cancelled before it started does not run") { subject in
            let ran = LockedArray<String>()
            let cancelsInTime: @Sendable (Duration) -> Bool = { delay in
                let early = LockedArray<String>()
                let before = subject.scheduler.now
                let token = subject.scheduler.schedule(after: delay) { early.append("cancelled") }
                token.cancel()
                token.cancel()
                // On a concurrent scheduler, this work may be interrupted for longer than the delay.
                guard subject.isSerial || subject.scheduler.now - before < delay else { return false }
                if !token.isCancelled { ran.append("a token whose isCancelled is false after a cancel") }
                subject.scheduler.schedule(after: delay + .milliseconds(20)) {
                    for run in early.elements { ran.append(run) }
                    ran.append("later")
                }
                return true
            }
            subject.scheduler.schedule {
                if subject.isSerial { _ = cancelsInTime(.zero) } else { ran.append("later") }
                var delay = Duration.milliseconds(5)
                while !cancelsInTime(delay) { delay *= 2 }
            }
            try await subject.wait("the later work has run") { ran.elements.count { $0 == "later" } == 2 }
            try expect(ran.elements, is: ["later", "later"], "the work that ran")
        },
        ContractClaim("R24: work may schedule work, 10,000 deep, without growing the stack") { subject in
            let ran = LockedArray<Int>()
            @Sendable func again(_ left: Int) {
                if left == 0 {
                    ran.append(0)
                } else {
                    subject.scheduler.schedule { again(left - 1) }
                }
            }
            again(10_000)
            try await subject.wait("the last has run") { ran.count == 1 }
        },
        ContractClaim("R24: periodic work does not drift, and runs until it is cancelled") { subject in
            let times = LockedArray<Duration>()
            let token = LockedArray<any Cancellable>()
            let start = LockedArray<Duration>()
            subject.scheduler.schedule {
                start.append(subject.scheduler.now)
                token.append(
                    subject.scheduler.schedule(every: .milliseconds(10)) {
                        times.append(subject.scheduler.now)
                        if times.count == 5 { token.elements.first?.cancel() }
                    })
            }
            try await subject.wait("five periods have passed") { times.count >= 5 }
            let origin = start.elements.first ?? .zero
            for (index, time) in times.elements.prefix(5).enumerated()
            where time - origin < .milliseconds(10 * (index + 1)) {
                throw ContractViolation(description: "run \(index + 1) came \(time - origin) after the start")
            }
            let settled = LockedArray<Int>()
            subject.scheduler.schedule(after: .milliseconds(30)) { settled.append(1) }
            try await subject.wait("three more periods have passed") { settled.count == 1 }
            try expect(times.count, is: 5, "the number of runs")
        },
        ContractClaim("work is released when it has run, and when it was cancelled") { subject in
            let ran = LockedArray<Int>()
            let kept = LockedArray<any Cancellable>()
            let held = LockedArray<Weak<LockedArray<Int>>>()
            subject.scheduler.schedule {
                for isCancelled in [true, false] {
                    let object = LockedArray<Int>()
                    held.append(Weak(object))
                    let token = subject.scheduler.schedule(after: .milliseconds(1)) { object.append(1) }
                    if isCancelled { token.cancel() }
                    kept.append(token)
                }
                subject.scheduler.schedule(after: .milliseconds(5)) { ran.append(1) }
            }
            try await subject.wait("the work has run") { ran.count == 1 }
            try await subject.wait("the work is released") { held.elements.allSatisfy { $0.object == nil } }
        },
    ]
}

/// The work was scheduled between the times `before` and `after`, with a delay of `milliseconds`.
private struct PossibleDueTimes: Sendable {
    let milliseconds: Int
    let before: Duration
    let after: Duration

    func mayPrecede(_ other: PossibleDueTimes) -> Bool {
        before + .milliseconds(milliseconds) <= other.after + .milliseconds(other.milliseconds)
    }
}
