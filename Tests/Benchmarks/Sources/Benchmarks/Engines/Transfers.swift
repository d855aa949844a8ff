import Foundation
import MoyaStreams

/// Large contents, each in a process of its own, which says how long it took and how much memory it had at most.
enum Transfers {
    private enum Kind: String, CaseIterable {
        case down
        case up
        case slow

        var title: String {
            switch self {
            case .down: "500 MB down, discarded"
            case .up: "500 MB up, from a file"
            case .slow: "500 MB down, read slowly"
            }
        }
    }

    /// More than the process had before: 30 MB in all, for a program that has no more than it needs.
    private static let mostMegabytes = 14.0
    private static let leastMegabytesPerSecond = 1000.0

    private struct Big: TargetType {
        let baseURL: URL
        var path = "/big"
        var method = HTTPMethod.get
        var task = RequestTask.requestPlain
    }

    /// Runs each, and gives the rows of a table and the bars that were missed.
    static func measure(_ url: URL) throws -> (rows: [[String]], missed: [String]) {
        var rows: [[String]] = []
        var missed: [String] = []
        for engine in ["curl", "URLSession"] {
            for kind in Kind.allCases where engine == "curl" || kind != .slow {
                let report = try run(["transfer", kind.rawValue, engine, url.absoluteString])
                let figures = report.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
                guard figures.count == 3 else {
                    throw URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: report])
                }
                let speed = kind == .slow ? "-" : (500 / figures[0]).formatted(0)
                rows.append(["\(kind.title), \(engine)", speed, figures[1].formatted(0), figures[2].formatted(0)])
                guard engine == "curl" else { continue }
                let growth = figures[2] - figures[1]
                if growth > mostMegabytes {
                    missed.append("\(kind.title): \(growth.formatted(0)) MB of memory, allowed are 14")
                }
                if kind == .down, 500 / figures[0] < leastMegabytesPerSecond / Workload.Bar.slack {
                    missed.append("\(kind.title): \(speed) MB/s, wanted are 1000, less 20 %")
                }
            }
        }
        return (rows, missed)
    }

    private static func run(_ arguments: [String]) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }

    /// In the process of its own: prints seconds, and the megabytes of memory before and at most.
    static func perform(_ arguments: [String]) async throws {
        guard arguments.count == 3, let kind = Kind(rawValue: arguments[0]), let url = URL(string: arguments[2]) else {
            throw URLError(.badURL)
        }
        let provider = MoyaProvider<Big>(transport: try transport(arguments[1]))
        _ = try await provider.response(Big(baseURL: url, path: "/"))
        let before = try memory("VmRSS")
        let begin = ContinuousClock.now
        switch kind {
        case .down:
            let bytes = Sum()
            _ = try await withCheckedThrowingContinuation { continuation in
                provider.requestStream(Big(baseURL: url)) { part in
                    if case .chunk(let data) = part { bytes.add(data.count) }
                } completion: {
                    continuation.resume(with: $0)
                }
            }
            guard bytes.value == 500_000_000 else { throw URLError(.networkConnectionLost) }
        case .up:
            let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try Data().write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            try FileHandle(forWritingTo: file).truncate(atOffset: 500_000_000)
            let upload = Big(baseURL: url, path: "/sink", method: .post, task: .uploadFile(file))
            guard try await provider.response(upload).statusCode == 200 else { throw URLError(.badServerResponse) }
        case .slow:
            var count = 0
            for try await chunk in try await provider.streamedResponse(Big(baseURL: url)) where !chunk.isEmpty {
                count += 1
                if count == 400 { break }
                try await Task.sleep(for: .milliseconds(2))
            }
        }
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        print(seconds, before, try memory("VmHWM"))
    }

    private static func transport(_ name: String) throws -> any Transport {
        #if os(Linux)
            if name == "curl" { return try CurlTransport() }
        #endif
        return URLSessionTransport()
    }

    /// In megabytes; where the system has no such file, not a number.
    private static func memory(_ field: String) throws -> Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
        return line.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Double($0) }.map { $0 / 1000 }
            ?? .nan
    }
}
