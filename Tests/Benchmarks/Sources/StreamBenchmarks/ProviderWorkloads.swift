import Foundation
import Measuring
import MoyaStreams

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The overhead of the provider.
enum ProviderWorkloads {
    static var all: [Workload] {
        ProviderOverhead.all + requests + [mapping, mappingAtKeyPath, mapJSON] + TypedWorkloads.all + [
            CachedRequests.memory
        ]
    }

    private static let times = 1000
    private static let address = "https://api.example/v1/users"

    private struct Thing: TargetType {
        var baseURL = URL(string: "https://api.example/v1") ?? URL(filePath: "/")
        var path = "/users"
        var method = HTTPMethod.get
        var task = RequestTask.requestPlain
    }

    // MARK: Requests

    private struct User: Codable {
        var id = 7
        var name = "Ash Ketchum"
        var tags = ["a", "b"]
    }

    private static var requests: [Workload] {
        let parameters: [String: any Sendable] = ["id": 7, "name": "Ash Ketchum", "tags": ["a", "b"]]
        let user = User()
        return [
            request("a plain request", .requestPlain) { _ in },
            request(
                "parameters in the query",
                .requestParameters(parameters: parameters, encoding: URLEncoding.queryString), limit: 2.5
            ) {
                $0.url?.append(
                    queryItems: [
                        URLQueryItem(name: "id", value: "7"), URLQueryItem(name: "name", value: "Ash Ketchum"),
                        URLQueryItem(name: "tags[]", value: "a"), URLQueryItem(name: "tags[]", value: "b"),
                    ])
            },
            request(
                "parameters as JSON",
                .requestParameters(parameters: parameters, encoding: JSONEncoding.default), limit: 1.5
            ) {
                $0.setValue("application/json", forHTTPHeaderField: "Content-Type")
                let object: [String: Any] = ["id": 7, "name": "Ash Ketchum", "tags": ["a", "b"]]
                $0.httpBody = try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
            },
            request("an Encodable as JSON", .requestJSONEncodable(user), limit: 1.5) {
                $0.setValue("application/json", forHTTPHeaderField: "Content-Type")
                let encoder = JSONEncoder()
                encoder.outputFormatting = .sortedKeys
                $0.httpBody = try? encoder.encode(user)
            },
            request("an Encodable as a form", .requestFormEncodable(user), limit: 3) {
                $0.setValue("application/x-www-form-urlencoded; charset=utf-8", forHTTPHeaderField: "Content-Type")
                $0.httpBody = Data("id=7&name=Ash%20Ketchum&tags%5B%5D=a&tags%5B%5D=b".utf8)
            },
            request("data and parameters", .requestCompositeData(bodyData: Data("x".utf8), urlParameters: ["id": 7])) {
                $0.httpBody = Data("x".utf8)
                $0.url?.append(queryItems: [URLQueryItem(name: "id", value: "7")])
            },
        ]
    }

    /// Compares with a floor, which is the same request written by hand.
    private static func request(
        _ name: String, _ task: RequestTask, limit: Double? = nil,
        _ fill: @escaping @Sendable (inout URLRequest) -> Void
    ) -> Workload {
        let checksum: @Sendable (URLRequest) -> Int = {
            ($0.httpMethod?.count ?? 0) + ($0.httpBody?.count ?? 0) + ($0.url?.absoluteString.utf8.count ?? 0)
        }
        return Workload(
            name: name, operations: times,
            contenders: [
                .init(name: "floor") {
                    var sum = 0
                    for _ in 0..<times {
                        guard let url = URL(string: address) else { return -1 }
                        var request = URLRequest(url: url)
                        request.httpMethod = "POST"
                        fill(&request)
                        sum += checksum(request)
                    }
                    return sum
                },
                .init(name: "ours") {
                    let provider = MoyaProvider<Thing>()
                    let target = Thing(method: .post, task: task)
                    var sum = 0
                    for _ in 0..<times { sum += (try? provider.endpoint(target).urlRequest()).map(checksum) ?? -1 }
                    return sum
                },
            ], bars: limit.map { [.atMost($0, times: "floor")] } ?? [])
    }

    // MARK: Mapping

    /// About a megabyte of JSON.
    private static let users = (0..<16_000).map {
        User(id: $0, name: "Ash Ketchum \($0)", tags: ["trainer", "pallet"])
    }

    private static func response(_ value: some Encodable) -> Response {
        Response(statusCode: 200, data: (try? JSONEncoder().encode(value)) ?? Data())
    }

    private static var mapping: Workload {
        let response = response(users)
        return Workload(
            name: "map(_:) of \(response.data.count / 1000) kB", operations: 1,
            contenders: [
                .init(name: "JSONDecoder") {
                    ((try? JSONDecoder().decode([User].self, from: response.data)) ?? []).count
                },
                .init(name: "ours") { ((try? response.map([User].self)) ?? []).count },
            ], bars: [Workload.Bar(contender: "ours", other: "JSONDecoder", limit: 1.05)])
    }

    private static var mappingAtKeyPath: Workload {
        struct Result: Codable { var users: [User] }
        let response = response(["result": Result(users: users)])
        return Workload(
            name: "the same at a key path", operations: 1,
            contenders: [
                .init(name: "JSONDecoder") {
                    let all = try? JSONDecoder().decode([String: Result].self, from: response.data)
                    return all?["result"]?.users.count ?? 0
                },
                .init(name: "ours") { ((try? response.map([User].self, atKeyPath: "result.users")) ?? []).count },
            ])
    }

    private static var mapJSON: Workload {
        let response = response(users)
        return Workload(
            name: "mapJSON() of the same", operations: 1,
            contenders: [
                .init(name: "JSONSerialization") {
                    ((try? JSONSerialization.jsonObject(with: response.data)) as? [Any])?.count ?? 0
                },
                .init(name: "ours") { (try? response.mapJSON())?.array?.count ?? 0 },
            ], bars: [Workload.Bar(contender: "ours", other: "JSONSerialization", limit: 2)])
    }
}
