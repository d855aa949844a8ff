import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct BarChartTests {
    private func chart(isLogarithmic: Bool = false, _ ratios: [Double]) -> BarChart {
        BarChart(
            title: "Streams & more", unit: "a unit", caption: "2026-01-01, a processor", isLogarithmic: isLogarithmic,
            groups: [.init("a < b", ratios.map { .init("ours", $0, isOurs: true) })])
    }

    /// The widths of the bars, from top to bottom.
    private func widths(_ chart: BarChart) -> [Double] {
        chart.svg(isDark: false).matches(of: /<rect [^>]*width="([0-9.]+)"/).compactMap { Double($0.1) }
    }

    @Test func barsAreProportionalToRatios() {
        #expect(widths(chart([1, 2, 4, 0.5])) == [52, 104, 208, 26])
    }

    @Test func barsAreProportionalToLogarithms() {
        #expect(widths(chart(isLogarithmic: true, [10, 100, 1, 0.1])) == [69.3, 138.7, 1, 69.3])
    }

    @Test("ratios below 1 extend to the left of the baseline of a logarithmic scale")
    func smallRatios() {
        let starts = chart(isLogarithmic: true, [10, 0.1]).svg(isDark: false).matches(of: /<rect x="([0-9.]+)"/)
        #expect(starts.map(\.1) == ["208", "104"])
    }

    @Test func ratiosThatWereNotMeasuredHaveNoBar() {
        #expect(widths(chart([2, .nan, .infinity, 0])) == [208])
        #expect(widths(chart([])).isEmpty)
    }

    @Test(arguments: [(0.3, "0.3x"), (1, "1x"), (1.96, "2.0x"), (9.94, "9.9x"), (9.96, "10x"), (130.4, "130x")])
    func ratiosHaveTwoDigits(_ ratio: Double, _ text: String) {
        #expect(BarChart.ratio(ratio) == text)
    }

    @Test func textStandsWithinTheWidthOfAPhone() throws {
        let svg = chart([1, 2]).svg(isDark: false)
        #expect(svg.contains("viewBox=\"0 0 360 "))
        let positions = svg.matches(of: #/ x="([0-9.]+)"/#).compactMap { Double($0.1) }
        #expect(!positions.isEmpty && positions.allSatisfy { $0 < 320 })
    }

    @Test("both documents are well-formed, have the same text, and differ in their colors")
    func documents() throws {
        let chart = chart([1, 2.5])
        for text in ["Streams &amp; more", "a &lt; b", "a unit", "2026-01-01, a processor", "2.5x"] {
            #expect(chart.svg(isDark: false).contains(">\(text)<"))
        }
        let (light, dark) = (chart.svg(isDark: false), chart.svg(isDark: true))
        #expect(light.contains("#1d1d1f") && !light.contains("#f5f5f7"))
        #expect(dark.contains("#f5f5f7") && !dark.contains("#1d1d1f"))
        #expect(
            light.matches(of: />([^<]+)</).map(\.1).filter { !$0.contains("{") }
                == dark.matches(of: />([^<]+)</).map(\.1).filter { !$0.contains("{") })
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        try chart.write("chart", to: directory.path)
        #expect(try String(contentsOf: directory.appending(path: "chart.svg"), encoding: .utf8) == light)
        #expect(try String(contentsOf: directory.appending(path: "chart~dark.svg"), encoding: .utf8) == dark)
    }
}
