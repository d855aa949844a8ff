/// Writes a diagram in the notation that ``Marbles`` reads.
enum MarbleWriter {
    /// Longer waits are written as a time.
    private static let mostDashes = 40

    static func write(_ marks: [(time: Duration, mark: Marbles.Mark)], tick: Duration) -> String {
        var text = ""
        var time = Duration.zero
        var rest = marks[...]
        while let first = rest.first {
            let instant = rest.prefix { $0.time == first.time }
            rest = rest.dropFirst(instant.count)
            text += wait(first.time - time, tick)
            let names = instant.map { name($0.mark) }.joined()
            text += instant.count > 1 ? "(\(names))" : names
            time = first.time + tick
        }
        return text
    }

    private static func wait(_ duration: Duration, _ tick: Duration) -> String {
        guard duration > .zero else { return "" }
        let ticks = duration / tick
        if ticks == ticks.rounded(), ticks <= Double(mostDashes) {
            return String(repeating: "-", count: Int(ticks))
        }
        return " \(Int64((duration / .milliseconds(1)).rounded()))ms "
    }

    private static func name(_ mark: Marbles.Mark) -> String {
        switch mark {
        case .completed: "|"
        case .error: "#"
        case .value(let text): text.count == 1 && !"-()|#{} ^!".contains(text) ? text : "{\(text)}"
        }
    }
}
