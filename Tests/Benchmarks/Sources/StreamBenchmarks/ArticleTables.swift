import Charts
import Measuring

/// The tables of the article *Performance*.
extension ArticleTable {
    static func streams(_ results: [Measurement], _ conditions: Conditions) -> ArticleTable {
        let results = results.named([
            "map, filter, map", "push, map, filter, 1 observer", "fan-out to 100, per observer", "flatMap(just)",
            "merge 10", "share", "observe(on: serial queue)", "values, two threads", "zip of 2 hot streams, per pair",
            "subscribe and cancel, 4 operators",
        ])
        let contenders = ["floor", "ours", "OpenCombine", "AsyncStream"]
        let chart = BarChart(
            title: "Streams", unit: "time of an element; a plain loop takes 1x",
            caption: conditions.caption, isLogarithmic: true,
            groups: results.map { .init($0, to: "floor", contenders.dropFirst().map { ($0, $0) }) })
        return ArticleTable(
            header: ["workload"] + contenders,
            rows: results.map { result in
                [result.workload.name]
                    + contenders.map { result.median($0).map { $0.formatted($0 < 100 ? 1 : 0) } ?? "" }
            }, charts: [("performance-streams", chart)])
    }

    static func provider(_ results: [Measurement], _ conditions: Conditions) -> ArticleTable {
        let results = results.named([
            "an immediate stub", "parameters in the query", "parameters as JSON", "an Encodable as a form",
            "a typed call of an immediate stub",
        ])
        // The request is written by hand, or a response is decoded by hand.
        func baseline(_ result: Measurement) -> String { result.rounds["floor"] == nil ? "by hand" : "floor" }
        func microseconds(_ result: Measurement, _ contender: String) -> String {
            result.median(contender).map { "\(($0 / 1000).formatted(1))\u{A0}µs" } ?? ""
        }
        let chart = BarChart(
            title: "The provider", unit: "time of a call; the same by hand takes 1x",
            caption: conditions.caption,
            groups: results.map { .init($0, to: baseline($0), [("ours", "")]) })
        return ArticleTable(
            header: ["", "by hand", "with a provider", "allocations"],
            rows: results.map { result in
                [
                    result.workload.name, microseconds(result, baseline(result)), microseconds(result, "ours"),
                    result.mallocs["ours"]?.formatted(0) ?? "",
                ]
            }, charts: [("performance-provider", chart)])
    }
}
