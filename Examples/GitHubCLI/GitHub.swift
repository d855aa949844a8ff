import Foundation
import Moya

// The requests: one struct each, with the type of its response. The provider has the base URL.

struct ShowUser: DecodableTargetType {
    typealias Value = User

    let path = "/users/{name}"
    let name: String
}

struct ListRepositories: DecodableTargetType {
    typealias Value = [Repository]

    let path = "/users/{owner}/repos"
    let owner: String
    let pageSize: Int

    var parameters: [String: any Sendable]? { ["per_page": pageSize, "sort": "pushed"] }
}

struct StarRepository: DecodableTargetType {
    typealias Value = Void

    let path = "/user/starred/{owner}/{name}"
    let method = HTTPMethod.put
    let owner: String
    let name: String
}

struct DownloadArchive: RelativeTarget {
    let path = "/repos/{owner}/{name}/tarball"
    let validationType = ValidationType.successCodes
    let owner: String
    let name: String
    let file: URL

    var task: RequestTask {
        .downloadDestination({ _, _ in (file, [.removePreviousFile]) })
    }
}

struct User: Decodable, Sendable {
    let login: String
    let name: String?
    let bio: String?
    let publicRepos: Int
    let followers: Int
}

struct Repository: Decodable, Sendable {
    let name: String
    let language: String?
    let stargazersCount: Int
    let pushedAt: Date?
}

/// The content of a response with an error.
struct ErrorMessage: Decodable, Sendable {
    let message: String
}

extension MoyaProvider<MultiTarget> {
    /// A provider for GitHub's API.
    ///
    /// - Parameters:
    ///   - url: the URL of the API, or of a server that has its place.
    ///   - token: the token, which is sent to that server only; `nil` for none.
    static func gitHub(at url: URL, token: String?) -> MoyaProvider {
        MoyaProvider(
            baseURL: url,
            plugins: [
                AccessTokenPlugin(every: .bearer, hosts: Set([url.host()].compactMap(\.self))) { _ in token },
                ProgressPlugin(),
            ],
            interceptors: [.retry(.exponential(initial: .milliseconds(500), times: 3, cap: .seconds(10)))],
            defaultHeaders: .default.merging(["X-GitHub-Api-Version": "2022-11-28"]),
            timeouts: Timeouts(connect: .seconds(10), idle: .seconds(20)),
            decoding: ResponseDecoding(errorBody: .json(ErrorMessage.self)) { decoder in
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                decoder.dateDecodingStrategy = .iso8601
            })
    }
}
