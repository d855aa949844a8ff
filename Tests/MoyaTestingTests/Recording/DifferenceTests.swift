import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct DifferenceTests {
    let time = VirtualTime()

    @Test(
        "T5: a difference has both diagrams, a caret and a sentence",
        arguments: [
            ("--a--b|", "--a--c|", "expected  --a--c|\nactual    --a--b|\n               ^ at 5 ms: expected c, got b"),
            (
                "--a--|", "--a--b|",
                "expected  --a--b|\nactual    --a--|-\n               ^ at 5 ms: expected b, got completed"
            ),
            (
                "a-(bc)|", "a--b",
                "expected  a--   b\nactual    a-(bc)|\n            ^ at 2 ms: expected nothing, got b"
            ),
            (
                "a 90s b", "a 90s c",
                "expected  a 90s c\nactual    a 90s b\n                ^ at 90001 ms: expected c, got b"
            ),
            ("", "#", "expected  #\nactual    -\n          ^ at 0 s: expected an error, got nothing"),
            (
                "a#", "a|",
                "expected  a|\nactual    a#\n           ^ at 1 ms: expected completed, got the error Failure(id: 7)"
            ),
        ])
    func difference(_ actual: String, _ expected: String, _ text: String) {
        let recording = time.play(time.cold(actual, error: Failure(id: 7)))
        let difference = recording.difference(from: Recording(expected) { $0 })
        expectEqual(difference, text)
    }

    private enum Other: Error { case failed }
    private enum Another: Error { case failed }

    @Test("T5: errors and values that have one description are told apart")
    func sameDescriptions() {
        let recording = time.play(Observable<String>.error(Other.failed))
        let difference = recording.difference(from: Recording("#", error: Another.failed) { $0 })
        #expect(difference?.hasSuffix("expected the error Another.failed, got the error Other.failed") == true)
        let texts = time.play(Observable<String?>.just("nil"))
        #expect(texts.difference(from: Recording("({nil}|)") { _ in nil })?.contains("\"nil\"") == true)
    }

    @Test("T5: times finer than a nanosecond, and digits after times, do not change a diagram that is read again")
    func readsItsOwnDiagram() {
        let third = time.play(time.cold("a|").delay(for: .seconds(1) / 3, on: time))
        expectEqual(third, Recording(third.marbles) { $0 })
        let (signal, emitter) = Signal<String>.pipe()
        let digits = time.record(signal)
        time.advance(by: .milliseconds(50))
        for text in ["1", "s"] {
            emitter.send(text)
            time.advance(by: .milliseconds(1))
        }
        expectEqual(digits.marbles, " 50ms {1}s")
        expectEqual(digits, Recording(digits.marbles) { $0 })
        let coarse = VirtualTime(tick: .milliseconds(10))
        let (others, sender) = Signal<String>.pipe()
        let group = coarse.record(others)
        sender.send("a")
        coarse.advance(by: .milliseconds(1))
        for text in ["1", "s"] { sender.send(text) }
        expectEqual(group.marbles, "(a 1ms {1}s)")
        expectEqual(group, Recording(group.marbles, tick: .milliseconds(10)) { $0 })
    }

    @Test("T5: a recording describes the difference of its last comparison only")
    func lastComparison() {
        let recording = time.play(time.cold("a-b|"))
        #expect(!(recording == "a-c|"))
        #expect(recording.description.contains("expected c, got b"))
        expectEqual(recording, "a-b|")
        expectEqual(recording.description, "a-b|")
    }

    @Test("T5: only in an expected recording, a failure of a diagram stands for any error")
    func recordedFailure() throws {
        let time = VirtualTime()
        let recordings = [time.cold("-#"), time.cold("-#", error: Other.failed)].map { time.record($0) }
        time.run()
        #expect(recordings[0] != recordings[1] && recordings[1] != recordings[0])
        #expect(recordings[0] == "-#" && recordings[1] == "-#")
    }

    @Test("T5: equal recordings have no difference")
    func noDifference() {
        let recording = time.play(time.cold("a-(bc)|"))
        #expect(recording.difference(from: "a-(bc)|") == nil)
        expectEqual(recording.description, "a-(bc)|")
    }

    @Test("T5: a difference has the seed of the order of work")
    func seed() {
        let time = VirtualTime(seed: 42)
        let difference = time.play(time.cold("a")).difference(from: "b")
        #expect(difference?.hasSuffix("expected b, got a (VirtualTime(seed: 42))") == true)
    }

    @Test("T5: Swift Testing shows the difference")
    func shownBySwiftTesting() {
        withKnownIssue {
            let recording = time.play(time.cold("a-b|"))
            expectEqual(recording, "a-c|")
        } matching: { issue in
            "\(issue)".contains("at 2 ms: expected c, got b") && "\(issue)".contains("expected  a-c|")
        }
    }
}
