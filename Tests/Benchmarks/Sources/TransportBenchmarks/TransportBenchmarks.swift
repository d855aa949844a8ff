import Foundation
import Measuring

/// Measures transports against a server, or runs a soak test.
///
/// The arguments are `transports`, `cache`, `websockets` or `soak`, and those of ``Options``.
@main
enum TransportBenchmarks {
    static func main() async {
        await Benchmarks.run { arguments in
            var arguments = arguments
            let options = Options(&arguments)
            switch arguments.first {
            case "transports": Benchmarks.end(try await transports(options), options)
            case "soak":
                let numbers = arguments.dropFirst().compactMap { Int($0) }
                let (requests, threads) = (numbers.first ?? 100_000, numbers.dropFirst().first ?? 4)
                Benchmarks.end(try await Soak.run(requests: requests, threads: threads), options)
            case "cache": Benchmarks.end(try await cache(options), options)
            #if os(Linux)
                case "websockets": try await WebSockets.perform(Array(arguments.dropFirst()), options)
                case "memory": try await IdleMemory.perform(Array(arguments.dropFirst()))
            #endif
            case "transfer": try await Transfers.perform(Array(arguments.dropFirst()))
            default:
                print("usage: TransportBenchmarks transports|cache|websockets|soak", Options.usage)
                exit(2)
            }
        }
    }

    private static func cache(_ options: Options) async throws -> [String] {
        #if os(Linux)
            let server = try Nginx()
            defer { server.stop() }
            try await server.awaitReadiness()
            let results = try await CacheWorkloads.measure(server.url, options)
            print(Benchmarks.table(of: results, isMarkdown: options.isMarkdown))
            return Benchmarks.missedBars(results)
        #else
            return []
        #endif
    }

    private static func transports(_ options: Options) async throws -> [String] {
        let server = try Nginx()
        defer { server.stop() }
        try await server.awaitReadiness()
        let conditions = Conditions(rounds: options.rounds)
        let rounds = try await TransportRounds.measure(
            server.url, rounds: options.rounds, contender: options.contender, concurrency: options.concurrency)
        print(rounds.table(isMarkdown: options.isMarkdown))
        try rounds.articleTable(conditions).publish(options, conditions)
        guard options.contender == nil, options.concurrency == nil else { return rounds.missedBars }
        let transfers = try Transfers.measure(server.url, rounds: options.rounds)
        print(
            Benchmarks.table(
                ["content", "MB/s", "MB before", "MB at most"], transfers.rows, isMarkdown: options.isMarkdown))
        var missed = rounds.missedBars + transfers.missed
        #if os(Linux)
            let idle = try await IdleTransfers.measure(server.url, rounds: options.rounds)
            print(Benchmarks.table(["idle transfers", "ratio"], idle.rows, isMarkdown: options.isMarkdown))
            missed += idle.missed
            let memory = try IdleMemory.measure(server.url, rounds: options.rounds)
            print(Benchmarks.table(["memory", "of each"], memory, isMarkdown: options.isMarkdown))
        #endif
        return missed
    }
}
