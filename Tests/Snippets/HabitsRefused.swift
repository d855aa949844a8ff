import Foundation
import MoyaStreams

// Usages written by habit that fail with a message that names the replacement; see `Habits.swift`.

struct User: Codable, Sendable {
    let name: String
}

enum GitHub: TargetType {
    case zen
    case user(String)
    var baseURL: URL { URL(filePath: "/") }
    var path: String { "/" }
}

// Habit 3, with Moya's name of the type. The compiler means the type of Swift's concurrency, which a type of that name
// in this package would hide everywhere; the article MigratingFromMoya names RequestTask.
struct Ported: TargetType {
    let baseURL = URL(filePath: "/")
    let path = "/"
    var task: Task { .requestPlain }  // error: reference to generic type 'Task' requires arguments
}

struct Qualified: TargetType {
    let baseURL = URL(filePath: "/")
    let path = "/"
    var task: Moya.Task { .requestPlain }  // error: renamed to 'RequestTask' // error: no member 'requestPlain'
}

func moya(_ response: Response, session: AnyObject) throws {
    // Habit 4
    let json = try response.mapJSON() as? [String: Any]  // warning: always fails
    _ = json
    _ = try JSONSerialization.data(withJSONObject: response.mapJSON())  // warning: pass json.foundationObject
    _ = JSONSerialization.isValidJSONObject(try response.mapJSON())  // warning: pass json.foundationObject

    // Habit 9
    _ = MoyaProvider<GitHub>(session: session)  // error: there is no Session: pass transport:
}

func rxMoya(_ provider: MoyaProvider<GitHub>) {
    // Habit 10
    let bag = DisposeBag()  // error: 'DisposeBag' has been renamed to 'SubscriptionBag'
    provider.rx.request(.zen)  // error: the provider itself has the streams
        .filterSuccessfulStatusCodes().map([User].self)
        .subscribe(onSuccess: { print($0) }, onFailure: { print($0) })  // error: use subscribe(onNext:
        .disposed(by: bag)  // error: use store(in: bag)

    // Habit 11
    provider.rx.requestWithProgress(.zen)  // error: the provider itself has the streams
        .filterProgress().subscribe(onNext: { print($0) })

    // Habit 12
    _ = provider.request(.zen).map(User.self)
        .catchErrorJustReturn(User(name: ""))  // error: has been renamed to 'catchAndReturn(_:)'
        .asObservable()  // error: use the property observable
        .observe(on: MainScheduler.instance)  // error: use .main
}

// Habit 13
func users() -> Single<User> {  // error: 'Single' has been renamed to 'Observable'
    .just(User(name: "ash"))
}

func created() -> Single<User> {  // error: 'Single' has been renamed to 'Observable'
    .create { single in  // error: use Observable { emitter in
        single(.success(User(name: "ash")))  // error: use emitter.send(_:) and emitter.complete()
        return Disposables.create()  // error: use emitter.onTermination
    }
}

func rxSwift(_ typed: Signal<String>, _ provider: MoyaProvider<GitHub>) {
    // Habit 14
    _ = typed.debounce(.milliseconds(300), scheduler: .main)  // error: has been renamed to 'debounce(for:on:)'
        .distinctUntilChanged()
        .flatMapLatest { provider.request(.user($0)) }
    typed.bind(to: provider)  // error: use subscribeNext { emitter.send($0) }, or subscribe(onMain:)

    // Habit 15
    _ = Observable<Int>.interval(.seconds(1), scheduler: .main)  // error: has been renamed to 'interval(_:on:)'
    _ = Observable<Int>.create { observer in  // error: use Observable { emitter in
        observer.onNext(1)  // error: has been renamed to 'send(_:)'
        return Disposables.create()  // error: use emitter.onTermination
    }

    // Habit 16
    let stream = provider.request(.zen)
    _ = stream.share(replay: 1, scope: .whileConnected)  // error: has been renamed to 'whileSubscribed'
    _ = stream.retry()  // error: use retry(times:), or retry(_:on:) with a RetryPolicy
    _ = stream.retry(.exponential(initial: .seconds(1), times: 3))  // error: retry(policy, on: .background)
    _ = stream.retry(RetryPolicy(times: 3))  // error: retry(policy, on: .background)
    stream.disposed(by: SubscriptionBag())  // error: subscribe to the stream first
    _ = stream.retry(3)  // error: retry(3) of RxSwift is retry(times: 2)
    _ = stream.do(onNext: { print($0) }, onError: { print($0) })  // error: use handleEvents(

    // Habit 17
    let relay = BehaviorRelay<[User]>(value: [])  // error: use Signal.pipe(value:)
    relay.accept([])
    let subject = PublishSubject<Void>()  // error: use Signal.pipe()
    subject.onNext(())
}

// Habit 20
let retrying = MoyaProvider<GitHub>(interceptors: [
    .retry(3)  // error: use .retry(times: 3)
])
let policy = RetryPolicy(retryLimit: 3)  // error: use RetryPolicy(times: 3)

func combine(_ provider: MoyaProvider<GitHub>) {
    _ = provider.request(.zen).removeDuplicates()  // error: has been renamed to 'distinctUntilChanged()'
    _ = provider.request(.zen).receive(on: .main)  // error: has been renamed to 'observe(on:)'
    _ = provider.request(.zen).sink(receiveValue: { print($0) })  // error: use subscribe(onNext:onError:onCompleted:)
    _ = provider.requestPublisher(.zen)  // error: import MoyaCombine
}

// Habit 18.
func headers(_ token: String) -> HTTPHeaders {
    [.authorization(bearerToken: token)]  // error: write the fields as a dictionary
}

// Habit 19
func alamofire() {
    AF.request("https://a.example").validate()  // error: declare the request as a target, and send it with MoyaProvider
        .responseDecodable(of: User.self) { response in print(response.value?.name ?? "") }
    _ = AF.download("https://a.example")  // error: declare the request as a target
    _ = AF.upload(Data(), to: "https://a.example")  // error: declare the request as a target
    let decision = RetryResult.retry  // error: use RetryDecision
    _ = decision
    _ = DownloadRequest.suggestedDownloadDestination()  // error: use the task .download(to:)
}

func alamofireTypes() {
    AF.request("https://a.example").responseJSON { print($0) }  // error: declare the request as a target
    _ = Session(startRequestsImmediately: false)  // error: pass transport:, timeouts: and interceptors:
    let pins = PinnedCertificatesTrustEvaluator()  // error: use the pins of a ServerTrustPolicy
    _ = ServerTrustManager(evaluators: ["a.example": pins])  // error: use ServerTrustPolicy
    let failure: AFError? = nil  // error: use MoyaError: its kind
    _ = failure
}

struct Refreshing: Authenticator {}  // error: use AuthenticationInterceptor(credential:apply:refresh:)

func members(_ provider: MoyaProvider<GitHub>, any: any MoyaProviderType) {  // error: pass a provider with stubs
    print(provider.plugins)  // error: renamed to 'configuration.plugins'
    print(provider.inflightRequests)  // error: pass trackInflights: true
}

func alamofireAwaited() async throws -> User {
    try await AF.request("https://a.example").validate()  // error: declare the request as a target
        .serializingDecodable(User.self).value
}

func reconnecting(_ provider: MoyaProvider<GitHub>, _ policy: RetryPolicy) async throws {
    let users = provider.events(.zen, as: User.self, reconnecting: policy)  // error: iterate requestEvents(
    for try await _ in users {}
}

func subscribed(_ provider: MoyaProvider<GitHub>) -> Disposable {  // error: has been renamed to 'Subscription'
    provider.request(.zen).subscribe()
}

// Habit 21
func get() async throws {
    let client = APIClient(baseURL: URL(string: "https://a.example"))  // error: use MoyaProvider<MultiTarget>(
    let request = Request<User>(path: "/user")  // error: cannot be constructed
    print(try await client.send(request).value)
}

func profile() -> Request<User>? { nil }  // error: use a struct that conforms to DecodableTargetType

// Habits 21 and 22
func awaited(_ provider: MoyaProvider<GitHub>) async throws {
    let awaited = try await provider.request(.zen)  // warning: no 'async' operations occur within 'await'
    print(awaited.statusCode)  // error: a stream is not awaited: use `try await provider.response(_:)`
    print(awaited.data)  // error: a stream is not awaited: use `try await provider.response(_:)`
    let response: Response = try await provider.request(.zen)  // error: await response(_:) for the response
    _ = response
    let user: User = try await provider.request(.zen).map(User.self)  // error: provider.response(_:).map
    _ = user
    let json: JSONValue = try await provider.request(.zen).mapJSON()  // error: response(_:).mapJSON()
    _ = json
    _ = try await provider.request(.zen).map(User.self).value  // warning: renamed to 'value()'
    _ = try await provider.request(.zen).map(User.self).value()
    let renamed: User = try await provider.request(.zen).map(User.self).value  // warning: renamed to 'value()'
    _ = renamed
    _ = try await provider.send(.zen)  // error: await response(_:) for the response
    _ = try await provider.value(.zen)  // error: this target has no response type
    let typed: User = try await provider.value(.user("x"))  // error: as in value(target, as: User.self)
    _ = typed
}

// A mistake in a closure is reported, not the operator that the closure is passed to.
func mistakes(_ provider: MoyaProvider<GitHub>) {
    provider.request(.zen).subscribe(onNext: { print($0.name) })  // error: 'Response' has no member 'name'
    _ = provider.request(.zen).flatMap { provider.request(.user($0.name)) }  // error: 'Response' has no member 'name'
    provider.request(.zen).mapString().subscribe(onNext: { print($0.name) })  // error: 'String' has no member 'name'
    provider.request(.zen).mapJSON().subscribe(onNext: { print($0.name) })  // error: 'JSONValue' has no member 'name'
    provider.request(.zen).map { $0.statusCode }.subscribe(onNext: { print($0.name) })  // error: no member 'name'
    let names = provider.request(.zen).mapString().map { $0.count }
    names.filter { $0 > 1 }.subscribe(onNext: { print($0.name) })  // error: value of type 'Int' has no member 'name'
}

func awaitedResults(
    _ provider: MoyaProvider<GitHub>, _ any: MoyaProvider<MultiTarget>
) async throws -> Result<Response, MoyaError> {
    let queued: Response = try await provider.request(.zen, callbackQueue: .main)  // error: await response(_:) for
    let wrapped: Response = try await any.request(GitHub.zen)  // error: await response(_:) for the response
    print(queued, wrapped)
    return try await provider.request(.zen)  // error: await response(_:) for the response
}

func combineChains(_ provider: MoyaProvider<GitHub>) {
    _ = provider.requestPublisher(.zen).map(User.self)  // error: import MoyaCombine
        .sink(  // error: use subscribe(onNext:onError:onCompleted:)
            receiveCompletion: { completion in
                switch completion {
                case .finished: break
                case .failure(let error): print(error)
                }
            }, receiveValue: { print($0) })
    let stream = provider.request(.zen)
    _ = stream.debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)  // error: 'debounce(for:on:)'
    _ = stream.delay(for: .milliseconds(300), scheduler: DispatchQueue.main)  // error: 'delay(for:on:)'
    _ = stream.throttle(  // error: use throttle(for:latest:on:)
        for: .seconds(1), scheduler: DispatchQueue.main, latest: true)
    _ = stream.handleEvents(receiveOutput: { print($0) })  // error: use handleEvents(onSubscribe:
}

final class Owner: Sendable {}

func rxSwiftChains(_ provider: MoyaProvider<GitHub>, _ owner: Owner) {
    _ = provider.request(.zen).subscribe { event in  // error: use subscribe(onNext:onError:onCompleted:)
        switch event {
        case .success(let response): print(response)
        case .failure(let error): print(error)
        }
    }
    _ = provider.request(.zen).subscribe(with: owner, onNext: { print($1) })  // error: use take(whileAlive:)
    _ = provider.request(.zen).subscribe(with: owner, onSuccess: { print($1) })  // error: use take(whileAlive:)
    _ = provider.request(.zen).observe(on: .global(qos: .utility))  // error: use .background
    _ = Observable<Int> { emitter in emitter.on(.next(1)) }  // error: has been renamed to 'send(event:)'
}

func sessions(_ provider: MoyaProvider<GitHub>, _ error: any Error) {
    _ = Session.default  // error: there is no Session
    _ = MoyaProvider<GitHub>.defaultAlamofireSession()  // error: there is no Session: leave it out
    provider.session.cancelAllRequests()  // error: cancelAll() of the provider cancels its requests
    _ = error.asAFError  // error: the error is a MoyaError: use its kind
}

struct Encoding: ParameterEncoding {  // error: does not conform to protocol 'ParameterEncoding'
    func encode(
        _ request: URLRequestConvertible,  // error: declare each request as a case of a TargetType
        with parameters: Parameters?  // error: use [String: any Sendable]
    ) throws -> URLRequest { try request.asURLRequest() }
}

func adapters(
    _ adapter: any RequestAdapter,  // error: has been renamed to 'RequestInterceptor'
    _ retrier: any RequestRetrier,  // error: has been renamed to 'RequestInterceptor'
    _ monitor: any EventMonitor  // error: has been renamed to 'CallObserver'
) {}
