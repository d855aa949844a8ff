import Foundation
import MoyaStreams
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private enum Photos: TargetType, AccessTokenAuthorizable {
    case list
    case upload(Data, tag: String?)

    var baseURL: URL { URL(string: "https://a.example/v1") ?? URL(filePath: "/") }
    var path: String { "/photos" }
    var method: Moya.Method {
        switch self {
        case .list: .get
        case .upload: .post
        }
    }
    var task: RequestTask {
        switch self {
        case .list: .requestPlain
        case .upload(let data, let tag):
            tag.map { .uploadCompositeMultipart([part(data)], urlParameters: ["tag": $0]) }
                ?? .uploadMultipart([part(data)])
        }
    }
    var authorizationType: AuthorizationType? { .bearer }

    private func part(_ data: Data) -> MultipartFormBodyPart {
        MultipartFormBodyPart(provider: .data(data), name: "photo", fileName: "a.png", mimeType: "image/png")
    }
}

/// Names and shapes of Moya 15 compile, and do what they did there.
@Suite(.queued, .timeLimit(.minutes(10))) struct MoyaNamesTests {
    @Test("the closures of a provider and of plugins have names")
    func closures() {
        let log = Log()
        let completion: Moya.Completion = { result in log.add("\((try? result.get().statusCode) ?? 0)") }
        let progress: ProgressBlock = { log.add("\($0.progress)") }
        let token: AccessTokenPlugin.TokenClosure = { _ in "token" }
        let activity: NetworkActivityPlugin.NetworkActivityClosure = { change, _ in log.add("\(change)") }
        let credential: CredentialsPlugin.CredentialClosure = { _ in nil }
        let provider = MoyaProvider<Photos>(
            stubClosure: MoyaProvider.immediatelyStub,
            plugins: [
                AccessTokenPlugin(tokenClosure: token), CredentialsPlugin(credentialsClosure: credential),
                NetworkActivityPlugin(networkActivityClosure: activity),
            ])
        provider.request(.list, progress: progress, completion: completion)
        #expect(log.entries == ["began", "ended", "1.0", "200"])
    }

    @Test("parts of a form are uploaded as a form, with parameters in the query")
    func multipart() async throws {
        let provider = MoyaProvider<Photos>(stubClosure: MoyaProvider.immediatelyStub)
        let plain = try await provider.response(.upload(Data([1]), tag: nil)).request
        #expect(plain?.value(forHTTPHeaderField: "Content-Type")?.hasPrefix("multipart/form-data") == true)
        let tagged = try await provider.response(.upload(Data([1]), tag: "x")).request
        #expect(tagged?.url?.query() == "tag=x")
    }

    @Test("the URL of a target is its base URL with its path")
    func urls() {
        struct Template: TargetType {
            let baseURL = Photos.list.baseURL
            let path = "/users/{id}/{missing}"
            let id = 7
        }
        struct Empty: TargetType {
            let baseURL = Photos.list.baseURL
            let path = ""
        }
        #expect(URL(target: Photos.list).absoluteString == "https://a.example/v1/photos")
        #expect(URL(target: Empty()) == Photos.list.baseURL)
        #expect(URL(target: Template()).absoluteString == "https://a.example/v1/users/%7Bid%7D/%7Bmissing%7D")
    }

    @Test("an endpoint is replaced in part")
    func endpoints() throws {
        let provider = MoyaProvider<Photos>(
            endpointClosure: { target in
                MoyaProvider.defaultEndpointMapping(for: target)
                    .replacing(url: "https://b.example/x").replacing(sample: .status(418))
            }, stubClosure: MoyaProvider.immediatelyStub)
        let log = Log()
        provider.request(.list) { result in
            if case .success(let response) = result {
                log.add("\(response.statusCode) \(response.request?.url?.absoluteString ?? "")")
            }
        }
        #expect(log.entries == ["418 https://b.example/x"])
    }

    @Test("a progress has Foundation's object, which is indeterminate while the total is not known")
    func progressObjects() async throws {
        let provider = MoyaProvider<Photos>(stubClosure: MoyaProvider.immediatelyStub)
        let progress = try await provider.requestWithProgress(.upload(Data(count: 10), tag: nil)).toArray().value()
        for value in progress where value.totalUnitCount == nil {
            #expect(value.progressObject?.isIndeterminate == true)
        }
        for value in progress where (value.totalUnitCount ?? 0) > 0 {
            #expect(value.progressObject?.completedUnitCount == value.completedUnitCount)
        }
        #expect(progress.last?.completed == true)
    }
}
