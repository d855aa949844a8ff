import Foundation

extension Benchmarks {
    /// Returns a table of the medians in nanoseconds per operation and of the ratios to the contender `ours`.
    package static func table(of measurements: [Measurement], isMarkdown: Bool) -> String {
        var peers: [String] = []
        for contender in measurements.flatMap(\.workload.contenders).map(\.name)
        where !["floor", "ours"].contains(contender) && !peers.contains(contender) { peers.append(contender) }
        let header =
            ["workload", "floor ns", "ours ns", "ours / floor", "mallocs"]
            + peers.flatMap { ["\($0) ns", "\($0) / ours"] }
        let rows = measurements.map { measurement in
            [
                measurement.workload.name,
                text(measurement.median("floor")), text(measurement.median("ours")),
                text(measurement.ratio("ours", to: "floor"), suffix: "x"),
                measurement.mallocs["ours"].map { $0.formatted(1) } ?? "-",
            ]
                + peers.flatMap {
                    [text(measurement.median($0)), text(measurement.ratio($0, to: "ours"), suffix: "x")]
                }
        }
        return table(header, rows, isMarkdown: isMarkdown)
    }

    package static func table(_ header: [String], _ rows: [[String]], isMarkdown: Bool) -> String {
        isMarkdown ? markdown(header, rows) : plain(header, rows)
    }

    private static func text(_ value: Double?, suffix: String = "") -> String {
        value.map { $0.formatted($0 < 100 ? 2 : 0) + suffix } ?? "-"
    }

    private static func markdown(_ header: [String], _ rows: [[String]]) -> String {
        let lines = [header, ["---"] + Array(repeating: "---:", count: header.count - 1)] + rows
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    private static func plain(_ header: [String], _ rows: [[String]]) -> String {
        let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
        return ([header] + rows).map { row in
            row.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                return column == 0 ? row[column] + padding : padding + row[column]
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
