import MoyaTesting

extension MarbleDiagram {
    /// The diagram as an SVG document.
    ///
    /// Inside an HTML page, the diagram has the text color of the page. As an image file, it follows the light or dark
    /// mode of the viewer. Names and values are escaped for XML.
    package var svg: String {
        let (lead, extent) = extents
        var canvas = SVGCanvas(margin: margin, lead: lead, width: margin + lead + extent + 18)
        var colors: [String: Int] = [:]
        for row in rows {
            switch row.content {
            case .stream(let marks): canvas.drawStream(row.name, cells(marks), &colors)
            case .span(let span):
                canvas.drawSpan(row.name, from: column(of: span.start), to: span.end.map { column(of: $0) })
            case .label: canvas.drawOperator(row.name)
            }
        }
        if showsAxis { canvas.drawAxis(columns, tick: tick) }
        return canvas.document
    }

    /// The width that long values need left of column 0 (`lead`), and the width of all columns (`extent`).
    private var extents: (lead: Double, extent: Double) {
        var lead = 0.0
        var extent = Double(columns) * SVGCanvas.column
        for row in rows {
            guard case .stream(let marks) = row.content else { continue }
            for mark in marks {
                guard case .value(let text) = mark.event else { continue }
                let start = Double(column(of: mark.time)) * SVGCanvas.column
                let excess = SVGCanvas.half(text) - SVGCanvas.radius
                lead = max(lead, excess - start)
                extent = max(extent, start + 2 * SVGCanvas.column + excess)
            }
        }
        return (lead, extent)
    }

    private var margin: Double {
        let names = rows.filter { if case .label = $0.content { false } else { true } }.map(\.name.count)
        let longest = names.max() ?? 0
        return longest == 0 ? 12 : Double(longest) * 7.6 + 24
    }
}

/// Draws the rows of a diagram from top to bottom.
private struct SVGCanvas {
    static let column = 26.0
    static let radius = 11.0
    /// The colors of values, which are legible on light and on dark backgrounds.
    static let palette = ["#2f7ed8", "#d9822b", "#2e9e6b", "#b04ac2", "#c94f4f", "#8a8d28", "#2a9fb0", "#7a6fe0"]

    let margin: Double
    let lead: Double
    let width: Double
    private var y = 10.0
    private var shapes: [String] = []

    init(margin: Double, lead: Double, width: Double) {
        self.margin = margin
        self.lead = lead
        self.width = width
    }

    static func half(_ text: String) -> Double { max(radius, Double(text.count) * 4 + 5) }

    private func x(_ column: Int) -> Double { margin + lead + Double(column) * Self.column + Self.radius + 2 }

    mutating func drawStream(
        _ name: String, _ cells: [(column: Int, events: [ParsedMarbles.DiagramEvent])], _ colors: inout [String: Int]
    ) {
        let tallest = cells.map { cell in cell.events.count { if case .value = $0 { true } else { false } } }.max() ?? 1
        let height = Double(max(tallest, 1)) * (Self.radius * 2 + 2) + 16
        let middle = y + height / 2
        drawName(name, at: middle)
        let end = width - 8
        // The time line has a gap at each marble that it would cross, because marbles are transparent.
        var line = "M\(n(margin)) \(n(middle))"
        for (column, events) in cells {
            let values = events.compactMap { if case .value(let text) = $0 { text } else { nil } }
            guard values.count % 2 == 1 else { continue }
            let half = Self.half(values[values.count / 2])
            line += "H\(n(x(column) - half))M\(n(x(column) + half)) \(n(middle))"
        }
        add("<path d=\"\(line)H\(n(end))m-6-4 6 4-6 4\" class=\"l\"/>")
        for (column, events) in cells {
            let values = events.compactMap { if case .value(let text) = $0 { text } else { nil } }
            for event in events where event == .completed || event == .error {
                drawEnd(event, x(column), middle, extent: Double(values.count) * (Self.radius + 1))
            }
            let step = Self.radius * 2 + 2
            var center = middle - step * Double(values.count - 1) / 2
            for value in values {
                let color = colors[value] ?? colors.count
                colors[value] = color
                drawValue(value, x(column), center, Self.palette[color % Self.palette.count])
                center += step
            }
        }
        y += height
    }

    /// Draws a terminal event: a vertical line for a completion, a cross for an error.
    ///
    /// Neither covers the values in the same column: the line has a gap, and the cross is drawn beside the values.
    ///
    /// - Parameter extent: half of the height of the values in the same column; 0 if the column has no values.
    private mutating func drawEnd(_ event: ParsedMarbles.DiagramEvent, _ x: Double, _ middle: Double, extent: Double) {
        if event == .error {
            let center = extent > 0 ? x + Self.radius + 9 : x
            add("<path d=\"M\(n(center)) \(n(middle))m-7-7 14 14m0-14-14 14\" class=\"e\"/>")
        } else if extent > 0 {
            add("<path d=\"M\(n(x)) \(n(middle - extent - 7))v7m0 \(n(extent * 2))v7\" class=\"e\"/>")
        } else {
            add("<path d=\"M\(n(x)) \(n(middle - Self.radius))V\(n(middle + Self.radius))\" class=\"e\"/>")
        }
    }

    private mutating func drawValue(_ text: String, _ x: Double, _ y: Double, _ color: String) {
        let half = Self.half(text)
        let size =
            "x=\"\(n(x - half))\" y=\"\(n(y - Self.radius))\" width=\"\(n(half * 2))\" height=\"\(n(Self.radius * 2))\""
        add("<rect \(size) rx=\"\(n(Self.radius))\" fill=\"\(color)\" stroke=\"\(color)\" class=\"v\"/>")
        add("<text x=\"\(n(x))\" y=\"\(n(y + 4.5))\" class=\"m\">\(text.escaped)</text>")
    }

    mutating func drawSpan(_ name: String, from start: Int, to end: Int?) {
        let middle = y + 12
        drawName(name, at: middle)
        let last = end.map { n(x($0)) } ?? n(width - 8)
        add("<path d=\"M\(n(x(start))) \(n(middle - 6))v12m0-6H\(last)\" class=\"s\"/>")
        if end != nil { add("<path d=\"M\(last) \(n(middle - 6))v12\" class=\"s\"/>") }
        y += 24
    }

    mutating func drawOperator(_ label: String) {
        let left = margin, boxWidth = max(width - margin - 8, Double(label.count) * 7.6 + 16)
        y += 4
        add("<rect x=\"\(n(left))\" y=\"\(n(y))\" width=\"\(n(boxWidth))\" height=\"28\" rx=\"5\" class=\"o\"/>")
        add("<text x=\"\(n(left + boxWidth / 2))\" y=\"\(n(y + 18.5))\" class=\"c\">\(label.escaped)</text>")
        widest = max(widest, left + boxWidth + 8)
        y += 32
    }

    mutating func drawAxis(_ columns: Int, tick: Duration) {
        y += 4
        add("<path d=\"M\(n(x(0))) \(n(y))H\(n(x(max(columns - 1, 0))))\" class=\"l\"/>")
        for column in stride(from: 0, to: columns, by: 5) {
            add("<path d=\"M\(n(x(column))) \(n(y))v5\" class=\"l\"/>")
            let label = DurationUnit.spell(tick * column)
            add("<text x=\"\(n(x(column)))\" y=\"\(n(y + 18))\" class=\"a\">\(label.escaped)</text>")
        }
        y += 24
    }

    private mutating func drawName(_ name: String, at middle: Double) {
        guard !name.isEmpty else { return }
        add("<text x=\"8\" y=\"\(n(middle + 4.5))\">\(name.escaped)</text>")
    }

    private var widest = 0.0

    private mutating func add(_ shape: String) {
        shapes.append(shape)
    }

    /// Returns a number as text with at most one decimal place.
    private func n(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }

    /// The SVG document.
    ///
    /// The CSS rules for `svg:root` set the text color of an SVG file. Inside an HTML page, these rules do not match,
    /// and the diagram has the text color of the page.
    var document: String {
        let size = (width: n(max(width, widest)), height: n(y + 8))
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(size.width)" height="\(size.height)" \
            viewBox="0 0 \(size.width) \(size.height)" fill="currentColor" \
            font-family="ui-monospace,Menlo,'DejaVu Sans Mono',monospace" font-size="12.5">
            <style>\
            .l,.e,.s,.o{fill:none;stroke:currentColor}.l{stroke-width:1.5;opacity:.65}.e{stroke-width:2.5}\
            .s{stroke-width:1.5;stroke-dasharray:4 3}.o{stroke-width:1.5;fill:currentColor;fill-opacity:.06}\
            .v{fill-opacity:.22;stroke-width:2}.m,.c,.a{text-anchor:middle}.a{font-size:10px;opacity:.75}\
            svg:root{color:#1d1d1f}@media(prefers-color-scheme:dark){svg:root{color:#f5f5f7}}\
            </style>
            \(shapes.joined(separator: "\n"))
            </svg>

            """
    }
}

extension String {
    /// The text escaped for XML, with U+FFFD in place of each control character.
    fileprivate var escaped: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case _ where scalar.properties.generalCategory == .control: result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
