import MoyaStreams
import MoyaTesting
import Testing

@Suite struct TimeoutTests {
    let time = VirtualTime()

    @Test func failsWhenNothingComes() {
        let stream = time.cold("a-b-----c|").timeout(after: .milliseconds(3), on: time)
        let recording = time.play(stream)
        #expect(recording == "a-b--#")
        #expect((recording.error as? StreamTimeout)?.duration == .milliseconds(3))
    }

    @Test func alsoBeforeTheFirst() {
        #expect(time.play(time.cold("----a|").timeout(after: .milliseconds(3), on: time)) == "---#")
    }

    @Test("a value or a completion after the deadline is a failure, though the timer is late")
    func late() {
        let late = time.late(by: .milliseconds(50))
        #expect(time.play(time.cold("a----b|").timeout(after: .milliseconds(3), on: late)) == "a----#")
        #expect(time.play(time.cold("a----|").timeout(after: .milliseconds(3), on: late)) == "a----#")
        #expect(time.play(time.cold("a--b--|").timeout(after: .milliseconds(3), on: late)) == "a--b--|")
    }

    @Test func leavesOthersInPeace() {
        #expect(time.play(time.cold("-a-b|").timeout(after: .milliseconds(3), on: time)) == "-a-b|")
        #expect(time.play(time.cold("-#").timeout(after: .milliseconds(3), on: time)) == "-#")
        #expect(time.leftovers.isEmpty)
    }
}
