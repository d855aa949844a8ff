import Foundation

/// A chart of ratios to a baseline, as an SVG document of 360 px width that is scaled to the width of its page.
///
/// The main package compiles this file, too, for its tests: the benchmarks have large dependencies.
package struct BarChart: Sendable {
    package struct Bar: Sendable {
        let label: String
        let ratio: Double
        /// Whether the bar has the color of this package.
        let isOurs: Bool

        package init(_ label: String, _ ratio: Double, isOurs: Bool) {
            self.label = label
            self.ratio = ratio
            self.isOurs = isOurs
        }
    }

    package struct Group: Sendable {
        let label: String
        let bars: [Bar]

        package init(_ label: String, _ bars: [Bar]) {
            self.label = label
            self.bars = bars
        }
    }

    let title: String
    /// What the length of a bar stands for, such as "times the plain loop".
    let unit: String
    /// The date and the conditions of the measurement.
    let caption: String
    /// Whether the scale is logarithmic; otherwise, it begins at zero.
    let isLogarithmic: Bool
    let groups: [Group]

    package init(title: String, unit: String, caption: String, isLogarithmic: Bool = false, groups: [Group]) {
        self.title = title
        self.unit = unit + (isLogarithmic ? "; logarithmic scale" : "")
        self.caption = caption
        self.isLogarithmic = isLogarithmic
        // A ratio that could not be measured has no bar.
        self.groups = groups.map { group in Group(group.label, group.bars.filter { $0.ratio.isFinite && $0.ratio > 0 })
        }
    }

    /// Writes the documents `name.svg` and `name~dark.svg`, which DocC shows in light and in dark mode.
    package func write(_ name: String, to directory: String) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for (suffix, isDark) in [("", false), ("~dark", true)] {
            let file = URL(filePath: directory).appending(path: "\(name)\(suffix).svg")
            try Data(svg(isDark: isDark).utf8).write(to: file)
        }
    }

    // MARK: Drawing

    private static let width = 360.0
    /// The horizontal range of the bars; the labels are left of it, the longest ratio is right of it.
    private static let bars = 104.0...312.0

    /// Returns the document in the colors of light or dark pages, without a background.
    package func svg(isDark: Bool) -> String {
        let scale = Scale(groups.flatMap(\.bars).map(\.ratio), isLogarithmic: isLogarithmic)
        var shapes = [text(title, 8, 18, "t"), text(unit, 8, 34, "s")]
        var y = 44.0
        // The lines of the ticks, interrupted at the labels of the groups.
        var lines = scale.ticks.map { _ in "" }
        for group in groups where !group.bars.isEmpty {
            y += 14
            shapes.append(text(group.label, 8, y, "g"))
            y += 6
            let top = y
            for bar in group.bars {
                shapes += draw(bar, at: y, scale)
                y += 15
            }
            for (index, tick) in scale.ticks.enumerated() {
                lines[index] +=
                    "M\(Self.number(x(scale.position(of: tick)))) \(Self.number(top - 2))V\(Self.number(y - 2))"
            }
            y += 4
        }
        let grid = zip(scale.ticks, lines).flatMap { tick, line in
            [
                "<path d=\"\(line)\" class=\"\(tick == 1 ? "b" : "l")\"/>",
                text(Self.ratio(tick), x(scale.position(of: tick)), y + 9, "c"),
            ]
        }
        return document(grid + shapes + [text(caption, 8, y + 28, "s")], height: y + 36, isDark: isDark)
    }

    private func draw(_ bar: Bar, at y: Double, _ scale: Scale) -> [String] {
        let end = x(scale.position(of: bar.ratio)), start = x(scale.isLogarithmic ? scale.position(of: 1) : 0)
        let size = "width=\"\(Self.number(max(abs(end - start), 1)))\" height=\"11\""
        let origin = "x=\"\(Self.number(min(start, end)))\" y=\"\(Self.number(y))\""
        return [
            text(bar.label, Self.bars.lowerBound - 6, y + 9.5, "e"),
            "<rect \(origin) \(size) class=\"\(bar.isOurs ? "o" : "p")\"/>",
            text(Self.ratio(bar.ratio), max(start, end) + 4, y + 9.5, "v"),
        ]
    }

    private func document(_ shapes: [String], height: Double, isDark: Bool) -> String {
        let ink = isDark ? "#f5f5f7" : "#1d1d1f"
        let (ours, others) = isDark ? ("#4c9aff", "#8e8e93") : ("#2269c4", "#9a9aa0")
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.number(Self.width * 1.5))" height="\(Self.number(height * 1.5))" \
            viewBox="0 0 \(Self.number(Self.width)) \(Self.number(height))" role="img" fill="\(ink)" \
            font-family="system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif" font-size="11">
            <title>\(Self.escaped(title)): \(Self.escaped(unit))</title>
            <style>.t{font-size:13px;font-weight:600}.g{font-weight:600}.s{font-size:10px;fill-opacity:.75}\
            .e{text-anchor:end}.c{text-anchor:middle;font-size:10px;fill-opacity:.75}\
            .l,.b{fill:none;stroke:\(ink);stroke-opacity:.15}.b{stroke-opacity:.6}\
            .o{fill:\(ours)}.p{fill:\(others)}</style>
            \(shapes.joined(separator: "\n"))
            </svg>

            """
    }

    /// Returns the horizontal position of a point of the scale, which extends from 0 to 1.
    private func x(_ position: Double) -> Double {
        Self.bars.lowerBound + position * (Self.bars.upperBound - Self.bars.lowerBound)
    }

    private func text(_ text: String, _ x: Double, _ y: Double, _ style: String) -> String {
        "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" class=\"\(style)\">\(Self.escaped(text))</text>"
    }

    /// Returns a ratio with one decimal if it is below ten.
    package static func ratio(_ ratio: Double) -> String {
        number(ratio < 9.95 ? ratio : ratio.rounded(), keepsZero: ratio < 9.95 && ratio != ratio.rounded()) + "x"
    }

    /// Returns a number with at most one decimal.
    private static func number(_ value: Double, keepsZero: Bool = false) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 && !keepsZero ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

/// Maps ratios to the range from 0 to 1.
private struct Scale {
    let isLogarithmic: Bool
    /// The labeled ratios; they include 1, the baseline.
    let ticks: [Double]
    private let range: ClosedRange<Double>

    init(_ ratios: [Double], isLogarithmic: Bool) {
        self.isLogarithmic = isLogarithmic
        let (least, most) = (min(ratios.min() ?? 1, 1), max(ratios.max() ?? 1, 1))
        if isLogarithmic {
            let powers = Int(log10(least).rounded(.down))...Int(log10(most).rounded(.down))
            ticks = powers.map { pow(10, Double($0)) }
            range = Double(powers.lowerBound)...max(log10(most), Double(powers.lowerBound) + 1)
        } else {
            let step = [1, 2, 5, 10, 20, 50, 100].first { most / $0 <= 4 } ?? most
            ticks = Set(Array(stride(from: 0, through: most, by: step)) + [1]).sorted()
            range = 0...most
        }
    }

    func position(of ratio: Double) -> Double {
        ((isLogarithmic ? log10(ratio) : ratio) - range.lowerBound) / (range.upperBound - range.lowerBound)
    }
}
