package struct MarbleWriter {
    /// The maximum number of dashes for the time between two events; a longer time is written with a unit: `50ms`.
    private static let maximumDashes = 40

    let tick: Duration

    package init(tick: Duration) {
        self.tick = tick
    }

    func write(_ marks: [(time: Duration, event: ParsedMarbles.DiagramEvent)]) -> String {
        var text = ""
        var time = Duration.zero
        for group in groups(marks.map { ($0.time, $0) }) {
            let gap = gap(group.start - time)
            text += gap + cell(group.items, after: gap)
            time = group.start + tick
        }
        return text
    }

    /// Groups the items that a diagram shows together: those less than one tick after the first item of the group.
    func groups<Item>(_ items: [(time: Duration, item: Item)]) -> [(start: Duration, items: [Item])] {
        var groups: [(start: Duration, items: [Item])] = []
        for (time, item) in items {
            if let start = groups.last?.start, time < start + tick {
                groups[groups.count - 1].items.append(item)
            } else {
                groups.append((time, [item]))
            }
        }
        return groups
    }

    func gap(_ duration: Duration) -> String {
        guard duration > .zero else { return "" }
        let ticks = duration / tick
        if ticks <= Double(Self.maximumDashes), tick * Int(ticks) == duration {
            return String(repeating: "-", count: Int(ticks))
        }
        return " \(DurationUnit.write(duration)) "
    }

    /// - Parameter text: the text before the cell.
    func cell(_ marks: [(time: Duration, event: ParsedMarbles.DiagramEvent)], after text: String) -> String {
        guard marks.count > 1, let first = marks.first else {
            return marks.first.map { name($0.event, after: text) } ?? ""
        }
        var text = "("
        var time = first.time
        for mark in marks {
            if mark.time > time { text += " \(DurationUnit.write(mark.time - time)) " }
            text += name(mark.event, after: text)
            time = mark.time
        }
        return text + ")"
    }

    /// A digit after a time is not plain: with the next value, it might be read as another time.
    private func name(_ event: ParsedMarbles.DiagramEvent, after text: String) -> String {
        let name = name(event)
        return text.hasSuffix(" ") && name.first?.isNumber == true ? "{\(name)}" : name
    }

    package func name(_ event: ParsedMarbles.DiagramEvent) -> String {
        switch event {
        case .completed: "|"
        case .error: "#"
        case .subscribed: "^"
        case .cancelled: "!"
        case .value(let text): isPlain(text) ? text : "{\(escaped(text))}"
        }
    }

    private func isPlain(_ text: String) -> Bool {
        guard text.count == 1, let value = text.utf8.first, text.utf8.count == 1 else { return false }
        return value > 32 && value < 127 && !"-()|#{}^!".utf8.contains(value)
    }

    private func escaped(_ text: String) -> String {
        var result = ""
        for (index, scalar) in text.unicodeScalars.enumerated() {
            switch scalar {
            case "}", "{", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                let category = scalar.properties.generalCategory
                let isInvisible = [.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
                // A combining mark at the start of the text is escaped, or it would combine with the opening brace.
                let isCombining = index == 0 && [.nonspacingMark, .enclosingMark, .spacingMark].contains(category)
                if (isInvisible && scalar != "\u{200D}") || isCombining {
                    result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }
}
