import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The API of Moya's first version.
@Suite(.queued, .timeLimit(.minutes(10))) struct LegacyTests {
    private func request(
        _ provider: MoyaProvider<MyService>, _ method: HTTPMethod, _ parameters: [String: any Sendable] = [:]
    ) -> URLRequest? {
        let request = Box<URLRequest?>(nil)
        provider.request(.zen, method: method, parameters: parameters) { request.value = try? $0.get().request }
        return request.value
    }

    @Test("method and parameters are passed to the endpoints closure, and are not sent without it")
    func endpointsClosure() {
        let seen = Box<[String]>([])
        let provider = MoyaProvider<MyService>(
            endpointsClosure: { target, method, parameters in
                seen.change { $0.append("\(target) \(method) \(parameters.keys.sorted())") }
                return Endpoint(
                    url: "http://a.example/", sampleResponseClosure: { .networkResponse(200, Data()) }, method: .put,
                    parameters: ["api_" + (parameters.keys.first ?? ""): 1])
            }, stubResponses: true)
        let sent = request(provider, .post, ["page": 2])
        expectEqual(seen.value, ["zen POST [\"page\"]"])
        expectEqual(sent?.httpMethod, "PUT")
        expectEqual(sent?.httpBody, Data("api_page=1".utf8))
        provider.request(.zen) { _ in }
        expectEqual(seen.value.last, "zen GET []")
    }

    @Test func theResolverHasTheLastWordAndMayRefuse() {
        let provider = MoyaProvider<MyService>(
            endpointsClosure: { target, _, _ in
                Endpoint(url: "http://a.example/", sampleResponseClosure: { .networkResponse(200, Data()) })
            }, endpointResolver: { endpoint throws(MoyaError) in throw .requestMapping("not today") },
            stubResponses: true)
        let error = Box<MoyaError?>(nil)
        provider.request(.zen, method: .get) { if case .failure(let failure) = $0 { error.value = failure } }
        expectEqual(error.value?.description, "No request could be made: not today.")
    }

    @Test("another provider uses them as those of the target")
    func withoutEndpointsClosure() {
        let provider = MoyaProvider<MyService>(stubClosure: MoyaProvider.immediatelyStub)
        let sent = request(provider, .delete, ["page": 2])
        expectEqual(sent?.httpMethod, "DELETE")
        expectEqual(sent?.url?.absoluteString, "https://api.myservice.example/zen?page=2")
    }
}
