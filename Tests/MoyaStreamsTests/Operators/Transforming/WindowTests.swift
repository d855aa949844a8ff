import Moya
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct WindowTests {
    let time = VirtualTime()

    /// Returns the values of the windows, each with the number of its window, from 0.
    private func flattened(_ windows: Observable<Observable<String>>) -> Observable<String> {
        windows.enumerated().flatMap { index, window in
            window.materialize().map { event in
                switch event {
                case .next(let element): "\(index)\(element)"
                case .error: "\(index)#"
                case .completed: "\(index)|"
                }
            }
        }
    }

    @Test func aWindowHasTheGivenNumberOfValues() {
        let stream = flattened(time.cold("a-b-c-d-e|").window(count: 2))
        for _ in 0..<2 { expectEqual(time.play(stream), "{0a}-({0b}{0|})-{1c}-({1d}{1|})-{2e}({2|}|)") }
        expectEqual(time.play(flattened(time.cold("|").window(count: 2))), "|")
        expectEqual(time.play(flattened(time.cold("a|").window(count: 0))), "({0a}{0|})|")
    }

    @Test func aWindowIsOpenForATime() {
        let stream = time.cold("ab---cdef|").window(for: .milliseconds(3), count: 3, on: time)
        expectEqual(
            time.play(flattened(stream)), "{0a}{0b}-{0|}-{1c}{1d}({1e}{1|}){2f}({2|}|)")
    }

    @Test("a window that has ended by the clock receives no values, also if its timer is late")
    func late() {
        let stream = time.cold("a----b|").window(for: .milliseconds(3), on: time.late(by: .milliseconds(50)))
        expectEqual(time.play(flattened(stream)), "{0a}----({0|}{1b})({1|}|)")
    }

    @Test("a failure also fails the open window")
    func failure() {
        expectEqual(time.play(flattened(time.cold("a#").window(count: 2))), "{0a}({0#}#)")
    }

    @Test("a window or group that is subscribed after the source was cancelled sends what it has, and completes")
    func subscribedLate() {
        let windows = time.cold("ab-c-d|").window(count: 3).take(1).delay(for: .milliseconds(3), on: time)
        let ofWindows = time.play(windows.flatMap { $0.toArray() })
        #expect(ofWindows.isCompleted && ofWindows.elements.count == 1)
        let groups = time.cold("ab-c-d|").groupBy { $0 == "a" }.take(1).delay(for: .milliseconds(3), on: time)
        let ofGroups = time.play(groups.flatMap { $0.values.toArray() })
        #expect(ofGroups.isCompleted && ofGroups.elements.count == 1)
    }

    @Test("R5: the source is cancelled when neither the stream of windows nor any window has a subscriber")
    func cancel() {
        let source = time.cold("a-b-c-d--")
        expectEqual(time.play(source.window(count: 3).take(1).flatMap { $0 }), "a-b-(c|)")
        expectEqual(source.subscriptions, ["^---!"])
        let timed = time.cold("a-----")
        _ = time.play(timed.window(for: .milliseconds(9), on: time).flatMap { $0 }, during: "^-!")
        expectEqual(timed.subscriptions, ["^-!"])
        #expect(time.leftovers.isEmpty)
    }
}
