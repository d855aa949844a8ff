// swift-format-ignore-file
// Code as teams have it, in its own style.
import Foundation
// A networking layer as an app with RxMoya writes it, and functions that run it with stubs.
import RxMoyaCompatibility

// MARK: Models

struct User: Codable, Equatable {
    let id: Int
    let login: String
    let createdAt: Date?
}

struct Repo: Codable, Equatable {
    let name: String
    let stars: Int
}

struct IssueDraft: Codable, Equatable {
    let title: String
    let body: String
}

struct OptionalTitle: Codable, Equatable {
    let title: String?
}

// MARK: Target

enum GitHub {
    case zen
    case userProfile(String)
    case userRepositories(String, page: Int)
    case search(query: String)
    case createIssue(repo: String, draft: IssueDraft)
    case deleteRepo(String)
    case token
    case emptyBody
    case avatar(String)
}

extension GitHub: TargetType {
    var baseURL: URL { URL(string: "https://api.github.com")! }

    var path: String {
        switch self {
        case .zen: return "/zen"
        case .userProfile(let name): return "/users/\(name)"
        case .userRepositories(let name, _): return "/users/\(name)/repos"
        case .search: return "/search/users"
        case .createIssue(let repo, _): return "/repos/\(repo)/issues"
        case .deleteRepo(let repo): return "/repos/\(repo)"
        case .token: return "/token"
        case .emptyBody: return "/empty"
        case .avatar(let name): return "/avatars/\(name)"
        }
    }

    var method: Moya.Method {
        switch self {
        case .createIssue, .token: return .post
        case .deleteRepo: return .delete
        default: return .get
        }
    }

    var task: RequestTask {
        switch self {
        case .userRepositories(_, let page):
            return .requestParameters(parameters: ["sort": "pushed", "page": page], encoding: URLEncoding.default)
        case .search(let query):
            return .requestParameters(parameters: ["q": query], encoding: URLEncoding.queryString)
        case .createIssue(_, let draft):
            return .requestJSONEncodable(draft)
        default:
            return .requestPlain
        }
    }

    var validationType: ValidationType { .none }

    var sampleData: Data {
        let text: String
        switch self {
        case .zen: text = "Half measures are as bad as nothing at all."
        case .userProfile(let name): text = #"{"id": 100, "login": "\#(name)", "created_at": "2020-01-02T03:04:05Z"}"#
        case .userRepositories(_, let page):
            text = #"[{"name": "repo-\#(page)", "stars": 5}, {"name": "other-\#(page)", "stars": 7}]"#
        case .search(let query):
            text = #"{"total": 1, "items": [{"id": 1, "login": "\#(query)"}], "meta": {"next": null, "page": 3}}"#
        case .createIssue(_, let draft): text = #"{"title": "\#(draft.title)", "body": "\#(draft.body)"}"#
        case .deleteRepo, .emptyBody: text = ""
        case .token: text = #"{"token": "fresh"}"#
        case .avatar: text = "not an image"
        }
        return Data(text.utf8)
    }

    var headers: [String: String]? { ["Accept": "application/vnd.github+json"] }
}

extension GitHub: AccessTokenAuthorizable {
    var authorizationType: AuthorizationType? {
        switch self {
        case .zen, .token: return nil
        default: return .bearer
        }
    }
}

// MARK: Plugins

final class RecordingPlugin: PluginType {
    private(set) var lines: [String] = []

    func prepare(_ request: URLRequest, target: TargetType) -> URLRequest {
        lines.append("prepare \(target.path)")
        var request = request
        request.setValue("1", forHTTPHeaderField: "X-Recorded")
        return request
    }
    func willSend(_ request: RequestType, target: TargetType) {
        lines.append("willSend \(request.request?.value(forHTTPHeaderField: "X-Recorded") ?? "-")")
    }
    func didReceive(_ result: Result<Moya.Response, MoyaError>, target: TargetType) {
        switch result {
        case .success(let response): lines.append("didReceive \(response.statusCode)")
        case .failure: lines.append("didReceive failure")
        }
    }
    func process(_ result: Result<Moya.Response, MoyaError>, target: TargetType) -> Result<Moya.Response, MoyaError> {
        lines.append("process")
        return result
    }
}

// MARK: Errors

enum APIError: Error, Equatable {
    case unauthorized
    case notFound
    case server(Int)
    case badData
    case offline
    case unknown

    init(_ error: Error) {
        guard let moya = error as? MoyaError else {
            self = (error as? APIError) ?? .unknown
            return
        }
        switch moya {
        case .statusCode(let response) where response.statusCode == 401: self = .unauthorized
        case .statusCode(let response) where response.statusCode == 404: self = .notFound
        case .statusCode(let response): self = .server(response.statusCode)
        case .jsonMapping, .stringMapping, .imageMapping, .objectMapping: self = .badData
        case .underlying(let error as NSError, _) where error.domain == NSURLErrorDomain: self = .offline
        case .underlying, .encodableMapping, .requestMapping, .parameterEncoding: self = .unknown
        }
    }
}

extension PrimitiveSequence where Trait == SingleTrait {
    func mapToAPIError() -> Single<Element> {
        self.catch { .error(APIError($0)) }
    }
}

// MARK: Provider with token refresh

final class Session {
    let token = BehaviorRelay<String?>(value: nil)
    private(set) var refreshes = 0
    private let provider: MoyaProvider<GitHub>

    init(provider: MoyaProvider<GitHub>) { self.provider = provider }

    func refresh() -> Single<String> {
        provider.rx.request(.token)
            .filterSuccessfulStatusCodes()
            .map(String.self, atKeyPath: "token")
            .do(onSuccess: { [weak self] token in
                self?.refreshes += 1
                self?.token.accept(token)
            })
    }
}

final class GitHubAPI {
    let session: Session
    private let provider: MoyaProvider<GitHub>
    static let decoder: JSONDecoder = {
        let d = JSONDecoder()
        d.keyDecodingStrategy = .convertFromSnakeCase
        d.dateDecodingStrategy = .iso8601
        return d
    }()

    init(provider: MoyaProvider<GitHub>, session: Session) {
        self.provider = provider
        self.session = session
    }

    func request(_ target: GitHub) -> Single<Response> {
        provider.rx.request(target)
            .filterSuccessfulStatusCodes()
            .retry(when: { [session] (errors: Observable<Error>) in
                errors.enumerated().flatMap { attempt, error -> Observable<String> in
                    guard attempt == 0, case MoyaError.statusCode(let response) = error, response.statusCode == 401
                    else {
                        return .error(error)
                    }
                    return session.refresh().asObservable()
                }
            })
    }

    func user(_ name: String) -> Single<User> {
        request(.userProfile(name)).map(User.self, using: Self.decoder).mapToAPIError()
    }
    func zen() -> Single<String> { request(.zen).mapString().mapToAPIError() }
}

// MARK: Repository

protocol UserRepository {
    func user(_ name: String) -> Single<User>
    func cachedUser(_ name: String) -> Maybe<User>
    func delete(_ repo: String) -> Completable
    func repos(_ name: String, pages: Int) -> Observable<[Repo]>
}

final class DefaultUserRepository: UserRepository {
    private let api: GitHubAPI
    private let cache = BehaviorRelay<[String: User]>(value: [:])
    private let disposeBag = DisposeBag()
    let activity = PublishRelay<String>()

    init(api: GitHubAPI) { self.api = api }

    var users: Observable<[String: User]> { cache.asObservable().share(replay: 1, scope: .whileConnected) }

    func cachedUser(_ name: String) -> Maybe<User> {
        Maybe.deferred { [cache] in
            guard let user = cache.value[name] else { return .empty() }
            return .just(user)
        }
    }

    func user(_ name: String) -> Single<User> {
        cachedUser(name).ifEmpty(
            switchTo: api.user(name)
                .do(
                    onSuccess: { [cache] user in
                        var all = cache.value
                        all[name] = user
                        cache.accept(all)
                    }, onError: { [activity] in activity.accept("failed \($0)") },
                    onSubscribe: { [activity] in activity.accept("load \(name)") },
                    onDispose: { [activity] in activity.accept("end \(name)") }))
    }

    func delete(_ repo: String) -> Completable { api.request(.deleteRepo(repo)).asCompletable() }

    func repos(_ name: String, pages: Int) -> Observable<[Repo]> {
        Observable.range(start: 1, count: pages)
            .concatMap { [api] page in api.request(.userRepositories(name, page: page)).map([Repo].self) }
            .scan([]) { $0 + $1 }
    }

    func poll(_ name: String, every period: RxTimeInterval, scheduler: SchedulerType) -> Observable<User> {
        Observable<Int>.interval(period, scheduler: scheduler)
            .startWith(-1)
            .flatMapLatest { [api] _ in api.user(name).asObservable().catch { _ in .empty() } }
            .distinctUntilChanged()
    }

    func preload(_ names: [String]) {
        Observable.from(names)
            .flatMap { [unowned self] in self.user($0).asObservable().materialize() }
            .subscribe()
            .disposed(by: disposeBag)
    }
}

// MARK: Stubbed providers

func stubbedProvider(_ plugins: [PluginType] = []) -> MoyaProvider<GitHub> {
    MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub, plugins: plugins)
}
