import MoyaStreams

extension Recording: Equatable where Element: Equatable {
    /// Returns whether both recordings have the same events at the same times.
    ///
    /// Errors of the same type are compared by `==`, or by their descriptions if the type is not `Equatable`. The
    /// ``MarbleFailure`` of an expected recording equals any error except a ``VirtualTimeError``. If the recordings
    /// differ, the actual recording shows the first difference in its ``description``.
    public static func == (left: Recording, right: Recording) -> Bool {
        let (expected, actual) = left.isExpectation ? (left, right) : (right, left)
        let difference = actual.difference(from: expected)
        actual.show(difference)
        return difference == nil
    }

    /// Returns a text with both diagrams and a caret at the first difference; `nil` if the recordings are equal.
    ///
    /// ```text
    /// expected  --a--c|
    /// actual    --a--b|
    ///                ^ at 5 ms: expected c, got b
    /// ```
    public func difference(from expected: Recording) -> String? {
        let writer = MarbleWriter(tick: tick)
        let rows = [expected.events(tick: tick), events].map { entries in
            Dictionary(writer.groups(entries.map { ($0.time, $0) }).map { ($0.start, $0.items) }, uniquingKeysWith: +)
        }
        var texts = ["", ""]
        var caret: (column: Int, reason: String)?
        var time = Duration.zero
        for start in Set(rows.flatMap(\.keys)).sorted() {
            let cells = rows.map { $0[start] ?? [] }
            let gap = writer.gap(start - time)
            texts = texts.map { $0 + gap }
            if caret == nil, let (moment, reason) = Self.firstDifference(cells[0], cells[1], expected.isExpectation) {
                caret = (texts[0].count, "at \(DurationUnit.spell(moment)): \(reason)")
            }
            let written = cells.map { cell in
                let marks = cell.map { ($0.time, ParsedMarbles.DiagramEvent($0.event)) }
                return cell.isEmpty ? "-" : writer.cell(marks, after: gap)
            }
            let width = written.map(\.count).max() ?? 0
            for index in 0...1 {
                texts[index] += written[index] + String(repeating: " ", count: width - written[index].count)
            }
            time = max(time, start + tick)
        }
        guard let caret else { return nil }
        let order = seed.map { " (VirtualTime(seed: \($0)))" } ?? ""
        let margin = String(repeating: " ", count: 10 + caret.column)
        return "expected  \(texts[0])\nactual    \(texts[1])\n\(margin)^ \(caret.reason)\(order)"
    }

    private static func firstDifference(
        _ expected: [Entry], _ actual: [Entry], _ isExpectation: Bool
    ) -> (Duration, String)? {
        for index in 0..<max(expected.count, actual.count) {
            let left = expected.indices.contains(index) ? expected[index] : nil
            let right = actual.indices.contains(index) ? actual[index] : nil
            if let left, let right, left.time == right.time, isEqual(left.event, right.event, isExpectation) {
                continue
            }
            if let left, let right, left.time != right.time {
                return left.time < right.time
                    ? (left.time, "expected \(name(left)), got nothing")
                    : (right.time, "expected nothing, got \(name(right))")
            }
            let time = left?.time ?? right?.time ?? .zero
            var names = [left, right].map { $0.map { name($0) } ?? "nothing" }
            if names[0] == names[1] { names = [left, right].map { $0.map { name($0, isDebug: true) } ?? "nothing" } }
            return (time, "expected \(names[0]), got \(names[1])")
        }
        return nil
    }

    private static func isEqual(
        _ expected: Event<Element>, _ actual: Event<Element>, _ isExpectation: Bool
    ) -> Bool {
        switch (expected, actual) {
        case (.next(let expected), .next(let actual)): expected == actual
        case (.completed, .completed): true
        case (.error(let expected), .error(let actual)):
            // A `MarbleFailure` stands for any error of the stream. A `VirtualTimeError` is an error of the clock.
            isExpectation && expected is MarbleFailure && !(actual is VirtualTimeError) || isSame(expected, actual)
        default: false
        }
    }

    private static func isSame(_ left: any Error, _ right: any Error) -> Bool {
        guard type(of: left) == type(of: right) else { return false }
        let value: Any = left
        if let left = value as? any Equatable { return left.isEqual(to: right) }
        return "\(left)" == "\(right)"
    }

    private static func name(_ entry: Entry, isDebug: Bool = false) -> String {
        switch entry.event {
        case .next(let element): isDebug ? String(reflecting: element) : "\(element)"
        case .completed: "completed"
        case .error(let error):
            error is MarbleFailure
                ? "an error" : "the error \(isDebug ? "\(type(of: error)).\(error)" : "\(error)")"
        }
    }
}

extension Equatable {
    fileprivate func isEqual(to other: any Error) -> Bool {
        (other as? Self) == self
    }
}

extension DurationUnit {
    /// Returns a duration as text with a space before the unit, such as `5 ms`.
    package static func spell(_ duration: Duration) -> String {
        let written = write(duration)
        let unit = written.drop { $0.isNumber }
        return "\(written.dropLast(unit.count)) \(unit == "us" ? "µs" : String(unit))"
    }
}
