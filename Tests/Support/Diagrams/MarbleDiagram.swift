package import MoyaTesting

/// A marble diagram, which shows the events of streams over time, as text or as SVG.
///
/// ```swift
/// let diagram = MarbleDiagram([
///     .stream("source", "ab----c|"),
///     .operator("debounce(for: 2 ms)"),
///     .stream("", "---b---(c|)"),
/// ])
/// print(diagram.text)
/// ```
/// The SVG document uses `currentColor`, so that it is legible on light and dark pages. Each value shows its text, and
/// equal values have the same color.
package struct MarbleDiagram: Sendable {
    /// A row of a diagram.
    package struct Row: Sendable {
        enum RowContent: Sendable {
            case stream([ParsedMarbles.DiagramMark])
            case span(SubscriptionSpan)
            case label
        }

        let name: String
        let content: RowContent

        /// Returns a row that shows the events of a stream.
        ///
        /// A syntax error in `marbles` stops the program with a message that points at the error.
        ///
        /// - Parameters:
        ///   - name: the label of the row.
        ///   - marbles: the events of the stream, in the notation of the article `Marbles`.
        ///   - start: the time of the first character of `marbles`.
        ///   - tick: the duration of one character of `marbles`.
        package static func stream(
            _ name: String, _ marbles: String, start: Duration = .zero, tick: Duration = .milliseconds(1)
        ) -> Row {
            let marks = ParsedMarbles(checked: marbles, tick: tick).marks.map {
                ParsedMarbles.DiagramMark(time: $0.time + start, event: $0.event, column: $0.column)
            }
            return Row(name: name, content: .stream(marks))
        }

        /// Returns a row with a recorded stream.
        package static func stream<Element>(_ name: String, _ recording: Recording<Element>) -> Row {
            .stream(name, recording.marbles, tick: recording.tick)
        }

        /// Returns a row with the span of a subscription.
        package static func subscription(_ name: String, _ span: SubscriptionSpan) -> Row {
            Row(name: name, content: .span(span))
        }

        /// Returns a row with the name of an operator.
        package static func `operator`(_ label: String) -> Row {
            Row(name: label, content: .label)
        }
    }

    let rows: [Row]
    let tick: Duration
    let showsAxis: Bool

    /// Creates a diagram.
    ///
    /// - Parameters:
    ///   - rows: the rows, from top to bottom.
    ///   - tick: the duration of one column; all events within this duration are drawn in one column.
    ///   - showsAxis: whether an axis is drawn below the rows, with column numbers in the text and times in the SVG.
    package init(_ rows: [Row], tick: Duration = .milliseconds(1), showsAxis: Bool = false) {
        self.rows = rows
        self.tick = max(tick, .nanoseconds(1))
        self.showsAxis = showsAxis
    }

    /// The number of columns, including an empty column after the last event.
    var columns: Int {
        let times = rows.flatMap { row -> [Duration] in
            switch row.content {
            case .stream(let marks): marks.map(\.time)
            case .span(let span): [span.start, span.end ?? span.start]
            case .label: []
            }
        }
        return column(of: times.max() ?? .zero) + 2
    }

    /// Returns the column of a time, from 0 to 1000; other times are drawn in the first or last of these columns.
    func column(of time: Duration) -> Int {
        Int(max(min((time / tick).rounded(.down), 1000), 0))
    }

    /// Returns the events of a row, grouped by column.
    func cells(_ marks: [ParsedMarbles.DiagramMark]) -> [(column: Int, events: [ParsedMarbles.DiagramEvent])] {
        var cells: [(column: Int, events: [ParsedMarbles.DiagramEvent])] = []
        for mark in marks {
            let column = column(of: mark.time)
            if cells.last?.column == column {
                cells[cells.count - 1].events.append(mark.event)
            } else {
                cells.append((column, [mark.event]))
            }
        }
        return cells
    }

    /// The diagram as text, with one column for each tick.
    ///
    /// ```text
    /// source  ab----c|
    ///         [ debounce(for: 2 ms) ]
    ///         ---b---(c|)
    /// ```
    package var text: String {
        let margin =
            (rows.filter { if case .label = $0.content { false } else { true } }.map(\.name.count).max() ?? 0) + 2
        var lines = rows.map { row -> String in
            let name = row.name.padding(to: margin)
            switch row.content {
            case .stream(let marks): return name + line(marks)
            case .span(let span):
                let start = column(of: span.start)
                let end = span.end.map { column(of: $0) }
                let dashes = end.map { String(repeating: "-", count: max($0 - start - 1, 0)) + "!" } ?? "-"
                return name + String(repeating: " ", count: start) + "^" + dashes
            case .label: return String(repeating: " ", count: margin) + "[ \(row.name) ]"
            }
        }
        if showsAxis {
            let marks = stride(from: 0, through: columns, by: 5).map { "\($0)".padding(to: 5) }
            lines.append((String(repeating: " ", count: margin) + marks.joined()).trimmedEnd)
        }
        return lines.joined(separator: "\n")
    }

    private func line(_ marks: [ParsedMarbles.DiagramMark]) -> String {
        let writer = MarbleWriter(tick: tick)
        var text = ""
        for (column, events) in cells(marks) {
            text += String(repeating: "-", count: max(column - text.count, 0))
            let names = events.map { writer.name($0) }.joined()
            text += events.count > 1 ? "(\(names))" : names
        }
        return text.isEmpty ? "-" : text
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(width - count, 0))
    }

    fileprivate var trimmedEnd: String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}
