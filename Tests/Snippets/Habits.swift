// swift: 5 6
import Foundation
import MoyaStreams

// Usages written by habit from Moya, RxMoya, Alamofire, Get and RxSwift, before the API was read: those that compile as
// they are. `HabitsRefused.swift` has the others, with the messages of the compiler.

struct User: Codable, Sendable {
    let name: String
}

enum GitHub {
    case zen
    case user(String)
    case search(String)
    case avatar(Data)
}

extension GitHub: TargetType {
    var baseURL: URL { return URL(string: "https://api.github.com") ?? URL(fileURLWithPath: "/") }
    var path: String { return "/" }
    var method: Moya.Method { return .get }
    // Habit 3
    var task: RequestTask {
        switch self {
        case .search(let text):
            return .requestParameters(parameters: ["q": text], encoding: URLEncoding.queryString)
        case .avatar(let data):
            // Habit 7
            return .uploadMultipart([
                MultipartFormBodyPart(provider: .data(data), name: "file", fileName: "a.jpg", mimeType: "image/jpeg")
            ])
        default:
            return .requestPlain
        }
    }
    var headers: [String: String]? { return nil }
}

func tasks(_ parameters: [String: Any], _ name: String?) -> [RequestTask] {
    [
        .requestParameters(parameters: parameters, encoding: JSONEncoding.default),
        .requestParameters(parameters: ["a": 1, "names": [name], "on": true], encoding: URLEncoding.default),
        .requestParameters(parameters: [:], encoding: URLEncoding.default),
        .requestCompositeParameters(
            bodyParameters: parameters, bodyEncoding: JSONEncoding.default, urlParameters: ["a": 1]),
        .requestCompositeParameters(bodyParameters: [:], bodyEncoding: JSONEncoding.default, urlParameters: [:]),
    ]
}

// Habit 5
final class AuthPlugin: PluginType {
    func prepare(_ request: URLRequest, target: TargetType) -> URLRequest {  // warning: 'any TargetType'
        var request = request
        request.setValue("token", forHTTPHeaderField: "X-Token")
        return request
    }
}

func moya() throws {
    let provider = MoyaProvider<GitHub>()

    // Habit 1
    provider.request(.zen) { result in
        switch result {
        case .success(let response):
            let users = try? response.map([User].self)
            print(response.statusCode, users ?? [])
        case .failure(let error):
            print(error.localizedDescription)
        }
    }
    provider.request(.zen, callbackQueue: DispatchQueue.main, progress: { print($0.progress) }) { _ in }

    // Habit 2
    let configured = MoyaProvider<GitHub>(
        endpointClosure: { target in
            Endpoint(
                url: URL(target: target).absoluteString,
                sampleResponseClosure: { .networkResponse(200, target.sampleData) }, method: target.method,
                task: target.task, httpHeaderFields: target.headers)
        },
        stubClosure: MoyaProvider.immediatelyStub,
        plugins: [AuthPlugin(), NetworkLoggerPlugin(configuration: .init(logOptions: .verbose))])
    _ = configured

    // Habit 6
    let multi = MoyaProvider<MultiTarget>()
    multi.request(MultiTarget(GitHub.zen)) { _ in }
    multi.request(.target(GitHub.zen)) { _ in }

    // Habit 8
    let error = MoyaError.underlying(URLError(.timedOut), nil)
    if case .statusCode(let response) = error { print(response.statusCode) }
    if case .underlying(let inner, let response) = error { print(inner, response?.statusCode ?? 0) }
}

func rxSwift() {
    let provider = MoyaProvider<GitHub>()

    // Habit 11, without `rx`
    provider.requestWithProgress(.zen).filterProgress().subscribe(onNext: { print($0) })

    // Habit 15
    let (a, b) = (Observable.of(1, 2, 3), Observable.just(4))
    Observable.combineLatest(a, b) { $0 + $1 }.subscribe(onNext: { print($0) })
    Observable.zip(a, b, resultSelector: { $0 * $1 }).subscribe(onNext: { print($0) })
    Observable.zip(a, b).subscribe(onNext: { print($0.0) })
    _ = [Observable<Int>.empty(), .never()]

    // Habit 16
    _ = provider.request(.zen).share(replay: 1)
    _ = provider.request(.zen).retry(times: 2).share()
}

// Habit 18
func headers(_ token: String) -> [String: String] {
    var headers: HTTPHeaders = ["Accept": "application/json"]
    headers["Authorization"] = "Bearer \(token)"
    return headers.dictionary
}

// Habit 22
func awaited() async throws -> User {
    let provider = MoyaProvider<GitHub>()
    let response = try await provider.response(.user("ash")).filterSuccessfulStatusCodes()
    return try JSONDecoder().decode(User.self, from: response.data)
}

// Without `import FoundationNetworking`: the module exports the types that its users name.
func named(_ provider: MoyaProvider<GitHub>, _ request: URLRequest, _ head: HTTPURLResponse) async {
    do {
        print(try await provider.value(.user("x"), as: User.self).name)
    } catch {
        if !error.isCancelled { print(error) }
    }
    let bag = SubscriptionBag()
    provider.request(.zen) { _ in }.store(in: bag)
    let busy = MoyaProvider<GitHub>.stubbed { _ in .status(503, headers: ["Retry-After": "2"]) }
    _ = busy
}
