import Foundation
import MoyaStreams
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Status codes, redirects and cookies.
@Suite(.enabled(if: address("MOYA_HTTPBIN") != nil), .queued, .timeLimit(.minutes(10)))
struct StatusTests {
    @Test("each status code is a response", arguments: TransportKind.allCases)
    func codes(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTPBIN", redirects: .never)
        let codes = [200, 201, 202, 203, 204, 205, 206, 300, 301, 302, 303, 304, 305, 307, 308]
        let failures = [
            400, 401, 402, 403, 404, 405, 406, 407, 410, 412, 418, 421, 429, 451, 500, 501, 502, 503, 504, 599,
        ]
        for code in codes + failures {
            let response = try await provider.response(Page(path: "/status/\(code)"))
            expectEqual(response.statusCode, code)
            if [204, 304].contains(code) { #expect(response.data.isEmpty) }
        }
    }

    @Test("a status code that the target refuses is a failure with the response", arguments: TransportKind.allCases)
    func validation(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTPBIN")
        let page = Page(path: "/status/418", validationType: .successCodes)
        let error = await #expect(throws: MoyaError.self) { try await provider.response(page) }
        expectEqual(error?.kind, .http)
        #expect(try error?.response?.mapString().contains("teapot") == true)
    }

    @Test("a failure is retried until it succeeds", arguments: TransportKind.allCases)
    func retries(_ kind: TransportKind) async throws {
        let policy = RetryPolicy.constant(.milliseconds(1), times: 60)
        let provider = MoyaProvider<MultiTarget>(
            baseURL: address("MOYA_HTTPBIN"), transport: try kind.transport(), interceptors: [.retry(policy)])
        // The server responds with one of both status codes, at random.
        let response = try await provider.response(Page(path: "/status/200,503"))
        expectEqual(response.statusCode, 200)
    }

    @Test("redirects are followed, relative and absolute, up to the limit", arguments: TransportKind.allCases)
    func redirects(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTPBIN", redirects: .follow(maximumRedirects: 4))
        for path in ["/redirect/4", "/relative-redirect/4", "/absolute-redirect/4"] {
            let response = try await provider.response(Page(path: path))
            expectEqual(response.statusCode, 200)
            expectEqual(response.request?.url?.path(), "/get")
        }
        for path in ["/redirect/5", "/relative-redirect/5", "/absolute-redirect/5"] {
            await expectEqual(
                errorKind { () throws(MoyaError) in _ = try await provider.response(Page(path: path)) }, .badResponse
            )
        }
    }

    /// Returns a URL of the same server with another host name, which is another origin.
    private func elsewhere(_ path: String) throws -> String {
        let port = try #require(address("MOYA_HTTPBIN")?.port)
        return "http://localhost:\(port)\(path)"
    }

    @Test("secrets are not sent to another origin", arguments: TransportKind.allCases)
    func credentials(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTPBIN")
        let headers = [
            "Authorization": "Bearer secret", "Cookie": "a=secret", "X-Api-Key": "secret", "Accept": "text/x-mine",
        ]
        let away = Page(path: "/redirect-to?url=\(try elsewhere("/anything"))", headers: headers)
        let there = try #require(try await provider.response(away).map(Echo.self).headers)
        #expect(there["Host"]?.hasPrefix("localhost:") == true)
        expectEqual(there["Accept"], "text/x-mine")
        let leaked = there.filter { $0.value.contains("secret") }
        #expect(leaked.isEmpty)
        let near = Page(path: "/redirect-to?url=/anything", headers: headers)
        let here = try #require(try await provider.response(near).map(Echo.self).headers)
        expectEqual(here["Authorization"], "Bearer secret")
        expectEqual(here["X-Api-Key"], "secret")
        expectEqual(here["Cookie"], "a=secret")
    }

    @Test(
        "307 and 308 send the content again, other redirects change the method to GET",
        arguments: TransportKind.allCases)
    func content(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTPBIN")
        for (code, method) in [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")] {
            let page = Page(
                path: "/redirect-to?url=/anything&status_code=\(code)", method: .post,
                task: .requestJSONEncodable(["a": 1] as JSONValue))
            let echo = try await provider.response(page).map(Echo.self)
            expectEqual(echo.method, method)
            expectEqual(echo.json, method == "POST" ? ["a": 1] : nil)
            expectEqual(echo.headers?["Content-Type"] == nil, method == "GET")
        }
    }

    @Test("cookies are stored and sent with a jar", arguments: TransportKind.allCases)
    func cookies(_ kind: TransportKind) async throws {
        let jar = CookieJar()
        let provider = try kind.provider("MOYA_HTTPBIN", cookies: jar)
        let set = try await provider.response(Page(path: "/cookies/set?flavour=oat&size=7")).mapJSON()
        expectEqual(set["cookies"], ["flavour": "oat", "size": "7"])
        expectEqual(jar.cookies.count, 2)
        _ = try await provider.response(Page(path: "/cookies/delete?size"))
        let kept = try await provider.response(Page(path: "/cookies")).mapJSON()
        expectEqual(kept["cookies"], ["flavour": "oat"])
        let other = try kind.provider("MOYA_HTTPBIN")
        let none = try await other.response(Page(path: "/cookies/set?flavour=oat")).mapJSON()
        expectEqual(none["cookies"], [:])
        let shared = try kind.provider("MOYA_HTTPBIN", cookies: jar)
        let same = try await shared.response(Page(path: "/cookies")).mapJSON()
        expectEqual(same["cookies"], ["flavour": "oat"])
    }
}
