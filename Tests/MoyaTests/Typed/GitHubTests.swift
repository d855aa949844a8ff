import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

/// Ten endpoints of GitHub as an enum and as structs, with real sockets.
@Suite(.queued, .timeLimit(.minutes(10))) struct GitHubTests {
    private let server: LoopbackServer

    init() throws {
        server = try GitHubServer.start()
    }

    private let ash = User(id: 7, login: "ash", publicRepos: 3, createdAt: Date(timeIntervalSince1970: 1_381_572_000))
    private let repositories = (1...3).map { Repository(id: $0, fullName: "ash/repo\($0)") }

    @Test("an enum has one static function for each case, with the type of the response")
    func asAnEnum() async throws {
        defer { server.stop() }
        let provider = MoyaProvider<GitHub>(baseURL: server.url, decoding: .gitHub)

        try await expectEqual(provider.value(.user("ash")), ash)
        try await expectEqual(provider.value(.searchRepositories("pokedex")).map(\.fullName), ["ash/pokedex"])
        let gist = NewGist(description: "A berry", public: false)
        try await expectEqual(provider.value(.createGist(gist)), Gist(id: "g1", public: false))
        try await expectEqual(provider.value(.zen), "Half measures are as bad as nothing at all.")
        try await expectEqual(provider.value(.avatar(of: "ash")), GitHubServer.image)
        try await provider.value(.star("ash/pokedex"))

        let (limit, response) = try await provider.valueAndResponse(.rateLimit)
        expectEqual(limit.limit, 5000)
        expectEqual(response.headers["X-RateLimit-Remaining"], "4999")

        var found: [Repository] = []
        for try await page in provider.pages(.repositories(of: "ash"), next: .link) { found += page.value }
        expectEqual(found.map(\.id), [1, 2, 2, 3])
        found = []
        for try await item in provider.pages(.repositories(of: "ash"), next: .link).items.deduplicated(by: \.id) {
            found.append(item)
        }
        expectEqual(found, repositories)

        let issues = provider.pages(
            .issues(of: "ash/pokedex"), next: .numbered { .issues(of: "ash/pokedex", state: "open", page: $0) })
        try await expectEqual(issues.items.reduce(into: []) { $0.append($1.number) }, [1, 2])

        let error = await #expect(throws: MoyaError.self) { try await provider.value(.user("missing")) }
        expectEqual(error?.kind, .http)
        expectEqual(error?.response?.statusCode, 404)
        expectEqual(error?.body(as: GitHubError.self)?.message, "Not Found")
    }

    @Test("one provider of MultiTarget sends structs with any type of response")
    func asStructs() async throws {
        defer { server.stop() }
        let provider = MoyaProvider<MultiTarget>(baseURL: server.url, decoding: .gitHub)
        typealias API = GitHubEndpoints

        try await expectEqual(provider.value(API.ShowUser(name: "ash")), ash)
        try await expectEqual(provider.value(API.SearchRepositories(q: "pokedex")).map(\.fullName), ["ash/pokedex"])
        let gist = NewGist(description: "A berry", public: false)
        try await expectEqual(provider.value(API.CreateGist(gist: gist)), Gist(id: "g1", public: false))
        try await expectEqual(provider.value(API.Zen()), "Half measures are as bad as nothing at all.")
        try await expectEqual(provider.value(API.Avatar(name: "ash")), GitHubServer.image)
        try await provider.value(API.Star(repository: "ash/pokedex"))

        let (limit, response) = try await provider.valueAndResponse(API.ShowRateLimit())
        expectEqual(limit.limit, 5000)
        expectEqual(response.headers["X-RateLimit-Remaining"], "4999")

        let pages = provider.pages(API.ListRepositories(owner: "ash"), next: .link)
        try await expectEqual(pages.items.deduplicated(by: \.id).reduce(into: []) { $0.append($1) }, repositories)

        let issues = provider.pages(
            API.ListIssues(repository: "ash/pokedex"),
            next: .numbered { API.ListIssues(repository: "ash/pokedex", page: $0) })
        try await expectEqual(issues.items.reduce(into: []) { $0.append($1.number) }, [1, 2])

        let error = await #expect(throws: MoyaError.self) { try await provider.value(API.ShowUser(name: "missing")) }
        expectEqual(error?.body(as: GitHubError.self)?.message, "Not Found")
        expectEqual(error?.response?.statusCode, 404)
    }

    @Test("a provider of MultiTarget can send a typed target of an enum")
    func enumsByMultiTarget() async throws {
        defer { server.stop() }
        let provider = MoyaProvider<MultiTarget>(baseURL: server.url, decoding: .gitHub)
        let user = TypedTarget<GitHub, User>.user("ash")
        try await expectEqual(provider.value(user.multiTarget), ash)
    }

    @Test("a provider of one struct sends it without a wrapper")
    func oneStruct() async throws {
        defer { server.stop() }
        let provider = MoyaProvider<GitHubEndpoints.ShowUser>(baseURL: server.url, decoding: .gitHub)
        try await expectEqual(provider.value(.init(name: "ash")), ash)
        try await expectEqual(provider.valueAndResponse(.init(name: "ash")).response.statusCode, 200)
    }
}
