import Foundation
import Moya

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A target whose properties determine the response of a stub.
struct Stubbed: TargetType {
    var status = 200
    var content = ""
    var fields: [String: String] = [:]
    var method = Moya.Method.get
    var validationType = ValidationType.none
    var headers: [String: String]?
    var path: String { "/stub" }
    var baseURL: URL { URL(string: "https://a.example") ?? URL(filePath: "/") }
    var sampleData: Data { Data(content.utf8) }
}

extension MoyaProvider<Stubbed> {
    /// Returns a provider that responds immediately with the status code, fields and content of the target.
    static func stubbed(
        _ decoding: ResponseDecoding = ResponseDecoding(), plugins: [any PluginType] = []
    ) -> MoyaProvider<Stubbed> {
        MoyaProvider<Stubbed>(
            endpointClosure: { target in
                Endpoint(
                    url: "https://a.example/stub",
                    sampleResponseClosure: {
                        let url = URL(string: "https://a.example/stub") ?? URL(filePath: "/")
                        guard
                            let head = HTTPURLResponse(
                                url: url, statusCode: target.status, httpVersion: "HTTP/1.1",
                                headerFields: target.fields)
                        else { return .networkResponse(target.status, target.sampleData) }
                        return .response(head, target.sampleData)
                    }, method: target.method, httpHeaderFields: target.headers)
            },
            stubClosure: MoyaProvider.immediatelyStub, plugins: plugins, decoding: decoding)
    }
}

extension Stubbed {
    func json<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, at keyPath: String? = nil
    ) -> TypedTarget<Stubbed, Value> {
        TypedTarget(self, .json(at: keyPath))
    }
}

/// Returns the error of a typed call, or `nil`.
func failure<Value>(_ call: () async throws(MoyaError) -> Value) async -> MoyaError? {
    do throws(MoyaError) {
        _ = try await call()
        return nil
    } catch {
        return error
    }
}
