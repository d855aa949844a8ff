import Moya
import MoyaStreams
import TestSupport
import Testing

@testable import MoyaTesting

@Suite(.queued, .timeLimit(.minutes(10))) struct ParsedMarblesTests {
    let time = VirtualTime()

    @Test(
        "T3: a diagram is parsed to the millisecond",
        arguments: [
            ("--a--b|", "2a 5b 6|"),
            ("a-#", "0a 2#"),
            ("-(ab)c|", "1a 1b 2c 3|"),
            ("--(a|)", "2a 2|"),
            ("{one}-{two}", "0one 2two"),
            ("a 9ms b", "0a 10b"),
            ("a 2s |", "0a 2001|"),
            ("a 1.5s b 0.002s |", "0a 1501b 1504|"),
            ("a 1.s", "0a 11 2. 3s"),
            ("  - a  ", "1a"),
            ("m s 5 ", "0m 1s 25"),
            ("", ""),
        ])
    func reads(_ text: String, _ expected: String) throws {
        let marks = try ParsedMarbles(text, tick: .milliseconds(1)).marks
        let shown = marks.map { mark in
            let name =
                switch mark.event {
                case .value(let value): value
                case .completed: "|"
                case .error: "#"
                case .subscribed: "^"
                case .cancelled: "!"
                }
            return "\(Int(mark.time / .milliseconds(1)))\(name)"
        }
        expectEqual(shown.joined(separator: " "), expected)
    }

    @Test("a literal with a group that is longer than a millisecond is valid on a clock with longer ticks")
    func longTicks() {
        let time = VirtualTime(tick: .seconds(1))
        let source = time.cold("--(a 500ms b|)")
        expectEqual(time.play(source), "--(a 500ms b|)")
        expectEqual(source.subscriptions, ["^- 500ms !"])
        expectEqual(time.play(time.cold("--a"), during: "(^ 500ms !)").events.count, 0)
    }

    @Test(
        "T3: a caret marks a syntax error",
        arguments: [
            ("--a|b", "--a|b\n    ^ event after the terminal event"),
            ("-(ab", "-(ab\n ^ this group is not closed"),
            ("a)", "a)\n ^ unmatched `)`"),
            ("(a-b)", "(a-b)\n  ^ no tick passes within a group"),
            ("((a))", "((a))\n ^ a group cannot hold a group"),
            ("-{abc", "-{abc\n ^ this name is not closed"),
            ("-}", "-}\n ^ unmatched `}`"),
            ("(a 1ms b)", "(a 1ms b)\n   ^ a group is shorter than a tick"),
            ("a 9223372036854775807s b", "a 9223372036854775807s b\n  ^ this time is too long"),
            ("a 9223372036.9s b", "a 9223372036.9s b\n  ^ this time is too long"),
            ("-^a", "-^a\n ^ only a hot stream and a subscription have a point of subscription"),
            ("a!", "a!\n ^ only a subscription is cancelled"),
            ("{a\\b}", "{a\\b}\n  ^ a backslash stands before {, }, \\, n, r, t or u"),
            ("{\\u{zz}}", "{\\u{zz}}\n ^ a code is written \\u{1F600}"),
            ("{a\\", "{a\\\n  ^ something must follow the backslash"),
        ])
    func pointsAtMistakes(_ text: String, _ expected: String) {
        let error = #expect(throws: MarbleError.self) { try ParsedMarbles(text, tick: .milliseconds(1)) }
        expectEqual(error?.description, expected)
    }

    @Test(
        "T3: the printed form of a recording is parsed to an equal one",
        arguments: [
            "--a--b|", "(ab)-c#", "-(a|)", "{one}--{two}|", "a---", "",
        ])
    func printsWhatItReads(_ text: String) {
        let recording = time.play(time.cold(text))
        expectEqual(recording, Recording(stringLiteral: recording.marbles))
        expectEqual(recording.marbles, text.replacing(#/-+$/#, with: ""))
    }

    @Test(arguments: ["a 90s b|", "a 500us b", "(a 250ns b)c", " 1ms a 41ms b", "{a\\}\\\\\\n}"])
    func timesArePrintedInTheirLargestUnit(_ text: String) {
        let recording = time.play(time.cold(text))
        expectEqual(recording.marbles, text.replacing(" 1ms a", with: "-a"))
        expectEqual(recording, Recording(stringLiteral: text))
    }

    @Test("T3: the printed form of a random recording is parsed to an equal one", arguments: 0..<300)
    func roundTrip(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let tick = [Duration.milliseconds(1), .microseconds(3), .seconds(1)].randomElement(using: &generator) ?? .zero
        let time = VirtualTime(tick: tick)
        let recording = Recording<String>(on: time)
        for _ in 0..<Int.random(in: 0..<12, using: &generator) {
            let steps = [Duration.zero, tick, tick * 7, .nanoseconds(1), .milliseconds(90), .microseconds(1)]
            time.run(until: time.elapsed + (steps.randomElement(using: &generator) ?? .zero))
            recording.append(.next(Self.word(&generator)))
        }
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
            time.run(until: time.elapsed + tick)
            recording.append(.completed)
        case 1: recording.append(.error(Failure()))
        default: break
        }
        let again = Recording<String>(recording.marbles, tick: tick) { $0 }
        expectEqual(again, recording)
        expectEqual(again.marbles, recording.marbles)
    }

    private static func word(_ generator: inout SeededGenerator) -> String {
        let pieces = [
            "a", "b", " ", "-", "(", ")", "|", "#", "^", "!", "{", "}", "\\", "\n", "\r\n", "\u{301}", "\u{200D}", "é",
            "👩‍👩‍👧", "🇩🇪", "\u{1F1E9}", "\0", "9ms", "\u{1100}", "\u{1161}", "\u{2028}", "\u{FEFF}",
        ]
        return (0..<Int.random(in: 0..<4, using: &generator))
            .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
    }

    @Test("T3: random text is parsed or refused, and never stops the program", arguments: 0..<300)
    func hostileText(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let text = (0..<8).map { _ in Self.word(&generator) }.joined()
        for kind in [ParsedMarbles.DiagramKind.stream, .hot, .subscription] {
            do {
                _ = try ParsedMarbles(text, tick: .milliseconds(1), kind: kind)
            } catch {
                #expect(error.description.hasPrefix(text))
                #expect(error.description.contains("^ "))
            }
        }
    }

    @Test("T3: values are looked up by their names, or returned by a closure for them")
    func values() {
        let named = time.cold("a-b|", values: ["a": 10, "b": 20])
        expectEqual(time.play(named), Recording("a-b|", values: ["a": 10, "b": 20]))
        let made = time.cold("1-{23}|") { Int($0) }
        expectEqual(time.play(made), "1-{23}|")
        expectEqual(time.play(made.map { [$0] }), Recording("1-{23}|") { [Int($0) ?? 0] })
    }
}
