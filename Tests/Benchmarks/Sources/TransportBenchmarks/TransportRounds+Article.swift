import Charts
import Measuring

/// The table of the article *Performance*.
extension TransportRounds {
    func articleTable(_ conditions: Conditions) -> ArticleTable {
        let clients = [
            (Self.alone, "`CurlTransport`, on its own thread"), (Self.awaited, "`CurlTransport`, awaited"),
            (Self.twoThreads, "the same with two threads"),
            ("provider", "`MoyaProvider` on one thread, awaited"),
            ("provider, 2 threads", "`MoyaProvider` on two threads, awaited"), ("URLSession", "URLSession, awaited"),
        ].filter { names.contains($0.0) }
        let columns: [(header: String, value: (Load) -> Double)] = [
            ("requests/s", \.perSecond), ("p99", { $0.percentile(0.99) }), ("CPU per request", \.processorPerRequest),
        ]
        // Without line breaks within a cell.
        func joined(_ texts: [String]) -> String { texts.joined(separator: "\u{A0}/\u{A0}") }
        func chart(_ title: String, _ value: (Load) -> Double) -> BarChart {
            BarChart(
                title: title, unit: "\(Self.peer) has 1x; by the number of requests at a time",
                caption: conditions.caption,
                groups: clients.map { client, label in
                    .init(
                        label.filter { $0 != "`" },
                        measured.compactMap { concurrency in
                            ratio(client, concurrency, value).map {
                                .init("\(concurrency) at a time", $0, isOurs: client != "URLSession")
                            }
                        })
                })
        }
        return ArticleTable(
            header: ["", "at a time"] + columns.map(\.header),
            rows: clients.map { client, label in
                [label, joined(measured.map(String.init))]
                    + columns.map { column in
                        joined(measured.map { ratio(client, $0, column.value)?.formatted(1) ?? "-" }) + "x"
                    }
            },
            charts: [
                ("performance-requests", chart("Requests per second", \.perSecond)),
                ("performance-cpu", chart("Processor time of a request", \.processorPerRequest)),
            ])
    }
}
