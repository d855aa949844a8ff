import MoyaStreams
import Testing

@testable import MoyaTesting

@Suite struct MarblesTests {
    let time = VirtualTime()

    @Test(
        "T3: a diagram is read to the millisecond",
        arguments: [
            ("--a--b|", "2a 5b 6|"),
            ("a-#", "0a 2#"),
            ("-(ab)c|", "1a 1b 2c 3|"),
            ("--(a|)", "2a 2|"),
            ("{one}-{two}", "0one 2two"),
            ("a 9ms b", "0a 10b"),
            ("a 2s |", "0a 2001|"),
            ("  - a  ", "1a"),
            ("m s 5 ", "0m 1s 25"),
            ("", ""),
        ])
    func reads(_ text: String, _ expected: String) throws {
        let marks = try Marbles(text, tick: .milliseconds(1)).marks
        let shown = marks.map { time, mark in
            let name =
                switch mark {
                case .value(let value): value
                case .completed: "|"
                case .error: "#"
                }
            return "\(Int(time / .milliseconds(1)))\(name)"
        }
        #expect(shown.joined(separator: " ") == expected)
    }

    @Test(
        "T3: a caret stands under what is wrong",
        arguments: [
            ("--a|b", "--a|b\n    ^ nothing comes after the end"),
            ("-(ab", "-(ab\n ^ this group is not closed"),
            ("a)", "a)\n ^ there is no group to close"),
            ("(a-b)", "(a-b)\n  ^ no time passes within a group"),
            ("((a))", "((a))\n ^ a group cannot hold a group"),
            ("-{abc", "-{abc\n ^ this name is not closed"),
            ("-}", "-}\n ^ there is no name to close"),
        ])
    func pointsAtMistakes(_ text: String, _ expected: String) {
        let error = #expect(throws: MarbleError.self) { try Marbles(text, tick: .milliseconds(1)) }
        #expect(error?.description == expected)
    }

    @Test(
        "T3: a recording prints in the notation that it is read in",
        arguments: [
            "--a--b|", "(ab)-c#", "-(a|)", "{one}--{two}|", "a---", "",
        ])
    func printsWhatItReads(_ text: String) {
        let recording = time.play(time.cold(text))
        #expect(recording == Recording(stringLiteral: recording.marbles))
        #expect(recording.marbles == text.replacing(#/-+$/#, with: ""))
    }

    @Test func longWaitsArePrintedAsATime() {
        let recording = time.play(time.cold("a 90s b|"))
        #expect(recording.marbles == "a 90000ms b|")
        #expect(recording == "a 90000ms b|")
    }
}
