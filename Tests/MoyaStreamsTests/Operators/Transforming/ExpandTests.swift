import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct ExpandTests {
    let time = VirtualTime()

    @Test func eachValueIsExpandedInTurn() {
        let doubled = Observable.just(1).expand { $0 < 8 ? .just($0 * 2) : .empty() }
        expectEqual(time.play(doubled.map(String.init)), "(1248|)")
    }

    @Test func pagesFollowEachOther() {
        let time = time
        let pages = time.cold("--1|").expand { page in
            page == "3" ? .empty() : time.cold("--(x|)", values: ["x": page == "1" ? "2" : "3"]).observable
        }
        expectEqual(time.play(pages), "--1-2-(3|)")
    }

    @Test func bufferedValuesAreExpandedInOrder() {
        let tree = Observable.of("a", "b").expand { $0.count < 3 ? .of($0 + "0", $0 + "1") : .empty() }
        let log = Log()
        tree.subscribeNext { log.add($0) }
        expectEqual(log.entries.count, 14)
        expectEqual(Set(log.entries).count, 14)
        expectEqual(log.entries.first, "a")
    }

    @Test func aFailureEndsIt() {
        expectEqual(time.play(Observable.just("a").expand { _ in .error(Failure()) }), "(a#)")
        expectEqual(time.play(Observable.just("a").expand { _ in throw Failure() }), "(a#)")
        expectEqual(time.play(time.cold("-#").expand { Observable.just($0) }), "-#")
    }

    @Test func aCancelEndsIt() {
        let time = time
        let ticks = time.cold("a|").expand { _ in time.cold("-(a|)").observable }
        expectEqual(time.play(ticks, during: "^--!"), "aaa")
    }

    @Test("R16: 50,000 expansions do not grow the stack")
    func stack() {
        let last = Box(0)
        Observable.just(1).expand { $0 < manyTimes ? .just($0 + 1) : .empty() }.subscribeNext { last.value = $0 }
        expectEqual(last.value, manyTimes)
    }
}
