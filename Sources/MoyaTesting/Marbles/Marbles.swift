/// A diagram of what happens when: the parsed form of `"--a--(bc)|"`.
///
/// `-` is a tick without events, a character is a value and a tick, `(ab)` values of one instant and a tick, `|` the
/// completion, `#` an error, `{name}` a value of more than one character, ` 9ms ` a time (`ms`, `s` or `m`); spaces are
/// ignored.
struct Marbles: Sendable {
    enum Mark: Sendable, Hashable {
        case value(String)
        case completed
        case error
    }

    /// What happens, with its time from the start.
    private(set) var marks: [(time: Duration, mark: Mark)] = []

    init(_ text: String, tick: Duration) throws(MarbleError) {
        var parser = MarbleParser(text, tick: tick)
        marks = try parser.parse()
    }

    /// For a diagram that stands in the program's text.
    init(checked text: String, tick: Duration) {
        do throws(MarbleError) {
            try self.init(text, tick: tick)
        } catch {
            preconditionFailure("\n\(error)")
        }
    }
}

/// Why a diagram is not well formed, with a caret under the place.
public struct MarbleError: Error, CustomStringConvertible {
    /// The diagram, a caret line, and the reason.
    public let description: String

    init(_ text: String, at column: Int, _ reason: String) {
        description = "\(text)\n\(String(repeating: " ", count: column))^ \(reason)"
    }
}

private struct MarbleParser {
    private let text: String
    private let characters: [Character]
    private let tick: Duration
    private var column = 0
    private var time = Duration.zero
    private var marks: [(Duration, Marbles.Mark)] = []
    private var groupStart: Int?
    private var hasEnded = false

    init(_ text: String, tick: Duration) {
        self.text = text
        self.tick = tick
        characters = Array(text)
    }

    mutating func parse() throws(MarbleError) -> [(time: Duration, mark: Marbles.Mark)] {
        while column < characters.count { try step() }
        if let groupStart { throw error(at: groupStart, "this group is not closed") }
        return marks
    }

    private mutating func step() throws(MarbleError) {
        switch characters[column] {
        case " ":
            column += 1
            try readTime()
            return
        case "-":
            guard groupStart == nil else { throw error(at: column, "no time passes within a group") }
            time += tick
        case "(":
            guard groupStart == nil else { throw error(at: column, "a group cannot hold a group") }
            groupStart = column
        case ")":
            guard groupStart != nil else { throw error(at: column, "there is no group to close") }
            groupStart = nil
            time += tick
        case "|": try add(.completed)
        case "#": try add(.error)
        case "{": try readName()
        case "}": throw error(at: column, "there is no name to close")
        case let value: try add(.value(String(value)))
        }
        column += 1
    }

    private mutating func add(_ mark: Marbles.Mark) throws(MarbleError) {
        guard !hasEnded else { throw error(at: column, "nothing comes after the end") }
        if case .value = mark {} else { hasEnded = true }
        marks.append((time, mark))
        if groupStart == nil { time += tick }
    }

    private mutating func readName() throws(MarbleError) {
        guard let end = characters[column...].firstIndex(of: "}") else {
            throw error(at: column, "this name is not closed")
        }
        let name = String(characters[column + 1..<end])
        try add(.value(name))
        column = end
    }

    /// Behind a space: a number and a unit, up to the next space or the end, is a time.
    private mutating func readTime() throws(MarbleError) {
        let end = characters[column...].firstIndex(of: " ") ?? characters.count
        let word = String(characters[column..<end])
        let units: [(String, Duration)] = [("ms", .milliseconds(1)), ("s", .seconds(1)), ("m", .seconds(60))]
        for (name, unit) in units where word.hasSuffix(name) {
            guard let count = Int32(word.dropLast(name.count)), count >= 0 else { continue }
            guard groupStart == nil else { throw error(at: column, "no time passes within a group") }
            time += unit * Int(count)
            column = end
            return
        }
    }

    private func error(at column: Int, _ reason: String) -> MarbleError {
        MarbleError(text, at: column, reason)
    }
}
