// swift-format-ignore-file
// Code as teams have it, in its own style.
import Foundation
import RxMoyaCompatibility

/// Answers with the given codes in turn (the last is repeated); `/token` always works.
func provider(answering codes: [Int]) -> MoyaProvider<GitHub> {
    var rest = codes
    return MoyaProvider<GitHub>(
        endpointClosure: { (target: GitHub) -> Endpoint in
            Endpoint(
                url: URL(target: target).absoluteString,
                sampleResponseClosure: {
                    if case .token = target { return .networkResponse(200, target.sampleData) }
                    let code = rest.count > 1 ? rest.removeFirst() : rest[0]
                    return .networkResponse(code, target.sampleData)
                },
                method: target.method, task: target.task, httpHeaderFields: target.headers)
        }, stubClosure: MoyaProvider.immediatelyStub)
}

func failingProvider(_ error: NSError) -> MoyaProvider<GitHub> {
    MoyaProvider<GitHub>(
        endpointClosure: { target in
            Endpoint(
                url: URL(target: target).absoluteString, sampleResponseClosure: { .networkError(error) },
                method: target.method, task: target.task, httpHeaderFields: target.headers)
        }, stubClosure: MoyaProvider.immediatelyStub)
}

/// Element(s) and the end of a sequence as text: all stubs are immediate, so this is synchronous.
func outcome<O: ObservableConvertibleType>(_ source: O) -> [String] {
    var lines: [String] = []
    let d = source.asObservable().subscribe(
        onNext: { lines.append("\($0)") },
        onError: { lines.append("error \(($0 as? APIError).map { "\($0)" } ?? APIError($0).shortName)") },
        onCompleted: { lines.append("completed") })
    d.dispose()
    return lines
}

extension APIError {
    var shortName: String { "\(self)" }
}

// MARK: Assertions: (name, actual, expected)

func networkingResults() -> [(name: String, actual: [String], expected: [String])] {
    var r: [(name: String, actual: [String], expected: [String])] = []
    let p = stubbedProvider()

    r.append(
        (
            "mapString", outcome(p.rx.request(.zen).mapString()),
            ["Half measures are as bad as nothing at all.", "completed"]
        ))
    r.append(
        ("mapString at key path", outcome(p.rx.request(.token).mapString(atKeyPath: "token")), ["fresh", "completed"]))
    r.append(("status code", outcome(p.rx.request(.zen).map { $0.statusCode }), ["200", "completed"]))
    r.append(
        (
            "mapJSON",
            outcome(
                p.rx.request(.userProfile("ash")).mapJSON().map { ($0 as? [String: Any])?["login"] as? String ?? "-" }),
            ["ash", "completed"]
        ))
    r.append(("mapJSON of text", outcome(p.rx.request(.zen).mapJSON().map { _ in "json" }), ["error badData"]))
    r.append(
        ("mapJSON of empty body", outcome(p.rx.request(.emptyBody).mapJSON().map { _ in "json" }), ["error badData"]))
    r.append(
        (
            "mapJSON of empty body allowed",
            outcome(p.rx.request(.emptyBody).mapJSON(failsOnEmptyData: false).map { $0 is NSNull ? "null" : "other" }),
            ["null", "completed"]
        ))
    r.append(
        (
            "map decodable",
            outcome(
                p.rx.request(.userProfile("ash")).map(User.self, using: GitHubAPI.decoder).map {
                    "\($0.login) \($0.createdAt!.timeIntervalSince1970)"
                }), ["ash 1577934245.0", "completed"]
        ))
    r.append(
        (
            "map array",
            outcome(p.rx.request(.userRepositories("ash", page: 2)).map([Repo].self).map { $0.map { $0.name } }),
            ["[\"repo-2\", \"other-2\"]", "completed"]
        ))
    r.append(
        (
            "map at key path",
            outcome(
                p.rx.request(.search(query: "bob")).map([User].self, atKeyPath: "items").map { $0.map { $0.login } }),
            ["[\"bob\"]", "completed"]
        ))
    r.append(
        (
            "map at nested key path",
            outcome(p.rx.request(.search(query: "bob")).map(Int.self, atKeyPath: "meta.page")), ["3", "completed"]
        ))
    r.append(
        (
            "map at a missing key path",
            outcome(p.rx.request(.search(query: "bob")).map(Int.self, atKeyPath: "nothing.here")), ["error badData"]
        ))
    r.append(("map wrong type", outcome(p.rx.request(.search(query: "bob")).map(User.self)), ["error badData"]))
    r.append(("map empty data fails", outcome(p.rx.request(.emptyBody).map(User.self)), ["error badData"]))
    // Moya decodes "{}" and then "[{}]" when empty data is allowed.
    r.append(
        (
            "map empty data to an object",
            outcome(
                p.rx.request(.emptyBody).map(OptionalTitle.self, failsOnEmptyData: false).map { $0.title ?? "none" }),
            ["none", "completed"]
        ))
    r.append(
        (
            "map empty data to an array",
            outcome(
                p.rx.request(.emptyBody).map(
                    [OptionalTitle].self, atKeyPath: nil, using: JSONDecoder(), failsOnEmptyData: false
                ).map { $0.count }), ["1", "completed"]
        ))
    r.append(
        (
            "map empty data to required keys",
            outcome(p.rx.request(.emptyBody).map([Repo].self, failsOnEmptyData: false)), ["error badData"]
        ))

    r.append(
        (
            "filterSuccessfulStatusCodes",
            outcome(provider(answering: [404]).rx.request(.zen).filterSuccessfulStatusCodes().mapString()),
            ["error notFound"]
        ))
    r.append(
        (
            "redirect is not success",
            outcome(provider(answering: [302]).rx.request(.zen).filterSuccessfulStatusCodes().map { $0.statusCode }),
            ["error server(302)"]
        ))
    r.append(
        (
            "redirect allowed",
            outcome(
                provider(answering: [302]).rx.request(.zen).filterSuccessfulStatusAndRedirectCodes().map {
                    $0.statusCode
                }), ["302", "completed"]
        ))
    r.append(
        (
            "filter statusCode",
            outcome(provider(answering: [204]).rx.request(.zen).filter(statusCode: 204).map { $0.statusCode }),
            ["204", "completed"]
        ))
    r.append(
        (
            "filter statusCodes closed range",
            outcome(provider(answering: [500]).rx.request(.zen).filter(statusCodes: 200...299).map { $0.statusCode }),
            ["error server(500)"]
        ))
    r.append(
        (
            "filter statusCodes range",
            outcome(provider(answering: [299]).rx.request(.zen).filter(statusCodes: 200..<300).map { $0.statusCode }),
            ["299", "completed"]
        ))
    r.append(
        (
            "asObservable form", outcome(p.rx.request(.zen).asObservable().filterSuccessfulStatusCodes().mapString()),
            ["Half measures are as bad as nothing at all.", "completed"]
        ))

    let offline = failingProvider(NSError(domain: NSURLErrorDomain, code: NSURLErrorNotConnectedToInternet))
    r.append(("network error", outcome(offline.rx.request(.zen).mapString()), ["error offline"]))
    r.append(
        (
            "network error caught", outcome(offline.rx.request(.zen).mapString().catchAndReturn("cached")),
            ["cached", "completed"]
        ))
    r.append(
        (
            "underlying error keeps the code",
            outcome(
                offline.rx.request(.zen).map { _ in 0 }.catch { error in
                    guard case MoyaError.underlying(let inner, let response) = error else { return .just(-1) }
                    return .just(response == nil ? (inner as NSError).code : 0)
                }), ["-1009", "completed"]
        ))

    // A stubbed request of Moya never calls the progress block: only the end arrives.
    r.append(
        (
            "progress of a stub", outcome(p.rx.requestWithProgress(.zen).map { "\($0.completed) \($0.progress)" }),
            ["completed"]
        ))
    r.append(
        (
            "filterCompleted of a stub", outcome(p.rx.requestWithProgress(.zen).filterCompleted().mapString()),
            ["completed"]
        ))
    r.append(("progress error", outcome(offline.rx.requestWithProgress(.zen).map { _ in 0 }), ["error offline"]))

    let recorder = RecordingPlugin()
    let recorded = stubbedProvider([recorder]).rx.request(.zen)
    let single = recorded.map { $0.statusCode }
    r.append(("cold: nothing sent before subscription", recorder.lines, []))
    r.append(("cold: first", outcome(single), ["200", "completed"]))
    r.append(("plugin order", recorder.lines, ["prepare /zen", "willSend 1", "didReceive 200", "process"]))
    r.append(("cold: second", outcome(single), ["200", "completed"]))
    r.append(("sent twice", ["\(recorder.lines.filter { $0 == "process" }.count)"], ["2"]))

    func api(_ codes: [Int]) -> GitHubAPI {
        let p = provider(answering: codes)
        return GitHubAPI(provider: p, session: Session(provider: p))
    }
    let refreshing = api([401, 200])
    r.append(("token refresh", outcome(refreshing.user("ash").map { $0.login }), ["ash", "completed"]))
    r.append(
        ("refreshed once", ["\(refreshing.session.refreshes)", refreshing.session.token.value ?? "-"], ["1", "fresh"]))
    r.append(("refresh does not help", outcome(api([401]).user("ash")), ["error unauthorized"]))
    r.append(("no refresh for 500", outcome(api([500]).user("ash")), ["error server(500)"]))

    let repository = DefaultUserRepository(api: api([200]))
    var activity: [String] = []
    let bag = DisposeBag()
    repository.activity.subscribe(onNext: { activity.append($0) }).disposed(by: bag)
    r.append(("cache miss", outcome(repository.cachedUser("ash")), ["completed"]))
    r.append(("load", outcome(repository.user("ash").map { $0.id }), ["100", "completed"]))
    r.append(("load from cache", outcome(repository.user("ash").map { $0.id }), ["100", "completed"]))
    r.append(("activity", activity, ["load ash", "end ash"]))
    r.append(("users", outcome(repository.users.take(1).map { $0.keys.sorted() }), ["[\"ash\"]", "completed"]))
    repository.preload(["x", "y"])
    r.append(
        (
            "preload", outcome(repository.users.take(1).map { $0.keys.sorted() }),
            ["[\"ash\", \"x\", \"y\"]", "completed"]
        ))
    r.append(("completable", outcome(repository.delete("a/b")), ["completed"]))
    r.append(
        (
            "pages", outcome(repository.repos("ash", pages: 2).map { $0.map { $0.name } }),
            ["[\"repo-1\", \"other-1\"]", "[\"repo-1\", \"other-1\", \"repo-2\", \"other-2\"]", "completed"]
        ))
    r.append(
        (
            "poll take 1",
            outcome(
                repository.poll("ash", every: .seconds(60), scheduler: MainScheduler.instance).take(1).map { $0.login }),
            ["ash", "completed"]
        ))
    r.append(
        (
            "zip of requests",
            outcome(
                Single.zip(
                    p.rx.request(.zen).mapString(),
                    p.rx.request(.userProfile("z")).map(User.self, using: GitHubAPI.decoder)
                ) { "\($0.count) \($1.login)" }), ["43 z", "completed"]
        ))
    r.append(
        (
            "json body",
            outcome(
                p.rx.request(.createIssue(repo: "a/b", draft: IssueDraft(title: "T", body: "B"))).map(IssueDraft.self)
                    .map { $0.title + $0.body }), ["TB", "completed"]
        ))
    return r
}

func networkingFailures() -> [String] {
    networkingResults().compactMap {
        $0.actual == $0.expected ? nil : "\($0.name): got \($0.actual), expected \($0.expected)"
    }
}
