import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

enum Users: TargetType {
    case show(id: Int)
    case create(name: String)
    case avatar(Data)

    // swift-format-ignore: NeverForceUnwrap
    var baseURL: URL { URL(string: "https://api.myservice.example")! }
    var path: String {
        switch self {
        case .show(let id): "/users/\(id)"
        case .create, .avatar: "/users"
        }
    }
    var method: Moya.Method {
        switch self {
        case .show: .get
        case .create, .avatar: .post
        }
    }
    var task: RequestTask {
        switch self {
        case .show: .requestPlain
        case .create(let name): .requestParameters(parameters: ["name": name], encoding: JSONEncoding.default)
        case .avatar(let data):
            .uploadMultipartFormData([
                MultipartFormBodyPart(provider: .data(data), name: "avatar", fileName: "a.png", mimeType: "image/png")
            ])
        }
    }
    var headers: [String: String]? { ["Accept": "application/json"] }
    var validationType: ValidationType { .successCodes }
}

/// The target of the article MigratingFromMoya, whose code `.ci/run samples` compiles.
@Suite(.queued, .timeLimit(.minutes(10))) struct MigratingTests {
    @Test func aPortedTargetIsSentAsBefore() async throws {
        let provider = MoyaProvider<Users>(stubClosure: MoyaProvider.immediatelyStub)
        let created = try await provider.response(.create(name: "Ash"))
        expectEqual(created.request?.httpBody, Data(#"{"name":"Ash"}"#.utf8))
        let avatar = try await provider.response(.avatar(Data([1])))
        #expect(
            avatar.request?.allHTTPHeaderFields?["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
    }
}
