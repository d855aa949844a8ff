import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct AuthenticationInterceptorTests {
    typealias Interceptor = AuthenticationInterceptor<Int>
    typealias Done = @Sendable (Result<Int, any Error>) -> Void

    private let time = VirtualTime()
    private let refreshes = Box<[(Int, Done)]>([])
    /// The credential that the server accepts.
    private let accepted = Box(2)

    struct Thing: TargetType {
        var baseURL = URL(string: "https://a.example/") ?? URL(filePath: "/")
        var path = "/"
    }

    private let sent = Log()

    private func interceptor(
        _ credential: Int? = 1, hosts: Set<String>? = nil, limit: Interceptor.RefreshLimit = .init(),
        retries: Int = 1, isStale: @escaping @Sendable (Int) -> Bool = { _ in false }
    ) -> Interceptor {
        Interceptor(
            credential: credential, hosts: hosts, limit: limit, maximumRetries: retries, scheduler: time,
            apply: { $1.setValue("\($0)", forHTTPHeaderField: "Authorization") },
            isStale: isStale,
            refreshing: { [refreshes] credential, done in refreshes.change { $0.append((credential, done)) } })
    }

    /// Responds with 200 to the accepted credential, and with 401 to others.
    private var origin: ScriptedOrigin {
        ScriptedOrigin { [accepted, sent] request, _ in
            let token = request.headers["Authorization"] ?? "none"
            sent.add(token)
            return (token == "\(accepted.value)" ? 200 : 401, [:], "")
        }
    }

    private func provider(_ interceptor: Interceptor) -> MoyaProvider<Thing> {
        MoyaProvider<Thing>(
            transport: origin, interceptors: [interceptor],
            timeouts: Timeouts(idle: nil))
    }

    /// Sends `count` requests; returns the number of outcomes of each kind, and the calls.
    private func send(_ count: Int, on provider: MoyaProvider<Thing>) -> (Box<[String: Int]>, [any Cancellable]) {
        let outcomes = Box<[String: Int]>([:])
        let calls = (0..<count).map { _ in
            provider.request(Thing()) { result in
                let text =
                    switch result {
                    case .success(let response): "\(response.statusCode)"
                    case .failure(let error): "\(error.kind)"
                    }
                outcomes.change { $0[text, default: 0] += 1 }
            }
        }
        return (outcomes, calls)
    }

    @Test("fifty refused requests cause one refresh, and are repeated with the new credential")
    func singleRefresh() async throws {
        let interceptor = interceptor()
        let (outcomes, _) = send(50, on: provider(interceptor))
        try await until { [sent, refreshes] in sent.entries.count == 50 && refreshes.value.count == 1 }
        refreshes.value[0].1(.success(2))
        refreshes.value[0].1(.success(3))
        try await until { outcomes.value["200"] == 50 }
        expectEqual(refreshes.value.count, 1)
        expectEqual(refreshes.value[0].0, 1)
        expectEqual(interceptor.credential, 2)
        expectEqual(sent.entries.count { $0 == "2" }, 50)
    }

    @Test("a failed refresh fails each waiting request once; the next refused request causes another refresh")
    func failingRefresh() async throws {
        let provider = provider(interceptor())
        let (outcomes, _) = send(5, on: provider)
        try await until { [sent, refreshes] in sent.entries.count == 5 && refreshes.value.count == 1 }
        // A request that is refused after the failure starts another refresh, which also fails.
        while outcomes.value["timeout", default: 0] < 5 {
            if let last = refreshes.value.last { last.1(.failure(URLError(.timedOut))) }
            await Task.yield()
        }
        expectEqual(outcomes.value, ["timeout": 5])
        let before = refreshes.value.count
        let (later, _) = send(1, on: provider)
        try await until { [refreshes] in refreshes.value.count == before + 1 }
        refreshes.value[before].1(.success(2))
        try await until { later.value["200"] == 1 }
    }

    @Test("a request that was refused with an older credential is retried without a refresh")
    func olderCredential() {
        let interceptor = interceptor(1, retries: 2)
        let decisions = Box<[String]>([])
        // A provider is needed, because only it creates outcomes. The first attempt has the older credential.
        let provider = MoyaProvider<Thing>(
            endpointClosure: { _ in
                Endpoint(
                    url: "https://a.example/",
                    sampleResponseClosure: { .networkResponse(401, Data()) })
            }, stubClosure: MoyaProvider.immediatelyStub,
            interceptors: [interceptor, Unchanged { if interceptor.credential == 1 { interceptor.credential = 2 } }],
            scheduler: time)
        provider.request(Thing()) { result in
            decisions.change {
                $0.append((try? result.get().request?.value(forHTTPHeaderField: "Authorization")) ?? "-")
            }
        }
        #expect(refreshes.value.isEmpty)
        time.run()
        // The second attempt had the current credential, was refused, and now waits for a refresh.
        expectEqual(refreshes.value.count, 1)
        expectEqual(refreshes.value[0].0, 2)
        refreshes.value[0].1(.failure(URLError(.timedOut)))
        expectEqual(decisions.value, ["-"])
    }

    @Test("a credential that is about to expire is refreshed once, before the waiting requests use it")
    func proactive() async throws {
        let interceptor = interceptor(1, isStale: { $0 == 1 })
        let (outcomes, _) = send(10, on: provider(interceptor))
        expectEqual(refreshes.value.count, 1)
        #expect(sent.entries.isEmpty)
        refreshes.value[0].1(.success(2))
        try await until { outcomes.value["200"] == 10 }
        expectEqual(refreshes.value.count, 1)
        expectEqual(sent.entries, Array(repeating: "2", count: 10))
    }

    @Test("the cancel of a waiting request does not stop the refresh")
    func cancelOfAWaiter() async throws {
        let interceptor = interceptor(1, isStale: { $0 == 1 })
        let (outcomes, calls) = send(2, on: provider(interceptor))
        calls[0].cancel()
        expectEqual(outcomes.value, ["cancelled": 1])
        refreshes.value[0].1(.success(2))
        try await until { outcomes.value["200"] == 1 }
        expectEqual(outcomes.value, ["cancelled": 1, "200": 1])
        expectEqual(interceptor.credential, 2)
    }

    @Test("at the limit of refreshes, a stale credential is not sent: requests fail with the error of the last refresh")
    func failedRefreshesReachTheLimit() async throws {
        let interceptor = interceptor(limit: .init(times: 2, per: .seconds(30)), isStale: { $0 < 2 })
        let provider = provider(interceptor)
        for number in 0..<2 {
            let (outcomes, _) = send(1, on: provider)
            try await until { [refreshes] in refreshes.value.count == number + 1 }
            refreshes.value[number].1(.failure(URLError(.cannotConnectToHost)))
            try await until { !outcomes.value.isEmpty }
            expectEqual(outcomes.value, ["unreachable": 1])
        }
        let (outcomes, _) = send(3, on: provider)
        try await until { outcomes.value == ["unreachable": 3] }
        expectEqual(sent.entries, [])
        interceptor.credential = 2
        accepted.value = 2
        let (accepted, _) = send(1, on: provider)
        try await until { accepted.value == ["200": 1] }
    }

    @Test("a server that refuses everything causes no loop, and another refresh is possible in the next window")
    func limit() async throws {
        accepted.value = -1
        let interceptor = interceptor(limit: .init(times: 3, per: .seconds(30)), retries: 3)
        let provider = provider(interceptor)
        func exhaust() async throws -> [String: Int] {
            let start = refreshes.value.count
            let (outcomes, _) = send(1, on: provider)
            for number in 0..<3 where outcomes.value.isEmpty {
                try await until { [refreshes] in refreshes.value.count > start + number || !outcomes.value.isEmpty }
                if refreshes.value.count > start + number {
                    refreshes.value[start + number].1(.success(100 + start + number))
                }
            }
            try await until { !outcomes.value.isEmpty }
            return outcomes.value
        }
        try await expectEqual(exhaust(), ["401": 1])
        expectEqual(refreshes.value.count, 3)
        try await expectEqual(exhaust(), ["401": 1])
        expectEqual(refreshes.value.count, 3)
        time.advance(by: .seconds(30))
        try await expectEqual(exhaust(), ["401": 1])
        expectEqual(refreshes.value.count, 6)
    }

    @Test("a refresh does not undo a log-out that happens during it")
    func logOut() async throws {
        let interceptor = interceptor()
        let (outcomes, _) = send(1, on: provider(interceptor))
        try await until { [refreshes] in refreshes.value.count == 1 }
        interceptor.credential = nil
        refreshes.value[0].1(.success(2))
        try await until { !outcomes.value.isEmpty }
        #expect(interceptor.credential == nil)
        expectEqual(outcomes.value, ["401": 1])
        expectEqual(sent.entries, ["1", "none"])
    }

    @Test(
        "requests to other hosts have no credential, and cause no refresh",
        arguments: [
            ("https://a.example/", ["b.example"], "none"), ("http://a.example/", nil, "none"),
            ("https://a.example/", ["A.example"], "1"), ("http://a.example/", ["a.example"], "none"),
            ("http://a.example/", ["http://a.example"], "1"),
        ] as [(String, Set<String>?, String)])
    func hosts(_ url: String, _ hosts: Set<String>?, _ token: String) async throws {
        let base = try #require(URL(string: url))
        accepted.value = 1
        let provider = provider(interceptor(hosts: hosts))
        let response = try await provider.response(Thing(baseURL: base))
        expectEqual(sent.entries, [token])
        expectEqual(response.statusCode, token == "1" ? 200 : 401)
        #expect(refreshes.value.isEmpty)
    }

    @Test("the refresh may be an async function")
    func asyncRefresh() async throws {
        let interceptor = Interceptor(
            credential: 1, apply: { $1.setValue("\($0)", forHTTPHeaderField: "Authorization") },
            refresh: { credential in
                await Task.yield()
                return credential + 1
            })
        try await expectEqual(provider(interceptor).response(Thing()).statusCode, 200)
        let failing = Interceptor(
            credential: 1, apply: { $1.setValue("\($0)", forHTTPHeaderField: "Authorization") },
            refresh: { _ in throw Failure(id: 4) })
        let error = await #expect(throws: MoyaError.self) { try await provider(failing).response(Thing()) }
        expectEqual(error?.underlyingError as? Failure, Failure(id: 4))
    }

    @Test(
        "a refresh that is cancelled fails the requests, which are not cancelled themselves",
        arguments: [CancellationError(), URLError(.cancelled)] as [any Error])
    func cancelledRefresh(_ cancel: any Error) async throws {
        let failing = Interceptor(
            credential: 1, apply: { $1.headers["Authorization"] = "\($0)" }, refresh: { _ in throw cancel })
        let error = await #expect(throws: MoyaError.self) { try await provider(failing).response(Thing()) }
        expectEqual(error?.isCancelled, false)
        expectEqual((error?.underlyingError as? URLError)?.code, .userAuthenticationRequired)
    }

    @Test("a refresh that uses the same provider does not wait for itself")
    func exempt() async throws {
        struct Renewal: RelativeTarget { var path = "/renew" }
        let holder = Box<MoyaProvider<MultiTarget>?>(nil)
        let interceptor = AuthenticationInterceptor(
            credential: 1, apply: { $1.setValue("\($0)", forHTTPHeaderField: "Authorization") },
            isExempt: { $0 is Renewal },
            refresh: { credential in
                let provider = try #require(holder.value)
                return try await provider.response(Renewal()).statusCode == 401 ? credential + 1 : credential
            })
        let provider = MoyaProvider<MultiTarget>(
            baseURL: URL(string: "https://a.example/"),
            transport: origin, interceptors: [interceptor])
        holder.value = provider
        try await expectEqual(provider.response(Thing()).statusCode, 200)
        expectEqual(sent.entries, ["1", "none", "2"])
        holder.value = nil
    }

    @Test("a refresh that ends during a check of the credential is not repeated")
    func noSecondRefresh() async throws {
        let looks = Box(0)
        let interceptor = interceptor(
            1,
            isStale: { [refreshes] credential in
                looks.change { $0 += 1 }
                // The second check has the old credential; the refresh that the first check has started ends during it.
                if looks.value == 2 { refreshes.value[0].1(.success(2)) }
                return credential == 1
            })
        let (outcomes, _) = send(2, on: provider(interceptor))
        try await until { outcomes.value["200"] == 2 }
        expectEqual(refreshes.value.count, 1)
    }

    @Test(
        "a request that is refused permanently is retried up to the limit, once by default, however slow the refreshes are",
        arguments: [nil, 0, 1, 3])
    func slowRefreshes(_ retries: Int?) async throws {
        accepted.value = -1
        let (outcomes, _) = send(
            1, on: provider(interceptor(limit: .init(times: 1, per: .seconds(1)), retries: retries ?? 1)))
        for number in 0..<(retries ?? 1) {
            try await until { [refreshes] in refreshes.value.count == number + 1 }
            time.advance(by: .seconds(7))
            refreshes.value[number].1(.success(10 + number))
        }
        try await until { !outcomes.value.isEmpty }
        expectEqual(outcomes.value, ["401": 1])
        expectEqual(refreshes.value.count, retries ?? 1)
        expectEqual(sent.entries.count, 1 + (retries ?? 1))
    }

    @Test("retries of other interceptors are not counted")
    func otherRetries() async throws {
        let server = try LoopbackServer { request in
            switch request.headers["Authorization"] {
            case "2": .text("in")
            case _ where request.headers["X-Attempt"] == "3": .status(401)
            default: .status(503)
            }
        }
        defer { server.stop() }
        struct Attempts: RequestInterceptor {
            let count = Box(0)
            func adapt(
                _ request: TransportRequest, for target: any RelativeTarget,
                _ done: @escaping @Sendable (Result<TransportRequest, MoyaError>) -> Void
            ) -> any Cancellable {
                var request = request
                count.change { $0 += 1 }
                request.setValue("\(count.value)", forHTTPHeaderField: "X-Attempt")
                done(.success(request))
                return .noOp
            }
            func retry(
                _ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void
            ) -> any Cancellable {
                done(.doNotRetry)
                return .noOp
            }
        }
        let authentication = AuthenticationInterceptor(
            credential: 1,
            apply: { credential, request in request.setValue("\(credential)", forHTTPHeaderField: "Authorization") },
            refresh: { _ in 2 })
        let provider = MoyaProvider<Local>(
            interceptors: [Attempts(), .retry(.constant(.zero, times: 2)), authentication])
        try await expectEqual(provider.response(Local(server)).mapString(), "in")
        expectEqual(server.requests.count, 4)
    }

    @Test("a log-in during a refresh takes precedence, and waiting requests continue at once")
    func logInDuringARefresh() async throws {
        let interceptor = interceptor()
        let (outcomes, _) = send(1, on: provider(interceptor))
        try await until { [refreshes] in refreshes.value.count == 1 }
        interceptor.credential = 2
        try await until { outcomes.value["200"] == 1 }
        refreshes.value[0].1(.failure(URLError(.timedOut)))
        expectEqual(interceptor.credential, 2)
    }

    @Test("a credential that is refused during the refresh of a former one is refreshed at once")
    func refusedDuringARefresh() throws {
        let interceptor = interceptor(isStale: { $0 < 6 })
        let log = Log()
        let request = try TransportRequest(method: .get, url: Thing().baseURL)
        func adapt(_ name: String) -> any Cancellable {
            interceptor.adapt(request, for: Thing()) { result in
                log.add("\(name) \((try? result.get())?.headers["Authorization"] ?? "failed")")
            }
        }
        let first = adapt("first")
        interceptor.credential = 5
        let others = ["second", "third", "fourth"].map(adapt)
        expectEqual(refreshes.value.map(\.0), [1, 5])
        expectEqual(log.entries, ["first 5"])
        refreshes.value[0].1(.success(2))
        expectEqual(log.entries, ["first 5"])
        others[1].cancel()
        refreshes.value[1].1(.success(6))
        expectEqual(log.entries, ["first 5", "second 6", "fourth 6"])
        expectEqual(interceptor.credential, 6)
        withExtendedLifetime((first, others)) {}
    }

    @Test("requests with and without the credential have different sharing keys")
    func sharing() {
        let interceptor = AuthenticationInterceptor(
            credential: 1, apply: { $1.headers["Authorization"] = "\($0)" }, isExempt: { $0.path == "/public" },
            refresh: { $0 })
        struct Place: RelativeTarget { let path: String }
        #expect(
            interceptor.sharingKey(for: Place(path: "/public")) != interceptor.sharingKey(for: Place(path: "/private")))
    }

    @Test("a refusal by another origin after a redirect does not cause a refresh")
    func otherOrigin() async throws {
        let other = try LoopbackServer { _ in .status(401) }
        defer { other.stop() }
        let server = try LoopbackServer { _ in .status(302, headers: ["Location": other.url.absoluteString]) }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(interceptors: [interceptor()])
        try await expectEqual(provider.response(Local(server)).statusCode, 401)
        #expect(refreshes.value.isEmpty)
    }
}
