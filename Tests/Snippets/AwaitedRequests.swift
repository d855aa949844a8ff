import Foundation
import Moya

// `request(_:)` is not async. If only Moya is imported, the message for a call that is awaited by habit names the
// method that is.

struct User: Codable, Sendable {
    let name: String
}

enum GitHub: TargetType {
    case zen
    var baseURL: URL { URL(filePath: "/") }
    var path: String { "/" }
}

func inferred(_ provider: MoyaProvider<GitHub>) async throws {
    let response = try await provider.request(.zen)  // error: requires that 'GitHub' conform to 'AwaitResponseInstead'
    print(response)
    print(try await provider.request(.zen).statusCode)  // error: 'AwaitResponseInstead'
    let outcome = await provider.request(.zen)  // error: 'AwaitResponseInstead'
    print(outcome)
}

// Chains of streams: the compiler names a type that says what to import.
func chains(_ provider: MoyaProvider<GitHub>) {
    _ = provider.rx.request(.zen).map(User.self)  // error: no member 'request' // error: cannot infer
    _ = provider.reactive.request(.zen)  // error: no member 'request' // error: cannot infer
    _ = provider.requestWithProgress(.zen).values  // error: 'ImportMoyaStreamsOrRxMoyaCompatibility' has no member
    _ = provider.requestPublisher(.zen).map(User.self)  // error: 'ImportMoyaCombine' has no member 'map'
}

func decoded(_ provider: MoyaProvider<GitHub>) async throws -> User {
    try await provider.request(.zen).map(User.self)  // error: 'AwaitResponseInstead'
}

func written(_ provider: MoyaProvider<GitHub>) async throws -> Response {
    let response: Response = try await provider.request(.zen)  // error: 'AwaitResponseInstead'
    return try response.filterSuccessfulStatusCodes()
}

func generic<Target: TargetType>(_ provider: MoyaProvider<Target>, _ target: Target) async throws -> Data {
    try await provider.request(target).filterSuccessfulStatusCodes().data  // error: 'AwaitResponseInstead'
}

@MainActor
final class Model {
    let provider = MoyaProvider<GitHub>()
    var user: User?

    func load() {
        Task {
            let response = try await provider.request(.zen)  // error: 'AwaitResponseInstead'
            user = try? response.map(User.self)
        }
    }
}
