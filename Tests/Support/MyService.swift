package import Foundation
package import Moya

/// The target of the first documents of the project.
package enum MyService {
    case zen
    case showUser(id: Int)
    case createUser(firstName: String, lastName: String)
}

extension MyService: TargetType {
    package var baseURL: URL { URL(string: "https://api.myservice.example") ?? URL(filePath: "/") }
    package var path: String {
        switch self {
        case .zen: "/zen"
        case .showUser(let id): "/users/\(id)"
        case .createUser: "/users"
        }
    }
    package var method: Moya.Method {
        switch self {
        case .zen, .showUser: .get
        case .createUser: .post
        }
    }
    package var parameters: [String: any Sendable]? {
        switch self {
        case .zen, .showUser: nil
        case .createUser(let firstName, let lastName): ["first_name": firstName, "last_name": lastName]
        }
    }
    package var sampleData: Data {
        switch self {
        case .zen: Data("Half measures are as bad as nothing at all.".utf8)
        case .showUser(let id): Data(#"{"id": \#(id), "first_name": "Harry", "last_name": "Potter"}"#.utf8)
        case .createUser(let first, let last):
            Data(#"{"id": 100, "first_name": "\#(first)", "last_name": "\#(last)"}"#.utf8)
        }
    }
}
