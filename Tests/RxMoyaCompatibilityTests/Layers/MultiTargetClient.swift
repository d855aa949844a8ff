import Foundation
import RxMoyaCompatibility

// A networking layer as an app with Moya 15 and RxMoya has it: one provider of `MultiTarget`, structs as targets, and
// chains of `Single`. Its imports were Moya, RxMoya and RxSwift, and `RequestTask` was `Task`; no more was changed.

protocol APIRequest: TargetType {
    associatedtype Entity: Decodable & Sendable
}

extension APIRequest {
    var baseURL: URL { return URL(string: "https://shop.example/v2") ?? URL(fileURLWithPath: "/") }
    var headers: [String: String]? { return nil }
    var sampleData: Data { return Data() }
}

struct Article: Decodable, Equatable {
    let id: Int
    let title: String
}

struct Cart: Decodable, Equatable {
    let articles: [Int]
}

struct GetCart: APIRequest {
    typealias Entity = Cart
    let path = "/cart"
    let method = Moya.Method.get
    let task = RequestTask.requestPlain
    var sampleData: Data { return Data(#"{"result": {"articles": [7, 8]}}"#.utf8) }
}

struct GetArticle: APIRequest {
    typealias Entity = Article
    let id: Int
    var path: String { return "/articles/\(id)" }
    var method: Moya.Method { return .get }
    var task: RequestTask { return .requestPlain }
    var sampleData: Data { return Data("{\"result\": {\"id\": \(id), \"title\": \"Article \(id)\"}}".utf8) }
}

struct UploadPhoto: APIRequest {
    typealias Entity = Article
    let data: Data
    let path = "/photos"
    let method = Moya.Method.post
    var task: RequestTask {
        return .uploadMultipart([
            MultipartFormData(provider: .data(data), name: "photo", fileName: "photo.jpeg", mimeType: "image/jpeg")
        ])
    }
    var sampleData: Data { return Data(#"{"result": {"id": 9, "title": "Photo"}}"#.utf8) }
}

enum APIError: Error, Equatable {
    case notFound
    case server(Int)
    case unknown
}

final class APIClient {
    private let provider: MoyaProvider<MultiTarget>

    init(provider: MoyaProvider<MultiTarget> = MoyaProvider<MultiTarget>()) {
        self.provider = provider
    }

    func send<Request: APIRequest>(_ request: Request) -> Single<Request.Entity> {
        return provider.rx.request(.target(request))
            .filterSuccessfulStatusCodes()
            .map(Request.Entity.self, atKeyPath: "result")
            .catch { error in
                guard case MoyaError.statusCode(let response) = error else { throw APIError.unknown }
                throw response.statusCode == 404 ? APIError.notFound : APIError.server(response.statusCode)
            }
    }

    /// The articles of the cart, in parallel.
    func cartArticles() -> Single<[Article]> {
        let articles = send(GetCart())
            .map { $0.articles }
        let provider = self.provider
        return articles.flatMap { ids in
            let singles = ids.map { APIClient(provider: provider).send(GetArticle(id: $0)) }
            return Observable.concat(singles.map { $0.asObservable() }).toArray()
        }
    }

    /// The cart, and the first article of the shop.
    func start() -> Single<(Cart, Article)> {
        return Single.zip(send(GetCart()), send(GetArticle(id: 1)))
            .timeout(.seconds(30), scheduler: ConcurrentDispatchQueueScheduler(qos: .background))
            .retry(2)
    }

    /// The title of an article, from a cache if it is there.
    func title(of id: Int, cache: [Int: String]) -> Single<String> {
        let live = send(GetArticle(id: id)).map { $0.title }
        let cached = Single<String>.create { single in
            if let title = cache[id] {
                single(.success(title))
            } else {
                single(.failure(APIError.notFound))
            }
            return Disposables.create()
        }
        return cached.catchError { _ in live }
    }

    /// The share of a photo that has been sent.
    func uploadProgress(_ photo: Data) -> Observable<Double> {
        return provider.rx.requestWithProgress(MultiTarget(UploadPhoto(data: photo)))
            .map { $0.progress }
            .observeOn(MainScheduler.instance)
    }

    /// Whether the server responds at all.
    func check() -> Completable {
        return provider.rx.request(MultiTarget(GetCart())).asCompletable()
    }
}
