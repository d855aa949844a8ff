import MoyaStreams
import MoyaTesting
import Testing

@Suite struct DelayTests {
    let time = VirtualTime()

    @Test func movesValuesAndCompletion() {
        #expect(time.play(time.cold("a-b|").delay(for: .milliseconds(2), on: time)) == "--a-b|")
        #expect(time.play(time.cold("(ab)c|").delay(for: .milliseconds(3), on: time)) == "---(ab)c|")
    }

    @Test("R20: a failure is not delayed")
    func failure() {
        #expect(time.play(time.cold("ab#").delay(for: .milliseconds(2), on: time)) == "--#")
        #expect(time.leftovers.isEmpty)
    }

    @Test func aCancelDropsPendingEvents() {
        #expect(time.play(time.cold("abc").delay(for: .seconds(1), on: time), during: "^---!") == "")
        #expect(time.leftovers.isEmpty)
    }

    @Test("values keep their order if the timers fire in another order")
    func order() throws {
        try VirtualTime.explore { time in
            time.play(Observable.from(["a", "b", "c"]).delay(for: .milliseconds(2), on: time))
        }
    }
}
