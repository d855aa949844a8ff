import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct SkipTests {
    let time = VirtualTime()

    @Test func dropsTheFirstValues() {
        expectEqual(time.play(time.cold("a--b--c|").skip(2)), "------c|")
        expectEqual(time.play(time.cold("a|").skip(0)), "a|")
        expectEqual(time.play(time.cold("a|").skip(-3)), "a|")
        expectEqual(time.play(time.cold("a#").skip(9)), "-#")
    }

    @Test func dropsValuesWhileAConditionIsTrue() {
        let source = time.cold("1--2--3--1|") { Int($0) }
        expectEqual(time.play(source.skip(while: { $0 < 3 })), "------3--1|")
        expectEqual(time.play(source.skip(while: { _ in throw Failure() })), "#")
    }

    @Test func dropsValuesBeforeATrigger() {
        let trigger = time.cold("----x--y|")
        expectEqual(time.play(time.cold("a--b--c|").skip(until: trigger)), "------c|")
        expectEqual(trigger.subscriptions, ["^---!"])
        expectEqual(time.play(time.cold("a--b|").skip(until: Observable.just(1))), "a--b|")
        expectEqual(time.play(time.cold("a--b|").skip(until: Observable<Int>.empty())), "----|")
        expectEqual(time.play(time.cold("a--b|").skip(until: time.cold("-#"))), "-#")
    }
}
