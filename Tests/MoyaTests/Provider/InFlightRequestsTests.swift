import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// In-flight requests that are shared, and that are cancelled together.
@Suite(.queued, .timeLimit(.minutes(10))) struct InFlightRequestsTests {
    private let time = VirtualTime()
    private let log = Log()

    struct Thing: TargetType {
        var baseURL = URL(string: "http://a.example") ?? URL(filePath: "/")
        var path = "/"
        var method = HTTPMethod.get
        var headers: [String: String]?
        var task = RequestTask.requestPlain
        var options = RequestOptions()
        var sampleData = Data("shared".utf8)
    }

    private func provider(
        requestClosure: @escaping MoyaProvider<Thing>.RequestClosure = {
            MoyaProvider<Thing>.defaultRequestMapping(for: $0, closure: $1)
        }, trackInflights: Bool = true, behavior: StubBehavior = .delayed(seconds: 1)
    ) -> MoyaProvider<Thing> {
        MoyaProvider<Thing>(
            requestClosure: requestClosure, stubClosure: { _ in behavior }, plugins: [Witness(name: "A", log: log)],
            trackInflights: trackInflights, scheduler: time)
    }

    @discardableResult
    private func send(_ name: String, _ target: Thing = Thing(), on provider: MoyaProvider<Thing>) -> any Cancellable {
        provider.request(target) { [log] result in
            switch result {
            case .success(let response): log.add("\(name) \(String(decoding: response.data, as: UTF8.self))")
            case .failure(let error): log.add("\(name) \(error.kind)")
            }
        }
    }

    private var sendings: Int { log.entries.count { $0 == "A.willSend" } }
    private var outcomes: [String] { log.entries.filter { !$0.hasPrefix("A.") } }

    @Test("equal requests share one exchange, and each has one outcome")
    func shares() {
        let provider = provider()
        send("one", on: provider)
        send("two", Thing(headers: [:]), on: provider)
        time.run()
        expectEqual(sendings, 1)
        expectEqual(outcomes, ["one shared", "two shared"])
        expectEqual(log.entries.count { $0 == "A.didReceive" }, 1)
        expectEqual(log.entries.count { $0 == "A.process" }, 2)
        send("three", on: provider)
        time.run()
        expectEqual(sendings, 2)
    }

    @Test(
        "requests that differ, are not safe or do not allow it are not shared",
        arguments: [
            (Thing(), Thing(headers: ["Authorization": "bob"]), true), (Thing(), Thing(path: "/x"), true),
            (Thing(method: .post), Thing(method: .post), true), (Thing(), Thing(), false),
            (Thing(options: RequestOptions(sharesInflight: false)), Thing(), true),
        ])
    func doesNotShare(_ one: Thing, _ two: Thing, _ tracks: Bool) {
        let provider = provider(trackInflights: tracks)
        send("one", one, on: provider)
        send("two", two, on: provider)
        time.run()
        expectEqual(sendings, 2)
        expectEqual(outcomes, ["one shared", "two shared"])
    }

    @Test("POSTs with different bodies are never shared; equal ones are shared if the target allows it")
    func unsafeMethods() {
        let provider = provider(trackInflights: false)
        let options = RequestOptions(sharesInflight: true)
        func post(_ body: String) -> Thing {
            Thing(method: .post, task: .requestData(Data(body.utf8)), options: options)
        }
        for name in ["alice", "bob", "alice"] { send(name, post(name), on: provider) }
        time.run()
        expectEqual(sendings, 2)
        expectEqual(outcomes.count, 3)
    }

    @Test("requests that plugins have changed differently are not shared")
    func plugins() async throws {
        struct Personal: TargetType, AccessTokenAuthorizable {
            var baseURL: URL
            var path = "/me"
            var user: String
            var validationType = ValidationType.none
            var authorizationType: AuthorizationType? { .bearer }
        }
        let isOpen = Box(false)
        let server = try LoopbackServer { request in
            LoopbackReply.text(request.headers["Authorization"] ?? "").after(.waitUntil { isOpen.value })
        }
        defer { server.stop() }
        let plugin = AccessTokenPlugin { ($0 as? Personal)?.user }
        let provider = MoyaProvider<Personal>(plugins: [plugin], trackInflights: true)
        let answers = Box<[String]>([])
        let done = Promise<Void>()
        for target in [
            Personal(baseURL: server.url, user: "alice"), Personal(baseURL: server.url, user: "bob"),
            Personal(baseURL: server.url, user: "bob", validationType: .customCodes([500])),
            Personal(baseURL: server.url, user: "alice"),
        ] {
            provider.request(target) { result in
                let text = (try? result.get().mapString()) ?? "refused"
                answers.change { $0.append("\(target.user): \(text)") }
                if answers.value.count == 4 { done.fulfill(()) }
            }
        }
        isOpen.value = true
        try await done.value()
        expectEqual(server.requests.count, 3)
        expectEqual(
            answers.value.sorted(), ["alice: Bearer alice", "alice: Bearer alice", "bob: Bearer bob", "bob: refused"])
    }

    @Test("with an interceptor without a sharing key, no request is shared")
    func interceptors() {
        func sendings(_ interceptors: [any RequestInterceptor], between: () -> Void = {}) -> Int {
            let log = Log()
            let provider = MoyaProvider<Thing>(
                stubClosure: MoyaProvider.delayedStub(1), plugins: [Witness(name: "A", log: log)],
                interceptors: interceptors, trackInflights: true, scheduler: time)
            provider.request(Thing()) { _ in }
            between()
            provider.request(Thing()) { _ in }
            time.run()
            return log.entries.count { $0 == "A.willSend" }
        }
        expectEqual(sendings([Keyed(key: nil)]), 2)
        expectEqual(sendings([RetryInterceptor(.constant(.seconds(1), times: 1))]), 1)
        let key = Box("ash")
        expectEqual(sendings([Keyed(key: key)]), 1)
        expectEqual(sendings([Keyed(key: key)]) { key.value = "misty" }, 2)
        let authentication = AuthenticationInterceptor(credential: 1, apply: { _, _ in }, refresh: { $0 })
        expectEqual(sendings([authentication]), 1)
        expectEqual(sendings([authentication]) { authentication.credential = 2 }, 2)
    }

    @Test("a cancel ends one call only; the last cancel ends the exchange")
    func cancels() {
        let provider = provider()
        let one = send("one", on: provider)
        let two = send("two", on: provider)
        one.cancel()
        expectEqual(outcomes, ["one cancelled"])
        #expect(!log.entries.contains("A.didReceive"))
        two.cancel()
        expectEqual(outcomes, ["one cancelled", "two cancelled"])
        #expect(log.entries.contains("A.didReceive"))
        send("three", on: provider)
        time.run()
        expectEqual(outcomes.last, "three shared")
        expectEqual(sendings, 2)
    }

    @Test("each call has its own progress and callback queue")
    func progressAndQueues() {
        let provider = MoyaProvider<Thing>(
            endpointClosure: { target in
                let chunks = ["a", "b"].map { Data($0.utf8) }
                return Endpoint(
                    url: "http://a.example/",
                    sampleResponseClosure: { .chunks(200, chunks, every: .seconds(1)) })
            }, stubClosure: MoyaProvider.immediatelyStub, trackInflights: true, scheduler: time)
        let other = VirtualTime()
        let progress: @Sendable (String) -> MoyaProvider<Thing>.ProgressBlock = { [log] name in
            { value in log.add("\(name) \(value.completedUnitCount)") }
        }
        provider.request(Thing()) { [log] _ in log.add("one done") }
        provider.request(Thing(), callbackQueue: other, progress: progress("two")) { [log] _ in log.add("two done") }
        time.run()
        expectEqual(log.entries, ["one done"])
        other.run()
        expectEqual(log.entries, ["one done", "two 1", "two 2", "two 2", "two done"])
    }

    @Test("a request leaves the registry if it cannot be created, and if it is cancelled before it is created")
    func freesTheRequest() throws {
        let pending = Box<[MoyaProvider<Thing>.RequestResultClosure]>([])
        let request = try Endpoint(url: "http://a.example/", sampleResponseClosure: { .networkResponse(200, Data()) })
            .urlRequest()
        let provider = provider(requestClosure: { _, done in pending.change { $0.append(done) } })
        for name in ["one", "two"] { send(name, on: provider) }
        pending.value[0](.failure(.requestMapping("no")))
        pending.value[1](.success(request))
        send("three", on: provider).cancel()
        pending.value[2](.success(request))
        send("four", on: provider)
        pending.value[3](.success(request))
        expectEqual(sendings, 1)
        time.run()
        expectEqual(outcomes, ["one request", "three cancelled", "two shared", "four shared"])
        send("five", on: provider)
        pending.value[4](.success(request))
        time.run()
        expectEqual(sendings, 2)
    }

    /// A request closure that adds the token of the current user, immediately or later.
    private func personal(_ user: Box<String>, _ pending: Box<[@Sendable () -> Void]>? = nil) -> MoyaProvider<Thing> {
        provider { endpoint, done in
            var request = try? endpoint.urlRequest()
            request?.setValue(user.value, forHTTPHeaderField: "Authorization")
            let result = Result { try #require(request) }.mapError { _ in MoyaError.requestMapping("none") }
            if let pending { pending.change { $0.append { done(result) } } } else { done(result) }
        }
    }

    @Test("requests that a request closure has changed differently are not shared", arguments: [false, true])
    func requestClosures(_ isLate: Bool) {
        let user = Box("alice")
        let pending = isLate ? Box<[@Sendable () -> Void]>([]) : nil
        let provider = personal(user, pending)
        for name in ["alice", "bob", "bob", "alice"] {
            user.value = name
            send(name, on: provider)
        }
        for done in pending?.value.reversed() ?? [] { done() }
        expectEqual(sendings, 2)
        time.run()
        expectEqual(outcomes.count, 4)
    }

    @Test("a request after a log-in, with another cookie, is not shared with one before it")
    func cookies() {
        let jar = CookieJar()
        let provider = MoyaProvider<Thing>(
            stubClosure: MoyaProvider.delayedStub(1), plugins: [Witness(name: "A", log: log)], trackInflights: true,
            cookies: jar, scheduler: time)
        for name in ["anonymous", "in", "in too"] {
            if name == "in" { jar.store(Cookie(name: "sid", value: "1", domain: "a.example")) }
            send(name, on: provider)
        }
        expectEqual(sendings, 2)
    }

    @Test("a GET that a request closure changes to a POST is not shared, unless the target allows it")
    func madeUnsafe() {
        let provider = provider { endpoint, done in
            var request = try? endpoint.urlRequest()
            request?.httpMethod = "POST"
            done(Result { try #require(request) }.mapError { _ in MoyaError.requestMapping("none") })
        }
        for name in ["one", "two"] { send(name, on: provider) }
        expectEqual(sendings, 2)
        let asking = Thing(options: RequestOptions(sharesInflight: true))
        for name in ["three", "four"] { send(name, asking, on: provider) }
        expectEqual(sendings, 3)
    }

    @Test("requests with different credentials of a plugin are not shared")
    func credentials() {
        let user = Box("alice")
        let plugin = CredentialsPlugin { _ in
            URLCredential(user: user.value, password: "x", persistence: .none)
        }
        let provider = MoyaProvider<Thing>(
            stubClosure: MoyaProvider.delayedStub(1), plugins: [plugin, Witness(name: "A", log: log)],
            trackInflights: true, scheduler: time)
        for name in ["alice", "bob", "alice"] {
            user.value = name
            // Credentials are sent over TLS only.
            send(name, Thing(baseURL: URL(string: "https://a.example") ?? URL(filePath: "/")), on: provider)
        }
        expectEqual(sendings, 2)
        time.run()
        expectEqual(outcomes.count, 3)
    }

    @Test("the last cancel ends the exchange, also of a call that joined while its request was created")
    func cancelsAfterALateJoin() {
        let pending = Box<[@Sendable () -> Void]>([])
        let provider = personal(Box("alice"), pending)
        let calls = ["one", "two", "three"].map { send($0, on: provider) }
        pending.value[0]()
        calls[1].cancel()
        for done in pending.value.dropFirst() { done() }
        expectEqual(sendings, 1)
        calls[0].cancel()
        expectEqual(outcomes, ["two cancelled", "one cancelled"])
        calls[2].cancel()
        expectEqual(outcomes, ["two cancelled", "one cancelled", "three cancelled"])
        expectEqual(log.entries.count { $0 == "A.didReceive" }, 1)
        time.run()
        expectEqual(outcomes.count, 3)
    }

    @Test("while calls join and cancel concurrently, each has one outcome")
    func joinsUnderARace() {
        for _ in 0..<200 {
            let ended = Box(0)
            let provider = MoyaProvider<Thing>(
                stubClosure: MoyaProvider.delayedStub(1), trackInflights: true, scheduler: time)
            inParallel(Array(0..<4)) { number in
                let call = provider.request(Thing()) { _ in ended.change { $0 += 1 } }
                if number.isMultiple(of: 2) { call.cancel() }
            }
            time.run()
            expectEqual(ended.value, 4)
        }
    }

    @Test("cancelAll cancels in-flight requests, and no later ones")
    func cancelAll() {
        let provider = provider(trackInflights: false)
        for name in ["one", "two"] { send(name, on: provider) }
        time.advance(by: .milliseconds(500))
        provider.cancelAll()
        expectEqual(outcomes.sorted(), ["one cancelled", "two cancelled"])
        send("three", on: provider)
        time.run()
        expectEqual(outcomes.last, "three shared")
        provider.cancelAll()
        expectEqual(outcomes.count, 3)
    }

    @Test("while threads join, cancel and end calls concurrently, each call has one outcome")
    func races() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(trackInflights: true)
        let outcomes = Box(0)
        let count = 2000
        let done = Promise<Void>()
        inParallel(Array(0..<4)) { thread in
            for number in 0..<count / 4 {
                let call = provider.request(Local(server, "/\(number % 3)")) { _ in
                    outcomes.change { $0 += 1 }
                    if outcomes.value == count { done.fulfill(()) }
                }
                if (number + thread) % 2 == 0 { call.cancel() }
            }
        }
        try await done.value()
        expectEqual(outcomes.value, count)
    }

    @Test("a cancelled call receives its progress before the cancel, and no event after its end")
    func progressOfACancelledWaiter() {
        let provider = MoyaProvider<Thing>(
            endpointClosure: { _ in
                let chunks = ["ab", "c"].map { Data($0.utf8) }
                return Endpoint(
                    url: "http://a.example/", sampleResponseClosure: { .chunks(200, chunks, every: .seconds(1)) })
            }, stubClosure: MoyaProvider.immediatelyStub, trackInflights: true, scheduler: time)
        let call = provider.request(Thing(), progress: { [log] in log.add("one \($0.completedUnitCount)") }) {
            [log] _ in
            log.add("one ends")
        }
        provider.request(Thing()) { [log] _ in log.add("two ends") }
        time.advance(by: .seconds(1))
        call.cancel()
        time.run()
        expectEqual(log.entries, ["one 2", "one 2", "one ends", "two ends"])
    }

    @Test("a call whose deadline passes before it is sent is not sent, and is released")
    func endsWhileItIsLaunched() {
        struct Counting: Transport {
            let starts: Box<Int>
            var capabilities: TransportCapabilities { [] }
            func start(
                _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
            ) -> any TransportExchange {
                starts.change { $0 += 1 }
                return EndedExchange()
            }
        }
        let starts = Box(0)
        weak var held: MoyaProvider<Thing>?
        do {
            let provider = MoyaProvider<Thing>(
                transport: Counting(starts: starts), plugins: [Witness(name: "A", log: log)],
                timeouts: Timeouts(idle: nil, attempt: .seconds(1)), scheduler: .immediate)
            held = provider
            send("one", on: provider)
        }
        expectEqual(starts.value, 0)
        #expect(held == nil)
        expectEqual(log.entries, ["A.prepare", "A.willSend", "A.didReceive", "A.process", "one timeout"])
    }
}
