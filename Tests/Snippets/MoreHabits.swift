import Foundation
import MoyaStreams

// Further usages by habit. Each line that does not compile has a message that names the replacement.

struct User: Codable, Sendable {
    let name: String
}

enum GitHub: TargetType {
    case zen
    var baseURL: URL { URL(filePath: "/") }
    var path: String { "/" }
}

// Closures that write the type of a target out, as Moya's documentation does.
func typed(_ token: String) -> [any PluginType] {
    [
        AccessTokenPlugin { (_: TargetType) -> String in token },
        CredentialsPlugin { (_: TargetType) -> URLCredential? in nil },
        NetworkActivityPlugin { (change: NetworkActivityChangeType, target: TargetType) in print(change, target.path) },
        NetworkLoggerPlugin(
            configuration: .init(output: { (target: TargetType, items: [String]) in print(target.path, items) })),
        NetworkLoggerPlugin(
            configuration: .init(formatter: .init(entry: { (_: String, text: String, _: TargetType) in text }))),
        AccessTokenPlugin { _ in token },
        NetworkLoggerPlugin(configuration: .init(output: { print($0.path, $1) })),
    ]
}

func readLines(_ provider: MoyaProvider<GitHub>) async throws {
    for try await line in try await provider.streamedResponse(.zen).lines { print(line) }
    for try await line in try await provider.streamedResponse(.zen).lines() { print(line) }
}

// Functions that create streams, without their type, where any stream is accepted.
func untyped(_ numbers: Observable<Int>, on time: any Scheduler) -> Observable<Int> {
    numbers.concat(.just(1)).concat(.from([2, 3])).concat(.empty()).merge(with: .never()).concat(
        .error(MoyaError.cancelled)
    )
    .take(until: .timer(after: .seconds(1), on: time)).skip(until: .interval(.seconds(1), on: time))
}

final class PolicyOfAlamofire {
    func retry(_ request: Request, dueTo error: Error) {}  // error: in interceptors and observers, a TransportRequest
    func requestDidResume(_ request: Request) {}  // error: in interceptors and observers, a TransportRequest
}

func later() -> Any { RetryResult.retryWithDelay(1) }  // error: use RetryDecision

func sessions(_ error: MoyaError) {
    let configuration = URLSessionConfiguration.default
    configuration.headers = .default  // error: a provider sends HTTPHeaders.default
    _ = Session(configuration: configuration, eventMonitors: [])  // error: there is no Session
    print(error.responseCode ?? 0)  // error: use response?.statusCode
    _ = NetworkLoggerPlugin(verbose: true, responseDataFormatter: nil)  // error: logOptions: .verbose
    print(NetworkReachabilityManager()?.isReachable ?? false)  // error: use NWPathMonitor
    let destination = DownloadRequest.suggestedDownloadDestination()  // error: use the task .download
    _ = destination
    AF.request("a", parameters: ["a": 1], encoder: .json) { $0.timeoutInterval = 5 }  // error: as a target
        .responseDecodable(of: User.self, queue: .main) { print($0) }
}

func get() async throws {
    let client = APIClient(baseURL: nil) { $0.delegate = nil }  // error: use MoyaProvider<MultiTarget>
    _ = client
}

func streams(_ taps: Signal<Void>, _ query: Signal<String>, _ provider: MoyaProvider<GitHub>) {
    taps.withLatestFrom(query).subscribe(onNext: { _, query in print(query) })
    taps.withLatestFrom(query, resultSelector: { $1 }).subscribe(onNext: { print($0) })
    query.materialize().subscribeNext { print($0.element ?? "") }  // error: use if case .next
    _ = query.skipWhile { $0.isEmpty }  // error: renamed to 'skip(while:)'
    _ = query.andThen(query.observable)  // error: use concat(_:) for a stream
    _ = query.prefix(while: { $0.isEmpty })  // error: renamed to 'take(while:)'
    _ = query.collect(3)  // error: renamed to 'buffer(count:)'
    provider.request(.zen).map(User.self, atKeyPath: "a")
        .subscribe(onNext: { print($0.nam) })  // error: value of type 'User' has no member 'nam'
}

extension PrimitiveSequence where Element == Response {}  // error: write extension Subscribable

// No stand-in hides a function of the standard library.
extension Observable {
    func logged() -> Observable { handleEvents(onNext: { print(Array(repeatElement($0, count: 2))) }) }
}

func byHabitOfGet(_ provider: MoyaProvider<GitHub>, _ response: Response, part: InputStream) async throws {
    print(response.value(forHTTPHeaderField: "ETag") ?? "")  // error: as in headers["ETag"]
    print(response.allHeaderFields["ETag"] ?? "")  // error: renamed to 'headers'
    print(response.url?.path() ?? "")  // error: use response?.url
    print(try response.decode(User.self))  // error: renamed to 'map(_:)'
    let user: User = try await provider.send(.zen).value  // error: call value(_:) with a TypedTarget
    let (bytes, _) = try await provider.bytes(.zen)  // error: and iterate its lines()
    _ = try await provider.upload(.zen, from: Data())  // error: give the target the task
    _ = try await provider.upload(.zen, fromFile: URL(filePath: "/"))  // error: give the target the task
    let (file, _) = try await provider.download(.zen)  // error: give the target the task .download
    _ = try await provider.response(.zen, timeout: 3)  // error: RequestOptions(timeouts:)
    provider.cancelAllRequests()  // error: renamed to 'cancelAll()'
    provider.shutdown()  // error: leave it out
    provider.request(.zen, progress: { print($0.fractionCompleted) }, completion: { _ in })  // error: to 'progress'
    _ = MultipartFormBodyPart(provider: .stream(part, 3), name: "a")  // error: use .stream(once: chunks, length:)
    print(user, bytes, file)
}

func emitters(_ provider: MoyaProvider<GitHub>, _ query: Signal<String>) {
    let (count, emitter) = Signal.pipe(value: 0)
    emitter.accept(1)  // error: renamed to 'send(_:)'
    emitter.onCompleted()  // error: renamed to 'complete()'
    emitter.value = 3  // error: use send(_:), or update(_:)
    _ = Signal(value: 3)  // error: use Signal.pipe(value:)
    _ = Observable.combineLatest([count, count]) { $0.count }  // error: and map(_:)
    _ = Observable.zip([count, count]) { $0.count }  // error: and map(_:)
    _ = query.asSignal(onErrorJustReturn: "")  // error: use catchAndReturn(_:) and subscribe(onMain:)
    _ = query.asInfallible(onErrorJustReturn: "")  // error: renamed to 'catchAndReturn(_:)'
    _ = query.asMaybe()  // error: leave it out
    query.flatMap(.latest) { _ in provider.request(.zen) }  // error: use flatMapLatest for .latest
        .startWithValues { print($0) }  // error: renamed to 'subscribeNext(_:)'
    query.observeValues { print($0) }  // error: renamed to 'subscribeNext(_:)'
    let name = MutableProperty("")  // error: use Signal.pipe(value:)
    name.value = ""
}

final class OfCombine {
    private var request: AnyCancellable?  // error: releasing a Subscription does not cancel
    let taps = PassthroughSubject<Void, Never>()  // error: use Signal.pipe()
    let query = CurrentValueSubject<String, Never>("")  // error: use Signal.pipe(value:)
    func load() -> AnyPublisher<User, MoyaError> { .empty() }  // error: use Observable<Output>
    func users() -> SignalProducer<User, MoyaError> { .empty() }  // error: use Observable<Value>
}

// `MoyaError.cancelled` is also a pattern.
func cancelled(_ provider: MoyaProvider<GitHub>, _ error: any Error) async {
    do {
        _ = try await provider.response(.zen)
    } catch .cancelled {
    } catch .statusCode(let response) {
        print(response)
    } catch {
        if case .cancelled = error { return }
    }
    provider.request(.zen) { result in
        switch result {
        case .success: break
        case .failure(.cancelled), .failure(.timeout): break
        case .failure(let error): print(error)
        }
    }
    do {
        throw error
    } catch MoyaError.cancelled {
    } catch MoyaError.statusCode(let response) {
        print(response)
    } catch {
        if case .cancelled? = error as? MoyaError { return }
    }
}

struct Store: Sendable {
    let token: String?
}

func interceptors(_ store: Store) -> MoyaProvider<GitHub> {
    MoyaProvider<GitHub>(interceptors: [
        .retry(times: 2),
        .bearer(token: { store.token }, refresh: { "" }),  // error: pass the token itself, as in .bearer
    ])
}

func ofOtherStreams(_ provider: MoyaProvider<GitHub>, _ first: Signal<Int>, _ second: Signal<Int>) {
    let numbers = Observable<Int> { emitter in
        emitter.yield(1)  // error: renamed to 'send(_:)'
        emitter.finish()  // error: renamed to 'complete()'
        emitter.send(completion: .finished)  // error: use emitter.complete(), or emitter.fail(_:)
        return Disposables.create { print("cancelled") }  // error: use emitter.onTermination
    }
    _ = numbers.combineLatest(first, second).map { $0 + $1 + $2 }  // error: use Observable.combineLatest(_:_:_:)
    _ = first.zip(second) { $0 + $1 }  // error: use Observable.zip(_:_:), and map(_:)
    _ = first.flatMap(maxPublishers: .max(1)) { _ in provider.request(.zen) }  // error: use flatMap(maxConcurrent: 2)
    _ = first.take(until: { $0 > 3 })  // error: use take(while:) with the opposite condition
    _ = first.take(until: second)
    _ = first.debug()  // error: use debug(_:) with a label
    _ = provider.request(.zen).mapObject(User.self)  // error: use map(_:) with a Decodable type
    _ = provider.request(.zen).map([User].self).catch { _ in Just([]) }  // error: use Observable.just(_:)
}

func decoded(_ provider: MoyaProvider<GitHub>, _ response: Response, _ request: TransportRequest) async throws {
    let decoder = JSONDecoder()
    _ = try await provider.value(.zen, as: User.self, atKeyPath: "a", using: decoder)  // error: call map(_:atKeyPath:
    _ = try await provider.value(.zen, as: User.self, using: decoder)  // error: or pass decoding: to the provider
    _ = try await provider.request(.zen, as: User.self)  // error: renamed to 'value(_:as:)'
    print(response.status, response.body)  // error: renamed to 'statusCode' // error: renamed to 'data'
    print(response.json, response.text)  // error: call mapJSON() // error: call mapString()
    var request = request
    request.addValue("a", forHTTPHeaderField: "b")
    request.httpMethod = "POST"  // error: renamed to 'method'
    request.httpBody = Data()  // error: use body, as in request.body
    let decision = RetryDecision.retryWithDelay(1)  // error: renamed to 'retry(after:)'
    print(decision)
}

// A protocol of the app, for test doubles.
protocol Fetching: Sendable {
    func response(_ target: GitHub) async throws -> Response
}

extension MoyaProvider: Fetching where Target == GitHub {}

struct FetchingDouble: Fetching {
    func response(_ target: GitHub) async throws -> Response { Response(statusCode: 200, data: Data()) }
}

func failed(_ provider: MoyaProvider<GitHub>) {
    Task {
        do { print(try await provider.response(.zen)) } catch {
            print(error.isCancelled)  // error: write do throws(MoyaError) { … }, or catch let error as MoyaError
        }
    }
}

func othersOfProviders(_ provider: MoyaProvider<GitHub>, _ numbers: Observable<Int>) async throws {
    _ = MoyaProvider<GitHub>(interceptors: [.retry])  // error: use .retry(times: 3)
    _ = MoyaProvider<GitHub>(interceptors: [.bearer])  // error: pass the token itself
    _ = MoyaProvider<GitHub>(callbackQueue: .serial)  // error: use .serial(label:)
    print(try await provider.response(.zen, as: User.self))  // error: renamed to 'value(_:as:)'
    provider.request(.zen) { _ in }.resume()  // error: leave it out: the provider has already sent the request
    let number: Int = try await numbers.first  // warning: renamed to 'first()'
    print(number, EndpointSampleResponse.json(1))  // error: use .status(200, data)
    print(HTTPHeaders().count)  // error: renamed to 'fields.count'
    numbers.start { print($0) }  // error: use subscribe(_:)
}

func printed(_ numbers: Observable<Int>, _ emitter: ValueEmitter<Int>) async throws {
    let first = try await numbers.first  // warning: renamed to 'first()'
    print(first + 1)
    _ = numbers.do(onNext: { print($0) }, afterCompleted: {})  // error: use handleEvents
    emitter.send(completion: .finished)  // error: use emitter.complete(), or emitter.fail(_:)
    _ = ReplaySubject<Int>.createUnbounded()  // error: use Signal.pipe(replay:)
}
