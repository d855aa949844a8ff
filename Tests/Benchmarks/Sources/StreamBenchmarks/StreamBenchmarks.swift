import Foundation
import Measuring

/// Measures streams or the provider: `StreamBenchmarks streams|provider`, with the options of ``Options``.
@main
enum StreamBenchmarks {
    static func main() async {
        await Benchmarks.run { arguments in
            var arguments = arguments
            let options = Options(&arguments)
            let workloads: [Workload]
            switch arguments.first {
            case "streams": workloads = StreamWorkloads.all
            case "provider": workloads = ProviderWorkloads.all
            default:
                print("usage: StreamBenchmarks streams|provider", Options.usage)
                exit(2)
            }
            var chosen = workloads.filter { workload in options.part.map { workload.name.contains($0) } ?? true }
            if let contender = options.contender {
                for index in chosen.indices { chosen[index].contenders.removeAll { $0.name != contender } }
            }
            let conditions = Conditions(rounds: options.rounds)
            let results = await Benchmarks.measure(chosen, rounds: options.rounds)
            print(Benchmarks.table(of: results, isMarkdown: options.isMarkdown))
            let table = arguments.first == "streams" ? ArticleTable.streams : ArticleTable.provider
            try table(results, conditions).publish(options, conditions)
            Benchmarks.end(Benchmarks.missedBars(results), options)
        }
    }
}
