import Dispatch
import Moya
import TestSupport
import Testing

@testable import MoyaStreams

@Suite(.queued, .timeLimit(.minutes(10))) struct LifetimeTests {
    let log = Log()

    private func lifetime(in parent: Lifetime? = nil) -> Lifetime {
        Lifetime(in: parent) { [log] error in log.add(error == nil ? "completed" : "failed") }
    }

    @Test("R4: completion is delivered before the upstream is released")
    func completionComesBeforeCleanUp() {
        let lifetime = lifetime()
        lifetime.onEnd { [log] in log.add("released") }
        lifetime.finish()
        expectEqual(log.entries, ["completed", "released"])
    }

    @Test("R4: the upstream is released before a failure is delivered")
    func cleanUpComesBeforeFailure() {
        let lifetime = lifetime()
        lifetime.onEnd { [log] in log.add("released") }
        lifetime.fail(Failure())
        expectEqual(log.entries, ["released", "failed"])
    }

    @Test("R1: only the first terminal event is delivered")
    func onlyTheFirstEndCounts() {
        let lifetime = lifetime()
        lifetime.finish()
        lifetime.fail(Failure())
        lifetime.cancel()
        expectEqual(log.entries, ["completed"])
        #expect(!lifetime.isCancelled)
    }

    @Test("R3, R5: a cancel produces no event, and releases once")
    func cancelIsSilent() {
        let lifetime = lifetime()
        lifetime.onEnd { [log] in log.add("released") }
        lifetime.cancel()
        lifetime.cancel()
        expectEqual(log.entries, ["released"])
        #expect(lifetime.isCancelled)
    }

    @Test func aTeardownAfterTheEndRunsImmediately() {
        let lifetime = lifetime()
        lifetime.cancel()
        lifetime.onEnd { [log] in log.add("released") }
        expectEqual(log.entries, ["released"])
    }

    @Test("R5: the end of a lifetime ends its children")
    func childrenEndWithTheirParent() {
        let parent = lifetime()
        let child = lifetime(in: parent)
        let grandchild = lifetime(in: child)
        grandchild.onEnd { [log] in log.add("grandchild released") }
        parent.cancel()
        expectEqual(log.entries, ["grandchild released"])
        #expect(child.isOver)
        grandchild.finish()
        child.finish()
        expectEqual(log.entries, ["grandchild released"])
    }

    @Test func aChildOfAnEndedParentEndsWithItsFirstTeardown() {
        let parent = lifetime()
        let child = lifetime(in: parent)
        parent.cancel()
        child.onEnd { [log] in log.add("released") }
        expectEqual(log.entries, ["released"])
    }

    @Test("R22: a lifetime releases its contents at the end, also if it is retained")
    func releasesWhatItHolds() {
        weak var held: Log?
        let lifetime: Lifetime
        do {
            let log = Log()
            held = log
            lifetime = Lifetime { _ in log.add("") }
            lifetime.onEnd { log.add("") }
        }
        #expect(held != nil)
        lifetime.cancel()
        #expect(held == nil)
    }

    @Test("R3: a cancel while the upstream is released suppresses the error")
    func cancelDuringFailure() {
        let lifetime = lifetime()
        lifetime.onEnd { [weak lifetime] in lifetime?.cancel() }
        lifetime.fail(Failure())
        #expect(log.entries.isEmpty)
        #expect(lifetime.isCancelled)
    }

    @Test(
        "exactly one of terminal and onUnobservedEnd is called",
        arguments: ["finish", "fail", "cancel", "parent", "late"])
    func abandoned(_ end: String) {
        let parent = Lifetime { _ in }
        if end == "late" { parent.cancel() }
        let child = Lifetime(
            in: parent, .call { [log] _ in log.add("terminal") }, onUnobservedEnd: { [log] in log.add("abandoned") })
        switch end {
        case "finish": child.finish()
        case "fail": child.fail(Failure())
        case "cancel": child.cancel()
        default: parent.cancel()
        }
        child.finish()
        parent.finish()
        #expect(log.entries == (["finish", "fail"].contains(end) ? ["terminal"] : ["abandoned"]))
    }

    @Test("R22: a lifetime does not retain children that have ended")
    func forgetsEndedChildren() {
        let parent = lifetime()
        weak var held: Lifetime?
        do {
            let child = lifetime(in: parent)
            held = child
            child.onEnd {}
            child.finish()
        }
        #expect(held == nil)
        parent.cancel()
    }

    @Test("a lifetime that is dropped without an end does not retain its parent, and its teardowns run")
    func droppedWithoutAnEnd() {
        weak var held: Lifetime?
        let parent = lifetime()
        do {
            let child = lifetime(in: parent)
            held = child
            child.onEnd { [log] in log.add("released") }
        }
        #expect(held == nil)
        #expect(log.entries.isEmpty)
        parent.cancel()
        expectEqual(log.entries, ["released"])
    }

    @Test func endsOnManyThreadsReleaseOnce() async throws {
        for _ in 0..<500 {
            let released = Box(0)
            let done = Promise<Void>()
            let parent = Lifetime { _ in }
            let child = Lifetime(in: parent) { _ in }
            let left = Box(3)
            @Sendable func arrive() {
                left.change { $0 -= 1 }
                if left.value == 0 { done.fulfill(()) }
            }
            DispatchQueue.global().async {
                child.onEnd { released.change { $0 += 1 } }
                arrive()
            }
            DispatchQueue.global().async {
                child.finish()
                arrive()
            }
            DispatchQueue.global().async {
                parent.cancel()
                arrive()
            }
            try await done.value()
            expectEqual(released.value, 1)
        }
    }
}
