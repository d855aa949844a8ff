import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct SkipTests {
    let time = VirtualTime()

    @Test func dropsTheFirstValues() {
        #expect(time.play(time.cold("a--b--c|").skip(2)) == "------c|")
        #expect(time.play(time.cold("a|").skip(0)) == "a|")
        #expect(time.play(time.cold("a|").skip(-3)) == "a|")
        #expect(time.play(time.cold("a#").skip(9)) == "-#")
    }

    @Test func dropsValuesWhileAConditionIsTrue() {
        let source = time.cold("1--2--3--1|") { Int($0) }
        #expect(time.play(source.skip(while: { $0 < 3 })) == "------3--1|")
        #expect(time.play(source.skip(while: { _ in throw Failure() })) == "#")
    }

    @Test func dropsValuesBeforeATrigger() {
        let trigger = time.cold("----x--y|")
        #expect(time.play(time.cold("a--b--c|").skip(until: trigger)) == "------c|")
        #expect(trigger.subscriptions == ["^---!"])
        #expect(time.play(time.cold("a--b|").skip(until: Observable.just(1))) == "a--b|")
        #expect(time.play(time.cold("a--b|").skip(until: Observable<Int>.empty())) == "----|")
        #expect(time.play(time.cold("a--b|").skip(until: time.cold("-#"))) == "-#")
    }
}
