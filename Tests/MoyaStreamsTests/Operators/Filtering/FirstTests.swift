import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct FirstTests {
    let time = VirtualTime()

    private func first(_ marbles: String) -> Recording<String> { time.play(time.cold(marbles).first()) }
    private func single(_ marbles: String) -> Recording<String> { time.play(time.cold(marbles).single()) }

    @Test func theFirstReleasesTheSource() {
        let source = time.cold("--a--b|")
        expectEqual(time.play(source.first()), "--(a|)")
        expectEqual(source.subscriptions, ["^-!"])
    }

    @Test func noFirstIsAFailure() {
        let recording = first("--|")
        expectEqual(recording, "--#")
        expectEqual(recording.error as? StreamError, .noElements)
        expectEqual(first("-#"), "-#")
    }

    @Test func theOnlyOneComesWithTheCompletion() {
        expectEqual(single("--a--|"), "-----(a|)")
        expectEqual(single("--a--#"), "-----#")
    }

    @Test func noneOrTwoAreAFailure() {
        let none = single("--|")
        expectEqual(none, "--#")
        expectEqual(none.error as? StreamError, .noElements)
        let source = time.cold("a-b--c|")
        let two = time.play(source.single())
        expectEqual(two, "--#")
        expectEqual(two.error as? StreamError, .moreThanOneElement)
        expectEqual(source.subscriptions, ["^-!"])
    }

    @Test("first(where:) skips values until one meets the condition")
    func condition() async throws {
        let time = VirtualTime()
        expectEqual(time.play(time.cold("a-b-c|").first { $0 != "a" }), "--(b|)")
        expectEqual(time.play(time.cold("a|").first { $0 != "a" }).error as? StreamError, .noElements)
        #expect(time.play(time.cold("a|").first { _ in throw Failure() }).error is Failure)
        try await expectEqual(Observable.of(1, 2, 3).first { $0 > 1 }, 2)
        await #expect(throws: StreamError.noElements) { try await Observable.of(1).first { $0 > 1 } }
    }
}
