import Foundation
import MoyaStreams
import Rx

enum NewTarget: TargetType {
    case zen

    var baseURL: URL { URL(filePath: "/") }
    var path: String { "/zen" }
    var sampleData: Data { Data("new".utf8) }
}

let provider = MoyaProvider<NewTarget>(
    endpointClosure: { target in
        Endpoint(
            url: "https://a.example", sampleResponseClosure: { .networkResponse(200, target.sampleData) }, method: .get,
            task: .requestPlain, httpHeaderFields: nil)
    }, stubClosure: MoyaProvider.immediatelyStub)
print(old(), rx(), try await provider.response(.zen).mapString())
