// swift: 6 -default-isolation MainActor
import Foundation
import MoyaStreams

// With the main actor as the default isolation, a target conforms at its type, and a decoded type is nonisolated.

enum Declared: TargetType {
    case zen
    var baseURL: URL { URL(filePath: "/") }
    var path: String { "/" }
}

enum Extended { case zen }
extension Extended: TargetType {  // error: crosses into main actor-isolated code
    var baseURL: URL { URL(filePath: "/") }
    var path: String { "/" }
}

nonisolated enum Nonisolated { case zen }
nonisolated extension Nonisolated: TargetType {
    var baseURL: URL { URL(filePath: "/") }
    var path: String { "/" }
}

nonisolated struct User: Decodable { let name: String }
struct Isolated: Decodable { let name: String }

func load(_ provider: MoyaProvider<Declared>) async throws {
    print(try await provider.response(.zen).map(User.self))
    provider.request(.zen).map(User.self).subscribe(onMain: { print($0) })
    print(try await provider.value(.zen, as: Isolated.self).name)
    _ = provider.request(.zen).map(Isolated.self)  // error: isolated conformance of 'Isolated'
}
