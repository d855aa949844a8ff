import AsyncHTTPClient
import Foundation
import Measuring
import MoyaStreams

/// Transfers of large content, each in a separate process that reports its time and its maximum memory.
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

    /// The maximum additional memory of a transfer: 30 MB in all for a program that needs no more for itself.
    private static let mostMegabytes = 14.0
    private static let peer = "AsyncHTTPClient"

    private struct Big: TargetType {
        let baseURL: URL
        var path = "/big"
        var method = HTTPMethod.get
        var task = RequestTask.requestPlain
    }

    private struct Figures {
        let seconds: Double
        let before: Double
        let most: Double
    }

    /// Runs all transfers, one after the other; returns the rows of a table and the missed bars.
    static func measure(_ url: URL, rounds: Int) throws -> (rows: [[String]], missed: [String]) {
        let runs: [(client: String, kind: Kind)] = [
            ("curl", .down), (peer, .down), ("curl", .up), ("URLSession", .up), ("curl", .slow),
        ]
        // The first transfer of a file takes longer for any client: the pages of the file are not in memory yet.
        _ = try perform(.down, peer, url)
        var figures: [[Figures]] = runs.map { _ in [] }
        for _ in 0..<rounds {
            for (index, run) in runs.enumerated() { figures[index].append(try perform(run.kind, run.client, url)) }
        }
        func median(_ index: Int, _ value: (Figures) -> Double) -> Double {
            Benchmarks.median(figures[index].map(value))
        }
        let rows = runs.indices.map { index in
            [
                "\(runs[index].kind.title), \(runs[index].client)",
                runs[index].kind == .slow ? "-" : (500 / median(index, \.seconds)).formatted(0),
                median(index, \.before).formatted(0), median(index, \.most).formatted(0),
            ]
        }
        var missed = runs.indices.filter { runs[$0].client == "curl" }.compactMap { index -> String? in
            let growth = median(index) { $0.most - $0.before }
            guard growth > mostMegabytes else { return nil }
            return "\(runs[index].kind.title): \(growth.formatted(0)) MB of memory, allowed are 14"
        }
        // The ratio of the medians, because the times of single transfers vary much, and so do their ratios.
        let ratio = median(0, \.seconds) / median(1, \.seconds)
        if ratio > Workload.Bar.slack {
            missed.append("\(Kind.down.title): takes \(ratio.formatted(2)) x \(peer), allowed are 1 x and 20 %")
        }
        return (rows, missed)
    }

    private static func perform(_ kind: Kind, _ client: String, _ url: URL) throws -> Figures {
        let figures = try Subprocess.numbers(["transfer", kind.rawValue, client, url.absoluteString])
        guard figures.count == 3 else { throw URLError(.unknown) }
        return Figures(seconds: figures[0], before: figures[1], most: figures[2])
    }

    /// Performs one transfer in its own process; prints the seconds, and the memory before and at most, in megabytes.
    static func perform(_ arguments: [String]) async throws {
        guard arguments.count == 3, let kind = Kind(rawValue: arguments[0]), let url = URL(string: arguments[2]) else {
            throw URLError(.badURL)
        }
        guard arguments[1] != peer else { return try await performWithPeer(url) }
        let provider = MoyaProvider<Big>(transport: try transport(arguments[1]))
        _ = try await provider.response(Big(baseURL: url, path: "/"))
        let before = Subprocess.memory("VmRSS")
        let begin = ContinuousClock.now
        switch kind {
        case .down:
            var count = 0
            for try await chunk in try await provider.streamedResponse(Big(baseURL: url)) { count += chunk.count }
            guard count == 500_000_000 else { throw URLError(.networkConnectionLost) }
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
        print(seconds, before, Subprocess.memory("VmHWM"))
    }

    /// Downloads the content with the peer.
    private static func performWithPeer(_ url: URL) async throws {
        let client = HTTPClient.shared
        let address = url.absoluteString
        let small = try await client.execute(HTTPClientRequest(url: "\(address)/"), timeout: .seconds(30))
        _ = try await small.body.collect(upTo: 1000)
        let before = Subprocess.memory("VmRSS")
        let begin = ContinuousClock.now
        let response = try await client.execute(HTTPClientRequest(url: "\(address)/big"), timeout: .seconds(60))
        var count = 0
        for try await chunk in response.body { count += chunk.readableBytes }
        guard count == 500_000_000 else { throw URLError(.networkConnectionLost) }
        print((ContinuousClock.now - begin) / .seconds(1), before, Subprocess.memory("VmHWM"))
    }

    private static func transport(_ name: String) throws -> any Transport {
        #if os(Linux)
            if name == "curl" { return try CurlTransport() }
        #endif
        return URLSessionTransport()
    }
}
