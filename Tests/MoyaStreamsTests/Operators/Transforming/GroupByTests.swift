import Moya
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct GroupByTests {
    let time = VirtualTime()

    private func grouped(_ marbles: String) -> Observable<(key: String, values: Observable<String>)> {
        time.cold(marbles).groupBy { $0.lowercased() }
    }

    @Test func sendsAStreamForEachKeyWithItsFirstValue() {
        expectEqual(time.play(grouped("a--b--A--B|").map(\.key)), "a--b------|")
    }

    @Test func eachGroupHasTheValuesOfItsKey() {
        let stream = grouped("a-b-A-B|").flatMap { key, values in values.map { "\(key)\($0)" } }
        for _ in 0..<2 { expectEqual(time.play(stream), "{aa}-{bb}-{aA}-{bB}|") }
    }

    @Test("R17: an error of the key closure or of the source fails all groups")
    func failures() {
        let fails = time.cold("a-b-A#").groupBy { $0.lowercased() }.flatMap { $0.values.materialize().map { "\($0)" } }
        expectEqual(time.play(fails).elements.count { $0.hasPrefix("error") }, 2)
        let throwing = time.cold("a-x-|").groupBy { value in
            if value == "x" { throw Failure() }
            return value
        }.flatMap { $0.values }
        expectEqual(time.play(throwing), "a-#")
    }

    @Test("a group that is subscribed later has all its values")
    func lateSubscriber() {
        let groups = Box<[Observable<String>]>([])
        grouped("a-A|").subscribeNext { group in groups.change { $0.append(group.values) } }
        time.run()
        expectEqual(time.play(groups.value[0]).elements, ["a", "A"])
        #expect(time.play(groups.value[0]).elements.isEmpty)
    }

    @Test("R5: the source is cancelled with the last subscriber of the groups and of the stream of groups")
    func cancel() {
        let source = time.cold("a-b-A-B--")
        let first = source.groupBy { $0.lowercased() }.take(1).flatMap { $0.values.take(2) }
        expectEqual(time.play(first), "a---(A|)")
        expectEqual(source.subscriptions, ["^---!"])
        let all = time.cold("a-b----")
        expectEqual(time.play(all.groupBy { $0 }.flatMap { $0.values }, during: "^--!"), "a-b")
        expectEqual(all.subscriptions, ["^--!"])
    }

    @Test(
        "R5: a cancel closes what a source has opened that keeps nothing but its resource, in each operator with inner streams"
    )
    func closes() {
        let log = Log()
        func source(_ name: String) -> Observable<Int> {
            Observable { emitter in
                emitter.onTermination { log.add("\(name) closed") }
                emitter.send(1)
            }
        }
        let subscriptions = [
            source("groupBy").groupBy { $0 }.flatMap { $0.values }.subscribeNext { _ in },
            source("window").window(count: 2).flatMap { $0 }.subscribeNext { _ in },
            source("window for").window(for: .seconds(1), on: time).flatMap { $0 }.subscribeNext { _ in },
            source("buffer for").buffer(for: .seconds(1), on: time).subscribeNext { _ in },
        ]
        #expect(log.entries.isEmpty)
        for subscription in subscriptions { subscription.cancel() }
        expectEqual(log.entries, ["groupBy closed", "window closed", "window for closed", "buffer for closed"])
    }

    @Test("R18: a group may send into its own source")
    func reentrancy() {
        let (signal, emitter) = Signal<Int>.pipe()
        let seen = Log()
        signal.groupBy { $0 % 2 }.flatMap { $0.values }.subscribeNext { value in
            seen.add("\(value)")
            if value < 4 { emitter.send(value + 1) }
        }
        emitter.send(0)
        expectEqual(seen.entries, ["0", "1", "2", "3", "4"])
    }

    @Test("R22: groups are released when the source ends")
    func releases() {
        let (signal, emitter) = Signal<Int>.pipe()
        weak var weakly: AnyObject?
        do {
            final class Held: Sendable {}
            let held = Held()
            weakly = held
            signal.groupBy { $0 }.flatMap { $0.values }.subscribeNext { _ in _ = held }
            emitter.send(1)
            emitter.complete()
        }
        #expect(weakly == nil)
    }
}
