// Typed calls, pages, limits and stubs, as users of other clients write them.
import Foundation
import Moya
import MoyaStreams

enum GitHub: TargetType {
    case zen, users(page: Int)
    var baseURL: URL { URL(filePath: "/") }
    var path: String { "/zen" }
}
struct User: Decodable, Sendable { let login: String }
struct Page: Decodable, Sendable { let next: URL? }

func typed(_ provider: MoyaProvider<GitHub>) async throws {
    try await provider.value(.zen, as: Void.self)  // error: await response(_:), and call filterSuccessfulStatusCodes()
    _ = try await provider.value(.zen, as: Response.self)  // error: 'response(_:)'
    _ = try await provider.stream(.zen)  // error: 'streamedResponse(_:)'
    let user = try await provider.request(.zen).map(User.self).value  // warning: 'value()'
    print(user.login)
    provider.requestValue(.zen, as: User.self) { print($0) }
}

func untyped(_ provider: MoyaProvider<MultiTarget>) {
    provider.requestValue(GitHub.zen, as: User.self) { print($0) }
}

func pages(_ provider: MoyaProvider<GitHub>, _ first: TypedTarget<GitHub, Page>) {
    _ = provider.pages(.zen, as: [User].self, next: .link)  // error: pass a typed target
    _ = provider.pages(first, next: .url(\.next))
    _ = provider.pages(first, next: .url { $0.next })
    _ = provider.pages(first, next: .numbered { .users(page: $0) })  // error: pass while:
}

func configured() {
    _ = MoyaProvider<GitHub>(decoding: JSONDecoder())  // error: pass decoding: ResponseDecoding {
    _ = MoyaProvider<GitHub>(decoding: ResponseDecoding(JSONDecoder()))  // error: set the decoder up
    _ = MoyaProvider<GitHub>(timeout: 30)  // error: pass timeouts: Timeouts(total: .seconds(30))
    _ = MoyaProvider<GitHub>(headers: ["A": "b"])  // error: defaultHeaders:
    _ = MoyaProvider<GitHub>(timeouts: Timeouts(.seconds(5)))  // error: use Timeouts(total:)
    _ = MoyaProvider<GitHub>(interceptors: [.retry(times: 3, delay: .seconds(1))])  // error: use .retry(.constant
    _ = MoyaProvider<GitHub>()
    _ = MoyaProvider<GitHub>(baseURL: URL(string: "https://a.example"))
}

func stubs() {
    let failing: EndpointSampleResponse = .failure(URLError(.timedOut))  // error: 'networkError(_:)'
    let succeeding: EndpointSampleResponse = .success(Data())  // error: use .status(200, data)
    print(failing, succeeding)
}

func tasks(_ file: URL) {
    let data: RequestTask = .upload(Data(), contentType: "text/plain")  // error: 'requestData(_:)'
    let upload: RequestTask = .upload(file)  // error: 'uploadFile(_:)'
    print(data, upload)
}

func streams(_ numbers: Observable<Int>, _ trigger: Observable<Void>) {
    _ = numbers.drop(untilOutputFrom: trigger)  // error: 'skip(until:)'
    _ = numbers.prefix(untilOutputFrom: trigger)  // error: 'take(until:)'
}
