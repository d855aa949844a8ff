import MoyaScheduling

/// The parser reads Unicode scalars, because a dash and a combining mark after it are one `Character`.
struct MarbleParser {
    private let text: String
    private let tick: Duration
    /// Whether `tick` is the default of a literal, whose clock is not known yet, and may be longer.
    private let mayChangeTick: Bool
    private let kind: ParsedMarbles.DiagramKind
    private var index: String.Index
    private var time = Duration.zero
    private var marks: [ParsedMarbles.DiagramMark] = []
    private var group: (start: Duration, index: String.Index)?
    private var hasEnded = false

    init(_ text: String, tick: Duration?, kind: ParsedMarbles.DiagramKind) {
        self.text = text
        self.tick = tick ?? .milliseconds(1)
        mayChangeTick = tick == nil
        self.kind = kind
        index = text.startIndex
    }

    mutating func parse() throws(MarbleError) -> [ParsedMarbles.DiagramMark] {
        while index < text.endIndex { try step() }
        if let group { throw error(at: group.index, "this group is not closed") }
        return marks
    }

    private var scalars: String.UnicodeScalarView { text.unicodeScalars }

    private mutating func step() throws(MarbleError) {
        let here = index
        let scalar = scalars[here]
        index = scalars.index(after: here)
        switch scalar {
        case _ where scalar.properties.isWhitespace: try readTime()
        case "-":
            guard group == nil else { throw error(at: here, "no tick passes within a group") }
            time += tick
        case "(":
            guard group == nil else { throw error(at: here, "a group cannot hold a group") }
            group = (time, here)
        case ")":
            guard let group else { throw error(at: here, "unmatched `)`") }
            time = group.start + tick
            self.group = nil
        case "|": try add(.completed, at: here)
        case "#": try add(.error, at: here)
        case "^": try add(.subscribed, at: here)
        case "!": try add(.cancelled, at: here)
        case "{": try add(.value(try readName(from: here)), at: here)
        case "}": throw error(at: here, "unmatched `}`")
        default:
            // A value is one `Character`, except that a combining mark after a syntax character is a separate value.
            let end = text.index(after: here)
            if String.Index(here, within: text) != nil, end > index { index = end }
            try add(.value(String(scalars[here..<index])), at: here)
        }
    }

    private mutating func add(_ event: ParsedMarbles.DiagramEvent, at place: String.Index) throws(MarbleError) {
        if let reason = objection(to: event) { throw error(at: place, reason) }
        switch event {
        case .completed, .error, .cancelled: hasEnded = true
        case .value, .subscribed: break
        }
        marks.append(ParsedMarbles.DiagramMark(time: time, event: event, column: column(of: place)))
        if group == nil { time += tick }
    }

    private func objection(to event: ParsedMarbles.DiagramEvent) -> String? {
        if hasEnded { return "event after the terminal event" }
        switch (event, kind) {
        case (.subscribed, .stream): return "only a hot stream and a subscription have a point of subscription"
        case (.subscribed, _):
            return marks.contains { $0.event == .subscribed } ? "it is subscribed already" : nil
        case (.cancelled, .stream), (.cancelled, .hot): return "only a subscription is cancelled"
        case (.cancelled, .subscription):
            return marks.isEmpty ? "nothing is subscribed yet: begin with ^" : nil
        case (_, .subscription): return "a subscription has only ^ and !"
        case (_, .stream), (_, .hot): return nil
        }
    }

    private mutating func readName(from start: String.Index) throws(MarbleError) -> String {
        var name = String.UnicodeScalarView()
        while index < text.endIndex {
            let scalar = scalars[index]
            index = scalars.index(after: index)
            switch scalar {
            case "}": return String(name)
            case "\\": name.append(try readEscape())
            default: name.append(scalar)
            }
        }
        throw error(at: start, "this name is not closed")
    }

    private mutating func readEscape() throws(MarbleError) -> Unicode.Scalar {
        let start = scalars.index(before: index)
        guard index < text.endIndex else { throw error(at: start, "something must follow the backslash") }
        let scalar = scalars[index]
        index = scalars.index(after: index)
        switch scalar {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "{", "}", "\\": return scalar
        case "u":
            if let end = scalars[index...].firstIndex(of: "}"), scalars[index] == "{",
                let code = UInt32(String(scalars[scalars.index(after: index)..<end]), radix: 16),
                let scalar = Unicode.Scalar(code)
            {
                index = scalars.index(after: end)
                return scalar
            }
            throw error(at: start, "a code is written \\u{1F600}")
        default: throw error(at: start, "a backslash stands before {, }, \\, n, r, t or u")
        }
    }

    private mutating func readTime() throws(MarbleError) {
        let end = scalars[index...].firstIndex { $0.properties.isWhitespace || $0 == ")" } ?? text.endIndex
        let word = String(scalars[index..<end])
        for (name, unit) in DurationUnit.all where word.hasSuffix(name) {
            guard let nanoseconds = unit.nanoseconds(in: word.dropLast(name.count)) else { continue }
            let passed = time + .nanoseconds(nanoseconds)
            guard passed < .longest else { throw error(at: index, "this time is too long") }
            if let group, !mayChangeTick, passed >= group.start + tick {
                throw error(at: index, "a group is shorter than a tick")
            }
            time = passed
            index = end
            return
        }
    }

    private func column(of index: String.Index) -> Int {
        text[..<index].count
    }

    private func error(at index: String.Index, _ reason: String) -> MarbleError {
        MarbleError(text, at: column(of: index), reason)
    }
}

package struct DurationUnit {
    let nanoseconds: Int64

    /// The units with their names; `ms` precedes `s`, because a text that ends with `ms` also ends with `s`.
    static let all: [(name: String, unit: DurationUnit)] = [
        ("ns", DurationUnit(nanoseconds: 1)), ("us", DurationUnit(nanoseconds: 1000)),
        ("ms", DurationUnit(nanoseconds: 1_000_000)), ("s", DurationUnit(nanoseconds: 1_000_000_000)),
        ("m", DurationUnit(nanoseconds: 60_000_000_000)),
    ]

    /// Reads a number of units, such as `3` or `1.5`; returns `nil` for any other text.
    func nanoseconds(in number: Substring) -> Int64? {
        let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isWholeNumber) }), let whole = Int64(parts[0]),
            let fraction = parts.count == 1 ? 0 : Double("0.\(parts[1])")
        else { return nil }
        let (product, overflow) = nanoseconds.multipliedReportingOverflow(by: whole)
        let (sum, sumOverflow) = product.addingReportingOverflow(Int64((fraction * Double(nanoseconds)).rounded()))
        return overflow || sumOverflow ? .max : sum
    }

    /// Returns a duration as text, such as `5ms`, in the largest unit from `ns` to `s` that gives a whole number.
    static func write(_ duration: Duration) -> String {
        let nanoseconds = duration.nanoseconds
        for (name, unit) in all[..<4].reversed() where nanoseconds % unit.nanoseconds == 0 {
            return "\(nanoseconds / unit.nanoseconds)\(name)"
        }
        return "\(nanoseconds)ns"
    }
}
