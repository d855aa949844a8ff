import Foundation

/// Runs as `Benchmarks streams|provider|engines|soak [--gate] [--markdown] [--rounds n] [--only part-of-a-name]
/// [--contender name] [--at-a-time n]`.
@main
enum Benchmarks {
    private struct Options {
        let isGate: Bool
        let isMarkdown: Bool
        let rounds: Int
        let part: String?
        let contender: String?
        let concurrency: Int?

        init(_ arguments: inout [String]) {
            isGate = arguments.removeFlag("--gate")
            isMarkdown = arguments.removeFlag("--markdown")
            rounds = arguments.removeOption("--rounds").flatMap { Int($0) } ?? 7
            part = arguments.removeOption("--only")
            contender = arguments.removeOption("--contender")
            concurrency = arguments.removeOption("--at-a-time").flatMap { Int($0) }
        }
    }

    static func main() async {
        do {
            try await run()
        } catch {
            print("failed:", error)
            exit(1)
        }
    }

    private static func run() async throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let options = Options(&arguments)
        let missed: [String]
        switch arguments.first {
        case "streams": missed = await run(StreamWorkloads.all, options)
        case "provider": missed = await run(ProviderWorkloads.all, options)
        case "engines": missed = try await engines(options)
        case "soak": missed = try await Soak.run(requests: arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000)
        case "transfer": return try await Transfers.perform(Array(arguments.dropFirst()))
        default:
            print(
                "usage: Benchmarks streams|provider|engines|soak",
                "[--gate] [--markdown] [--rounds n] [--only part-of-a-name] [--contender name] [--at-a-time n]")
            exit(2)
        }
        for miss in missed { print("missed:", miss) }
        exit(options.isGate && !missed.isEmpty ? 1 : 0)
    }

    private static func run(_ workloads: [Workload], _ options: Options) async -> [String] {
        var chosen = workloads.filter { workload in options.part.map { workload.name.contains($0) } ?? true }
        if let contender = options.contender {
            for index in chosen.indices { chosen[index].contenders.removeAll { $0.name != contender } }
        }
        let results = await measure(chosen, rounds: options.rounds)
        print(table(of: results, isMarkdown: options.isMarkdown))
        return missedBars(results)
    }

    private static func engines(_ options: Options) async throws -> [String] {
        let server = try Nginx()
        defer { server.stop() }
        try await server.awaitReadiness()
        let rounds = try await EngineRounds.measure(
            server.url, rounds: options.rounds, contender: options.contender, concurrency: options.concurrency)
        print(rounds.table(isMarkdown: options.isMarkdown))
        guard options.contender == nil, options.concurrency == nil else { return rounds.missedBars }
        let transfers = try Transfers.measure(server.url)
        print(table(["content", "MB/s", "MB before", "MB at most"], transfers.rows, isMarkdown: options.isMarkdown))
        var missed = rounds.missedBars + transfers.missed
        #if os(Linux)
            let idle = try await IdleTransfers.measure(server.url, rounds: options.rounds)
            print(table(["idle transfers", "ratio"], idle.rows, isMarkdown: options.isMarkdown))
            missed += idle.missed
        #endif
        return missed
    }
}

extension [String] {
    mutating func removeFlag(_ flag: String) -> Bool {
        guard let index = firstIndex(of: flag) else { return false }
        remove(at: index)
        return true
    }

    mutating func removeOption(_ name: String) -> String? {
        guard let index = firstIndex(of: name), index + 1 < count else { return nil }
        defer { removeSubrange(index...index + 1) }
        return self[index + 1]
    }
}
