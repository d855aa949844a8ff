import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct TakeWhileTests {
    @Test func passesTheOwnerWhileItIsAlive() {
        final class Owner: Sendable { let name = "o" }
        let (signal, emitter) = Signal<Int>.pipe()
        var owner: Owner? = Owner()
        let log = Log()
        signal.take(whileAlive: owner ?? Owner()) { owner, value in "\(owner.name)\(value)" }
            .subscribe(onNext: { log.add($0) }, onCompleted: { log.add("done") })
        emitter.send(1)
        owner = nil
        emitter.send(2)
        expectEqual(log.entries, ["o1", "done"])
        #expect(owner == nil)
    }

    let time = VirtualTime()

    @Test func endsWithTheFirstThatDoesNot() {
        let source = time.cold("1--2--3--1|") { Int($0) }
        expectEqual(time.play(source.take(while: { $0 < 3 })), "1--2--|")
        expectEqual(source.subscriptions, ["^-----!"])
        expectEqual(time.play(source.take(while: { $0 < 3 }, inclusive: true)), "1--2--(3|)")
    }

    @Test func anErrorOfTheClosureEndsIt() {
        expectEqual(time.play(time.cold("a-b|").take(while: { _ in throw Failure() })), "#")
    }

    @Test func completesAfterTheDeallocationOfTheOwner() {
        final class Owner: Sendable {}
        let (signal, emitter) = Signal<Int>.pipe()
        let log = Log()
        var owner = Owner?.some(Owner())
        if let owner {
            signal.take(whileAlive: owner).subscribe(
                onNext: { log.add("\($0)") }, onCompleted: { log.add("completed") })
        }
        emitter.send(1)
        #expect(owner != nil)
        owner = nil
        expectEqual(log.entries, ["1"])
        emitter.send(2)
        expectEqual(log.entries, ["1", "completed"])
    }
}
