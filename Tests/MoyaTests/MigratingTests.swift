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

/// The code of the article MigratingFromMoya, which is compiled.
@Suite struct MigratingTests {
    /// This code is only compiled.
    private func overTheNetwork() async throws {
        let provider = MoyaProvider<Users>(
            plugins: [NetworkLoggerPlugin(), AccessTokenPlugin(every: .bearer) { _ in "token" }], trackInflights: true)
        provider.request(.show(id: 7), callbackQueue: .main) { result in
            switch result {
            case .success(let response): print(response.statusCode)
            case .failure(let error): print(error.kind)
            }
        }
        let name = try await provider.response(.show(id: 7)).map(String.self, atKeyPath: "user.name")
        print(name)
    }

    @Test func everyLineOfTheArticlesCodeIsInThisFile() throws {
        let article = try Article("Sources/Moya/Moya.docc/MigratingFromMoya.md", compiledIn: #filePath)
        #expect(article.blocks.count == 2)
        for line in article.blocks.flatMap({ $0 }) { #expect(article.code.contains(line), "\(line)") }
    }

    @Test func aPortedTargetIsSentAsBefore() async throws {
        let provider = MoyaProvider<Users>(stubClosure: MoyaProvider.immediatelyStub)
        let created = try await provider.response(.create(name: "Ash"))
        #expect(created.request?.httpBody == Data(#"{"name":"Ash"}"#.utf8))
        let avatar = try await provider.response(.avatar(Data([1])))
        #expect(
            avatar.request?.allHTTPHeaderFields?["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
    }
}
