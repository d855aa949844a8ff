import Foundation
import RxMoyaCompatibility

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// A networking layer as an app with Moya 15 and RxMoya has it: plugins, and a token that is refreshed after a 401.
// Its imports were Moya, RxMoya and RxSwift, and `RequestTask` was `Task`; nothing else was changed.

enum Account: TargetType, AccessTokenAuthorizable {
    case login(name: String, password: String)
    case refresh(String)
    case me

    var baseURL: URL { return URL(string: "https://accounts.example") ?? URL(fileURLWithPath: "/") }

    var path: String {
        switch self {
        case .login: return "/login"
        case .refresh: return "/refresh"
        case .me: return "/me"
        }
    }

    var method: Moya.Method {
        switch self {
        case .login, .refresh: return .post
        case .me: return .get
        }
    }

    var task: RequestTask {
        switch self {
        case .login(let name, let password):
            var parameters: [String: String] = [:]
            parameters["name"] = name
            parameters["password"] = password
            return .requestParameters(parameters: parameters, encoding: JSONEncoding.default)
        case .refresh(let token):
            return .requestJSONEncodable(["token": token])
        case .me:
            return .requestPlain
        }
    }

    var headers: [String: String]? { return ["Content-Type": "application/json"] }

    var authorizationType: AuthorizationType? {
        switch self {
        case .login, .refresh: return nil
        case .me: return .bearer
        }
    }
}

struct Token: Codable, Equatable {
    let access: String
    let refresh: String
}

final class TokenStore: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Token?

    init(_ token: Token? = nil) {
        stored = token
    }

    var token: Token? {
        get {
            lock.lock()
            defer { lock.unlock() }
            return stored
        }
        set {
            lock.lock()
            defer { lock.unlock() }
            stored = newValue
        }
    }
}

/// Adds header fields, and counts the requests.
final class HeaderPlugin: PluginType {
    private let sent: @Sendable (String) -> Void

    init(sent: @escaping @Sendable (String) -> Void = { _ in }) {
        self.sent = sent
    }

    func prepare(_ request: URLRequest, target: TargetType) -> URLRequest {
        var request = request
        request.addValue("ios", forHTTPHeaderField: "X-Platform")
        return request
    }

    func willSend(_ request: RequestType, target: TargetType) {
        sent(target.path)
    }

    func didReceive(_ result: Result<Moya.Response, MoyaError>, target: TargetType) {
        guard case .failure(let error) = result else { return }
        print(target.path, "failed:", error.localizedDescription)
    }
}

final class AuthorizedClient: Sendable {
    private let provider: MoyaProvider<Account>
    private let tokens: TokenStore

    init(
        tokens: TokenStore,
        endpointClosure: @escaping MoyaProvider<Account>.EndpointClosure = MoyaProvider.defaultEndpointMapping,
        stubClosure: @escaping MoyaProvider<Account>.StubClosure = MoyaProvider.neverStub,
        plugins: [PluginType] = [HeaderPlugin()]
    ) {
        self.tokens = tokens
        let accessToken = AccessTokenPlugin { _ in tokens.token?.access ?? "" }
        let logger = NetworkLoggerPlugin(
            configuration: .init(output: { _, items in items.forEach { _ = $0 } }, logOptions: .verbose))
        provider = MoyaProvider<Account>(
            endpointClosure: endpointClosure, stubClosure: stubClosure, plugins: plugins + [accessToken, logger])
    }

    func login(name: String, password: String) -> Single<Token> {
        let tokens = self.tokens
        return provider.rx.request(.login(name: name, password: password))
            .filterSuccessfulStatusCodes()
            .map(Token.self)
            .do(onSuccess: { tokens.token = $0 })
    }

    /// A response, after a refresh of the token if the first one has the status code 401.
    func request(_ target: Account) -> Single<Response> {
        return provider.rx.request(target)
            .filterSuccessfulStatusCodes()
            .catch { error -> Single<Response> in
                guard case MoyaError.statusCode(let response) = error, response.statusCode == 401 else {
                    return .error(error)
                }
                return self.refreshToken().flatMap { _ in
                    self.provider.rx.request(target).filterSuccessfulStatusCodes()
                }
            }
    }

    /// The same with `retryWhen`.
    func requestRetrying(_ target: Account) -> Single<Response> {
        return provider.rx.request(target)
            .filterSuccessfulStatusCodes()
            .retryWhen { errors in
                errors.enumerated().flatMap { index, error -> Single<Token> in
                    guard index == 0, case MoyaError.statusCode(let response) = error, response.statusCode == 401 else {
                        return .error(error)
                    }
                    return self.refreshToken()
                }
            }
    }

    private func refreshToken() -> Single<Token> {
        guard let token = tokens.token else { return .error(MoyaError.requestMapping("no token")) }
        let tokens = self.tokens
        return provider.rx.request(.refresh(token.refresh))
            .filterSuccessfulStatusCodes()
            .map(Token.self)
            .do(onSuccess: { tokens.token = $0 })
    }
}
