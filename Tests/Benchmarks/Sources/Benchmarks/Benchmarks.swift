import Foundation

/// Runs as `Benchmarks streams [--gate] [--markdown] [--rounds n]`.
@main
enum Benchmarks {
    static var tables: [String: [Workload]] { ["streams": StreamWorkloads.all] }

    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let isGate = arguments.removeFlag("--gate")
        let isMarkdown = arguments.removeFlag("--markdown")
        var rounds = 7
        if let index = arguments.firstIndex(of: "--rounds"), index + 1 < arguments.count {
            rounds = Int(arguments[index + 1]) ?? rounds
            arguments.removeSubrange(index...index + 1)
        }
        guard arguments.count == 1, let workloads = tables[arguments[0]] else {
            print("usage: Benchmarks \(tables.keys.sorted().joined(separator: "|")) [--gate] [--markdown] [--rounds n]")
            exit(2)
        }
        let results = await measure(workloads, rounds: rounds)
        print(table(of: results, isMarkdown: isMarkdown))
        let missed = missedBars(results)
        for miss in missed { print("missed:", miss) }
        exit(isGate && !missed.isEmpty ? 1 : 0)
    }
}

extension [String] {
    mutating func removeFlag(_ flag: String) -> Bool {
        guard let index = firstIndex(of: flag) else { return false }
        remove(at: index)
        return true
    }
}
