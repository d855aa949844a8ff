import Foundation

/// Runs as `Benchmarks streams|provider [--gate] [--markdown] [--rounds n] [--only part-of-a-name] [--contender name]`.
@main
enum Benchmarks {
    static var tables: [String: [Workload]] { ["streams": StreamWorkloads.all, "provider": ProviderWorkloads.all] }

    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let isGate = arguments.removeFlag("--gate")
        let isMarkdown = arguments.removeFlag("--markdown")
        let rounds = arguments.removeOption("--rounds").flatMap { Int($0) } ?? 7
        let part = arguments.removeOption("--only")
        let contender = arguments.removeOption("--contender")
        guard arguments.count == 1, let workloads = tables[arguments[0]] else {
            print(
                "usage: Benchmarks \(tables.keys.sorted().joined(separator: "|"))",
                "[--gate] [--markdown] [--rounds n] [--only part-of-a-name] [--contender name]")
            exit(2)
        }
        var chosen = workloads.filter { workload in part.map { workload.name.contains($0) } ?? true }
        if let contender {
            for index in chosen.indices { chosen[index].contenders.removeAll { $0.name != contender } }
        }
        let results = await measure(chosen, rounds: rounds)
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

    mutating func removeOption(_ name: String) -> String? {
        guard let index = firstIndex(of: name), index + 1 < count else { return nil }
        defer { removeSubrange(index...index + 1) }
        return self[index + 1]
    }
}
