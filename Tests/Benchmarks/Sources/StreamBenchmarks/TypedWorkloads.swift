import Foundation
import Measuring
import MoyaStreams

/// Compares a typed call with `response` and decoding by hand; both send the same header fields.
enum TypedWorkloads {
    static var all: [Workload] {
        [workload("a typed call of an immediate stub", of: 1), workload("the same with 10 kB of JSON", of: 160)]
    }

    private static let times = 200

    private struct User: Codable {
        var id = 7
        var name = "Ash Ketchum"
        var tags = ["trainer", "pallet"]
    }

    private struct Users: TargetType {
        let baseURL = URL(string: "https://api.example/v1") ?? URL(filePath: "/")
        let path = "/users"
        let headers: [String: String]?
        let sampleData: Data
    }

    private static func workload(_ name: String, of count: Int) -> Workload {
        let data = (try? JSONEncoder().encode((0..<count).map { User(id: $0) })) ?? Data()
        let byHand = Users(headers: ["Accept": "application/json"], sampleData: data)
        let typed = TypedTarget<Users, [User]>(Users(headers: nil, sampleData: data))
        let provider = MoyaProvider<Users>(stubClosure: MoyaProvider.immediatelyStub)
        return Workload(
            name: name, operations: times,
            contenders: [
                .init(name: "by hand") {
                    await sum {
                        try await provider.response(byHand).filterSuccessfulStatusCodes().map([User].self).count
                    }
                },
                .init(name: "ours") { await sum { try await provider.value(typed).count } },
            ], bars: [Workload.Bar(contender: "ours", other: "by hand", limit: 1.05)])
    }

    private static func sum(_ count: @Sendable () async throws -> Int) async -> Int {
        var sum = 0
        for _ in 0..<times { sum += (try? await count()) ?? -1 }
        return sum
    }
}
