import Foundation
import RxMoyaCompatibility
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Three networking layers in the style of Moya 15 and RxMoya do what they did there.
@Suite(.queued, .timeLimit(.minutes(10))) struct LayerTests {
    @Test("a subclass of the provider waits for the network, and its streams send its requests")
    func onlineProvider() async throws {
        let (online, network) = Signal.pipe(value: false)
        let provider = OnlineProvider<GitHub>(
            stubClosure: MoyaProvider.immediatelyStub, online: online.asObservable())
        let service = GitHubService(provider: provider)
        let user = Promise<User>()
        service.user("ash").subscribe(onSuccess: { user.fulfill($0) })
        #expect(!user.isFulfilled)
        network.send(true)
        #expect(try await user.value() == User(login: "ash", id: 100))
        #expect(try await service.zen().asObservable().value() == "Half measures are as bad as nothing at all.")
    }

    @Test("values are bound to a relay, and failures are sent to a subject")
    func relays() {
        let service = GitHubService(
            provider: OnlineProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub, online: .just(true)))
        service.loadRepositories(of: "ash")
        service.loadRepositories(of: "misty")
        #expect(service.repositories.value.map(\.name) == ["ash's repository", "misty's repository"])

        let failing = GitHubService(
            provider: OnlineProvider<GitHub>(
                endpointClosure: { target in
                    MoyaProvider.defaultEndpointMapping(for: target).replacing(sample: .status(500))
                }, stubClosure: MoyaProvider.immediatelyStub, online: .just(true)))
        let errors = Log()
        failing.errors.asObservable().subscribe(onNext: { errors.add("\(($0 as? MoyaError)?.kind ?? .other)") })
        failing.loadRepositories(of: "ash")
        #expect(errors.entries == ["http"])
    }

    @Test("targets of several types are sent by one provider, and their entities are combined")
    func multiTarget() async throws {
        let client = APIClient(provider: MoyaProvider<MultiTarget>(stubClosure: MoyaProvider.immediatelyStub))
        let articles = try await client.cartArticles().asObservable().value()
        #expect(articles.map(\.id) == [7, 8])
        let (cart, article) = try await client.start().asObservable().value()
        #expect(cart == Cart(articles: [7, 8]))
        #expect(article.title == "Article 1")
        #expect(try await client.title(of: 3, cache: [3: "Cached"]).asObservable().value() == "Cached")
        #expect(try await client.title(of: 4, cache: [:]).asObservable().value() == "Article 4")
        let completed = Promise<Bool>()
        client.check().subscribe(onCompleted: { completed.fulfill(true) })
        #expect(try await completed.value())
    }

    @Test("a status code becomes the error that the layer makes of it")
    func mapsErrors() async throws {
        let client = APIClient(
            provider: MoyaProvider<MultiTarget>(
                endpointClosure: { MoyaProvider.defaultEndpointMapping(for: $0).replacing(sample: .status(404)) },
                stubClosure: MoyaProvider.immediatelyStub))
        await #expect(throws: APIError.notFound) {
            try await client.send(GetCart()).asObservable().value()
        }
    }

    @Test("a refused token is refreshed, and the request is sent again with the new one", arguments: [false, true])
    func refreshesTokens(usesRetryWhen: Bool) async throws {
        let tokens = TokenStore(Token(access: "old", refresh: "r1"))
        let sent = Log()
        let client = AuthorizedClient(
            tokens: tokens,
            endpointClosure: { target in
                let endpoint = MoyaProvider.defaultEndpointMapping(for: target)
                switch target {
                case .me:
                    return endpoint.replacing(
                        sample: tokens.token?.access == "new" ? .status(200, Data("me".utf8)) : .status(401))
                case .login, .refresh:
                    return endpoint.replacing(
                        sample: .status(200, Data(#"{"access": "new", "refresh": "r2"}"#.utf8)))
                }
            },
            stubClosure: MoyaProvider.immediatelyStub, plugins: [HeaderPlugin { sent.add($0) }])
        let response = try await (usesRetryWhen ? client.requestRetrying(.me) : client.request(.me))
            .asObservable().value()
        #expect(response.data == Data("me".utf8))
        #expect(tokens.token == Token(access: "new", refresh: "r2"))
        #expect(sent.entries == ["/me", "/refresh", "/me"])
        #expect(response.request?.value(forHTTPHeaderField: "Authorization") == "Bearer new")
        #expect(response.request?.value(forHTTPHeaderField: "X-Platform") == "ios")
    }

    @Test("a request that is refused again after the refresh fails with the last error", arguments: [false, true])
    func refusedTwice(usesRetryWhen: Bool) async throws {
        let sent = Log()
        let client = AuthorizedClient(
            tokens: TokenStore(Token(access: "old", refresh: "r1")),
            endpointClosure: { target in
                let endpoint = MoyaProvider.defaultEndpointMapping(for: target)
                if case .me = target { return endpoint.replacing(sample: .status(401)) }
                return endpoint.replacing(sample: .status(200, Data(#"{"access": "new", "refresh": "r2"}"#.utf8)))
            },
            stubClosure: MoyaProvider.immediatelyStub, plugins: [HeaderPlugin { sent.add($0) }])
        let error = await #expect(throws: MoyaError.self) {
            try await (usesRetryWhen ? client.requestRetrying(.me) : client.request(.me)).asObservable().value()
        }
        #expect(error?.kind == .http)
        #expect(sent.entries == ["/me", "/refresh", "/me"])
    }
}
