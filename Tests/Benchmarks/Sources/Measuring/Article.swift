import Charts
import Foundation

/// The conditions of a run, which stand below its charts.
package struct Conditions {
    private let begin = Date()
    private let load = Host.load()
    private let rounds: Int

    /// Stores the time and the load of the machine; to be called before the run.
    package init(rounds: Int) {
        self.rounds = rounds
    }

    /// The date, the processor and the number of rounds.
    package var caption: String {
        "\(begin.formatted(.iso8601.year().month().day())), \(Host.processor), \(rounds == 1 ? "1 round" : "medians of \(rounds) rounds")"
    }

    /// The caption, and the load before the run, which does not include that of the benchmark.
    var description: String { "\(caption), load average before the run \(load.formatted(1))" }
}

/// A table of the article *Performance*, and the charts of the same run.
package struct ArticleTable {
    let header: [String]
    let rows: [[String]]
    let charts: [(name: String, chart: BarChart)]

    package init(header: [String], rows: [[String]], charts: [(name: String, chart: BarChart)]) {
        self.header = header
        self.rows = rows
        self.charts = charts
    }

    /// Writes the charts to the directory of `--svg`, and prints the table and the conditions for the article; does
    /// nothing without that option.
    package func publish(_ options: Options, _ conditions: Conditions) throws {
        guard let directory = options.svgDirectory else { return }
        for (name, chart) in charts { try chart.write(name, to: directory) }
        print("\nFor the article, \(conditions.description):\n")
        print(Benchmarks.table(header, rows, isMarkdown: true))
    }
}

extension BarChart.Group {
    /// Creates the group of a workload, with the ratios of contenders to a baseline.
    ///
    /// - Parameter labels: the contenders with their labels; those that were not measured have no bar.
    package init(_ measurement: Measurement, to baseline: String, _ labels: [(contender: String, label: String)]) {
        self.init(
            measurement.workload.name,
            labels.compactMap { contender, label in
                measurement.ratio(contender, to: baseline).map { .init(label, $0, isOurs: contender == "ours") }
            })
    }
}

extension [Measurement] {
    /// Returns the measurements of the workloads with these names, in the order of the names.
    package func named(_ names: [String]) -> [Measurement] {
        names.compactMap { name in first { $0.workload.name == name } }
    }
}
