import Foundation
import Moya
import TestSupport
import Testing

private struct Paging: RequestPlugin {
    func prepare(_ request: inout TransportRequest, target: any RelativeTarget) {
        request.url.append(queryItems: [URLQueryItem(name: "size", value: "2")])
    }
}

/// Credentials that depend on parts of the request which change after the interceptor.
@Suite(.queued, .timeLimit(.minutes(10))) struct SignatureTests {
    @Test("a refused signature is refreshed once, although plugins and default fields change the request later")
    func refreshesSignatures() async throws {
        let refreshes = Box(0)
        let interceptor = AuthenticationInterceptor<String>(
            credential: "old",
            apply: { key, request in
                request.headers["X-Signature"] =
                    "\(key) \(request.url) \(request.headers.fields.count { $0.name.hasPrefix("X-O") })"
            },
            refresh: { _ in
                refreshes.change { $0 += 1 }
                return "new"
            })
        let origin = ScriptedTransport { request in
            request.headers["X-Signature"]?.hasPrefix("new") == true ? .text("content") : .response(401, "")
        }
        let provider = MoyaProvider<Page>(
            transport: origin, plugins: [Paging()],
            interceptors: [
                interceptor,
                AsyncInterceptor { request, _ in
                    var request = request
                    request.headers["X-Later"] = "1"
                    return request
                },
            ], defaultHeaders: ["X-Default": "1"])
        try await expectEqual(provider.response(Page(headers: ["X-Own": "1"])).statusCode, 200)
        expectEqual(refreshes.value, 1)
    }
}
