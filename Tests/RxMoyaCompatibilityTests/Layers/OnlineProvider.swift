import Foundation
import RxMoyaCompatibility

// A networking layer as an app with Moya 15 and RxMoya has it: a subclass of the provider, which waits for the network.
// Its imports were Moya, RxMoya and RxSwift, and `RequestTask` was `Task`; nothing else was changed.

enum GitHub {
    case zen
    case userProfile(String)
    case userRepositories(String, page: Int)
    case rename(String)
}

extension GitHub: TargetType {
    var baseURL: URL { return URL(string: "https://api.github.com") ?? URL(fileURLWithPath: "/") }

    var path: String {
        switch self {
        case .zen:
            return "/zen"
        case .userProfile(let name):
            return "/users/\(name)"
        case .userRepositories(let name, _):
            return "/users/\(name)/repos"
        case .rename:
            return "/user"
        }
    }

    var method: Moya.Method {
        switch self {
        case .rename:
            return .patch
        default:
            return .get
        }
    }

    var task: RequestTask {
        switch self {
        case .userRepositories(_, let page):
            return .requestParameters(parameters: ["page": page, "per_page": 30], encoding: URLEncoding.queryString)
        case .rename(let name):
            return .requestParameters(parameters: ["name": name], encoding: JSONEncoding.default)
        default:
            return .requestPlain
        }
    }

    var validationType: ValidationType { return .successAndRedirectCodes }

    var sampleData: Data {
        switch self {
        case .zen:
            return "Half measures are as bad as nothing at all.".data(using: .utf8) ?? Data()
        case .userProfile(let name), .rename(let name):
            return "{\"login\": \"\(name)\", \"id\": 100}".data(using: .utf8) ?? Data()
        case .userRepositories(let name, _):
            return "[{\"name\": \"\(name)'s repository\"}]".data(using: .utf8) ?? Data()
        }
    }

    var headers: [String: String]? { return ["Accept": "application/vnd.github+json"] }
}

struct User: Decodable, Equatable {
    let login: String
    let id: Int
}

struct Repository: Decodable, Equatable {
    let name: String
}

final class OnlineProvider<Target: TargetType>: MoyaProvider<Target> {
    private let online: Observable<Bool>

    init(
        endpointClosure: @escaping MoyaProvider<Target>.EndpointClosure = MoyaProvider<Target>.defaultEndpointMapping,
        requestClosure: @escaping MoyaProvider<Target>.RequestClosure = MoyaProvider<Target>.defaultRequestMapping,
        stubClosure: @escaping MoyaProvider<Target>.StubClosure = MoyaProvider<Target>.neverStub,
        plugins: [PluginType] = [],
        trackInflights: Bool = false,
        online: Observable<Bool>
    ) {
        self.online = online
        super.init(
            endpointClosure: endpointClosure, requestClosure: requestClosure, stubClosure: stubClosure,
            plugins: plugins, trackInflights: trackInflights)
    }

    /// A `Single` that waits for the network.
    func request(_ token: Target) -> Single<Moya.Response> {
        let actualRequest = rx.request(token)
        return
            online
            .filter { $0 }
            .take(1)
            .flatMap { _ in
                return
                    actualRequest
                    .filterSuccessfulStatusCodes()
                    .do(onError: { error in
                        print("A request failed:", error)
                    })
            }
            .asSingle()
    }
}

final class GitHubService {
    private let provider: OnlineProvider<GitHub>
    private let disposeBag = DisposeBag()

    let repositories = BehaviorRelay<[Repository]>(value: [])
    let errors = PublishSubject<Error>()

    init(provider: OnlineProvider<GitHub>) {
        self.provider = provider
    }

    func user(_ name: String) -> Single<User> {
        return provider.request(.userProfile(name))
            .map(User.self)
            .observe(on: MainScheduler.instance)
    }

    func zen() -> Single<String> {
        return provider.request(.zen)
            .mapString()
            .catchAndReturn("")
    }

    func loadRepositories(of name: String, page: Int = 1) {
        let repositories = self.repositories
        let errors = self.errors
        provider.request(.userRepositories(name, page: page))
            .map([Repository].self)
            .subscribe(
                onSuccess: { page in
                    repositories.accept(repositories.value + page)
                },
                onFailure: { error in
                    errors.onNext(error)
                }
            )
            .disposed(by: disposeBag)
    }

    /// The names that match what is typed.
    func search(_ typed: Observable<String>) -> Observable<[String]> {
        let provider = self.provider
        return
            typed
            .debounce(.milliseconds(300), scheduler: SerialDispatchQueueScheduler(qos: .userInitiated))
            .distinctUntilChanged()
            .flatMapLatest { name in
                return provider.request(.userRepositories(name, page: 1))
                    .map([Repository].self)
                    .map { $0.map { $0.name } }
                    .catchAndReturn([])
            }
            .share(replay: 1, scope: .whileConnected)
    }
}
