import Foundation
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct MarbleDiagramTests {
    private let diagram = MarbleDiagram(
        [
            .stream("source", "ab----c|"), .operator("debounce(for: 2 ms)"), .stream("", "---b---(c|)"),
            .subscription("source", "^------!"),
        ], showsAxis: true)

    @Test("T6: the text of a diagram has columns")
    func text() {
        #expect(
            diagram.text == """
                source  ab----c|
                        [ debounce(for: 2 ms) ]
                        ---b---(c|)
                source  ^------!
                        0    5
                """)
        #expect(MarbleDiagram([.stream("never", "-")]).text == "never  -")
        #expect(MarbleDiagram([]).text.isEmpty)
    }

    @Test("T6: the SVG of a diagram is well formed, whatever the names are")
    func svgIsWellFormed() throws {
        let hostile = MarbleDiagram([
            .stream("<&\"'>", "{<b>}-{&amp;}-{]]>}-{\\u{1}}#"), .operator("a < b && \"c\""),
        ])
        for diagram in [diagram, hostile, MarbleDiagram([])] {
            let svg = diagram.svg
            #expect(svg.hasPrefix("<svg "))
            #expect(svg.hasSuffix("</svg>\n"))
            #expect(!svg.contains("<b>"))
            // Each element that is opened is closed.
            let opened = svg.matches(of: #/<[a-z]/#).count
            let closed = svg.matches(of: #/<\/[a-z]+>|\/>/#).count
            #expect(opened == closed)
        }
    }

    @Test("T6: equal values have one color, and other elements have the colors of the page")
    func colors() {
        let svg = MarbleDiagram([.stream("", "a-b-a|")]).svg
        #expect(svg.matches(of: #/fill="#2f7ed8"/#).count == 2)
        #expect(svg.matches(of: #/fill="#d9822b"/#).count == 1)
        #expect(svg.contains("currentColor"))
        #expect(svg.utf8.count < 2000)
    }

    @Test("T6: wide values overlap neither the name nor the arrow of their row")
    func wideValues() throws {
        let svg = MarbleDiagram([.stream("a name", "{the first value}-------{the last value}")]).svg
        let width = try #require(svg.firstMatch(of: /width="([0-9.]+)"/).flatMap { Double($0.1) })
        let marbles = svg.matches(of: /<rect x="([0-9.]+)"[^>]*width="([0-9.]+)"/)
            .compactMap { match in Double(match.1).flatMap { x in Double(match.2).map { x...x + $0 } } }
        try #require(marbles.count == 2)
        let name = 8 + 6 * 7.6
        #expect(marbles[0].lowerBound > name)
        #expect(marbles[0].upperBound < marbles[1].lowerBound)
        // The head of the arrow begins 14 px from the edge.
        #expect(marbles[1].upperBound < width - 14)
    }

    @Test("T6: a recording is drawn with the times of its events")
    func recordings() {
        let time = VirtualTime()
        let recording = time.play(time.cold("a-(bc)|"))
        #expect(MarbleDiagram([.stream("out", recording)]).text == "out  a-(bc)|")
    }
}
