import Foundation
import MoyaStreams

// Usages by habit of Alamofire, Combine, RxSwift and URLSession that fail with a message that names the replacement.

struct User: Codable, Sendable {
    let name: String
}

enum GitHub: TargetType {
    case zen
    case user(String)
    var baseURL: URL { URL(filePath: "/") }
    var path: String { "/" }
}

func alamofireRequests(_ url: URL, token: String) async throws {
    AF.request(url, method: .post, headers: ["A": "b"])  // error: declare the request as a target
        .validate(statusCode: 200..<300)
        .responseDecodable(of: User.self, decoder: JSONDecoder()) { print($0.response?.statusCode ?? 0) }
    AF.request(URLRequest(url: url)).response { print($0.data ?? Data()) }  // error: declare the request as a target
    AF.upload(multipartFormData: { $0.append(Data(), withName: "file") }, to: url)  // error: declare the request
        .uploadProgress { print($0.fractionCompleted) }.responseData { print($0) }
    AF.download(url)  // error: declare the request as a target
        .downloadProgress { print($0.fractionCompleted) }.responseData { print($0) }
    let outcome = await AF.request(url).serializingDecodable(User.self).response  // error: declare the request
    print(outcome)
    let json = JSONParameterEncoder.default  // error: use the task .requestJSONEncodable
    AF.request(url, parameters: ["a": 1], encoder: json).response { print($0) }  // error: declare the request
    let both = Interceptor()  // error: pass several interceptors
    AF.request(url, interceptor: both).response { print($0) }  // error: declare the request as a target
}

enum Router: URLRequestConvertible {  // error: declare each request as a case of a TargetType
    case user(String)
    func asURLRequest() throws -> URLRequest { URLRequest(url: URL(filePath: "/")) }
}

func alamofireHeaders(_ token: String) -> HTTPHeaders {
    var request = URLRequest(url: URL(filePath: "/"))
    request.headers = ["A": "b"]  // error: use setValue(_:forHTTPHeaderField:)
    request.method = .post  // error: use httpMethod, a String
    var headers = HTTPHeaders()
    headers.add(.accept("text/plain"))  // error: assign the field by its name
    headers.add(.authorization(bearerToken: token))  // error: assign the field by its name
    headers.update(name: "A", value: "b")  // error: as in headers[name] = value
    headers.remove(name: "A")  // error: as in headers[name] = nil
    print(headers.value(for: "A") ?? "")  // error: as in headers[name]
    headers.add(name: "A", value: "b")  // error: as in headers[name] = value
    let field = HTTPHeader(name: "A", value: "b")  // error: assign a field by its name
    _ = field
    return headers
}

enum Network {
    static let session: Session = Session()  // error: pass transport:, timeouts: and interceptors:
    static let reachability = NetworkReachabilityManager()  // error: use NWPathMonitor in an interceptor
}

func alamofireErrors(_ result: Result<User, AFError>, _ error: any Error) {  // error: use MoyaError: its kind
    print(result, error.asAFError?.isExplicitlyCancelledError ?? false)  // error: the error is a MoyaError
}

func forms(_ data: Data) {
    let form = MultipartFormData()
    form.append(data, withName: "file", mimeType: "image/png")  // error: pass the parts: [MultipartFormBodyPart(
}

func urlSession(_ provider: MoyaProvider<GitHub>) async throws {
    let (data, _) = try await provider.data(for: .zen)  // error: await response(_:)
    let (bytes, _) = try await provider.bytes(for: .zen)  // error: await streamedResponse(_:)
    let (file, _) = try await provider.download(for: .zen)  // error: give the target the task .download(to:)
    let (answer, _) = try await provider.upload(for: .zen, from: data)  // error: give the target the task .uploadFile
    print(bytes, file, answer)
}

func providers() {
    _ = MoyaProvider<GitHub>(decoder: JSONDecoder())  // error: pass decoding:
    _ = NetworkLoggerPlugin(verbose: true)  // error: logOptions: .verbose
}

final class Model {
    var name = ""
    var all: Set<Subscription> = []  // error: store subscriptions in a SubscriptionBag
    var some: [Subscription] = []

    func load(_ provider: MoyaProvider<GitHub>, _ names: Observable<String>, _ more: Observable<String>) {
        _ = names.assign(to: \.name, on: self)  // error: use subscribe(onMain: {
        let sink = names.sink { print($0) }  // error: use subscribe(onNext:onError:onCompleted:)
        sink.store(in: &some)  // error: store it in a SubscriptionBag
        names.subscribe(onNext: { print($0) }).store(in: &some)  // error: store it in a SubscriptionBag
        _ = names.timeout(.seconds(5))  // error: renamed to 'timeout(after:on:)'
        _ = names.debounce(.milliseconds(300))  // error: renamed to 'debounce(for:on:)'
        _ = names.delay(.seconds(1))  // error: renamed to 'delay(for:on:)'
        _ = names.receive(on: RunLoop.main)  // error: use observe(on: .main)
        _ = names.zip(more)  // error: use Observable.zip(_:_:)
        _ = names.combineLatest(more)  // error: use Observable.combineLatest(_:_:)
        _ = names.takeUntil(more)  // error: renamed to 'take(until:)'
        _ = names.takeWhile { $0.isEmpty }  // error: renamed to 'take(while:)'
        let data = provider.request(.zen).map(\.data)
        _ = data.decode(type: User.self, decoder: JSONDecoder())  // error: use map(_:) with the type
        _ = provider.request(.zen).validate()  // error: renamed to 'filterSuccessfulStatusCodes()'
        let driver: Driver<String> = names  // error: renamed to 'Observable'
        _ = driver
    }
}

func blocking(_ provider: MoyaProvider<GitHub>) async throws {
    _ = try provider.request(.zen).toBlocking().first()  // error: await first(), value()
    let outcome = await provider.request(.zen)  // warning: no 'async' operations occur within 'await'
    _ = try outcome.get()  // error: response(_:)
}

struct Unnamed: DecodableTargetType {  // error: does not conform
    let path = "/"
}

let policies: [String: any ServerTrustEvaluating] = [:]  // error: use ServerTrustPolicy

func moreByHabit(_ provider: MoyaProvider<GitHub>, url: URL) async throws {
    _ = try await provider.request(.zen, progress: { _ in })  // error: await response(_:progress:)
    _ = try await provider.data(.zen)  // error: await response(_:)
    _ = try await provider.download(.zen, to: url)  // error: give the target the task
    let response = try await provider.response(.zen)
    print(try response.validate(statusCode: 200..<300).data)  // error: use filter(statusCodes:)
    print(response.value)  // error: call value(_:)
    print(response.response?.headers ?? [:])  // error: use headers of the Response
    for header in response.headers { print(header) }  // error: use headers.fields
    _ = MoyaProvider<GitHub>(interceptors: [RetryPolicy(times: 3)])  // error: pass RetryInterceptor(policy)
    _ = URLSessionConfiguration.af  // error: pass timeouts:
    AF.request(url).redirect(using: .follow).validate { _, _, _ in .success(()) }  // error: declare the request as
        .responseURL { _ in }
    print(MoyaError.requestMapping("").isExplicitlyCancelledError)  // error: renamed to 'isCancelled'
    if NetworkReachabilityManager.default?.isReachable == true {}  // error: use NWPathMonitor
    for try await zen in provider.request(.zen).mapString() { print(zen) }  // error: to conform to 'AsyncSequence'
    _ = Signal<Int>()  // error: use Signal.pipe()
    _ = provider.request(.zen).append(response)  // error: use concat(.just(element)), or concat(.from(elements))
    _ = provider.request(.zen).ignoreOutput()  // error: renamed to 'ignoreElements()'
}

extension PrimitiveSequence where Trait == SingleTrait {}  // error: write extension Subscribable

func inPlugins(_ request: RequestType, _ credential: URLCredential) {
    _ = request.authenticate(username: "ash", password: "", persistence: .none)  // error: pass a CredentialsPlugin
    _ = request.authenticate(with: credential)  // error: pass a CredentialsPlugin
    print(request.sessionHeaders)  // error: there are no fields of a session
}

final class Adapter: RequestInterceptor {  // error: does not conform
    func adapt(
        _ urlRequest: URLRequest, for session: Session,  // error: an interceptor is an AsyncInterceptor(adapt:retry:)
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) { completion(.success(urlRequest)) }
}

func moreOfAlamofire(_ url: URL, queue: DispatchQueue) {
    AF.request(url)  // error: declare the request as a target
        .responseDecodable { (response: DataResponse<User, AFError>) in  // error: use Response, whose map
            print(response.value?.name ?? "")
        }
    AF.request(url)  // error: declare the request as a target
        .responseDecodable { (response: AFDataResponse<User>) in  // error: use Response, whose map
            print(response.value?.name ?? "")
        }
    AF.request(url).responseData(queue: queue) { print($0) }  // error: declare the request as a target
    AF.request(url).responseString(encoding: .utf8) { print($0) }  // error: declare the request as a target
    AF.download(url, method: .get, parameters: ["a": 1], headers: nil, to: nil)  // error: declare the request
        .responseURL { print($0) }
    let headers: HTTPHeaders = [.authorization("Bearer token")]  // error: write the fields as a dictionary
    print(headers)
}

struct GetUser: DecodableTargetType, RelativeTarget {
    typealias Value = User
    let path = "/user"
}

func get(_ provider: MoyaProvider<MultiTarget>, _ response: Response) async throws {
    print(try await provider.send(GetUser()).value)  // error: call value(_:), which returns the value
    print(try await provider.data(for: GetUser()))  // error: await response(_:)
    print(try await provider.download(for: GetUser()))  // error: give the target the task .download(to:)
    print(try await provider.upload(for: GetUser(), from: Data()))  // error: give the target the task .uploadFile(_:)
    print(try response.decoded(as: User.self))  // error: renamed to 'map(_:)'
}

final class Screen: Sendable {
    func streams(_ names: Observable<String>, _ provider: MoyaProvider<GitHub>, _ done: Emitter<Void>) {
        names.asDriver().drive(onNext: { print($0) })  // error: use subscribe(onMain:) // error: use subscribe(onMain:)
        names.asDriver(onErrorDriveWith: .empty())  // error: use catch(_:) and subscribe(onMain:)
            .drive(with: self) { screen, name in print(screen, name) }  // error: use subscribe(onMain: { [weak self]
        names.bind(with: self) { screen, name in print(screen, name) }  // error: use subscribe(onMain: { [weak self]
        names.asSignal().emit(onNext: { print($0) })  // error: use subscribe(onMain:) // error: use subscribe(onMain:)
        _ = names.publish().refCount()  // error: use multicast() // error: leave out publish()
        _ = names.debounce(for: 0.3, scheduler: RunLoop.main)  // error: use debounce(for: .seconds(0.3), on: .main)
        _ = names.tryCompactMap { Int($0) }  // error: renamed to 'compactMap(_:)'
        _ = Publishers.Zip(names, names)  // error: use Observable.zip
        Publishers.CombineLatest(names, names).map { $0 + $1 }.subscribeNext { print($0) }  // error: use Observable.zip
        Publishers.Merge(names, names).subscribeNext { print($0) }  // error: use Observable.zip
        _ = Deferred { names }  // error: use Observable.deferred
        _ = Empty<String, Never>()  // error: use Observable.empty()
        provider.request(.zen).responseDecodable(of: User.self) { print($0) }  // error: use map(_:).subscribeNext
        provider.request(.zen).responseJSON { print($0) }  // error: use mapJSON().subscribeNext
        done.send()  // error: use send(())
        provider.reactive.request(.zen)  // error: the provider itself has the streams
            .start { event in  // error: use subscribe(_:)
                switch event {
                case .value(let response): print(response)
                case .failed(let error): print(error)
                default: break
                }
            }
    }
}
