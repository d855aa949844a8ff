import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct RequestOptionsTests {
    struct Optioned: TargetType {
        var baseURL = URL(string: "http://a.example/v1?k=1") ?? URL(filePath: "/")
        var path = "/p"
        var options = RequestOptions()
        var headers: [String: String]?
        var id = "a?b"
    }

    private func url(_ path: String, _ mode: RequestOptions.PathMode) throws -> String? {
        let target = Optioned(path: path, options: RequestOptions(pathMode: mode))
        return try MoyaProvider().endpoint(target).urlRequest().url?.absoluteString
    }

    @Test(
        "a path is interpreted by its mode",
        arguments: [
            ("/a b%20?x=1#f", .literal, "/v1/a%20b%2520%3Fx=1%23f?k=1"),
            ("/a%20b%2Fc", .preEncoded, "/v1/a%20b%2Fc?k=1"),
            ("/a b?x=1%20&y=é#f", .allowingQuery, "/v1/a%20b?k=1&x=1%20&y=%C3%A9%23f"),
            ("/a", .allowingQuery, "/v1/a?k=1"), ("/%?%&100%", .allowingQuery, "/v1/%25?k=1&%25&100%25"),
            ("/{id}?q={id}", .allowingQuery, "/v1/a%3Fb?k=1&q=%7Bid%7D"),
            ("?x=1", .allowingQuery, "/v1?k=1&x=1"),
            ("/{id}/%41", .preEncoded, "/v1/a%3Fb/%41?k=1"),
        ] as [(String, RequestOptions.PathMode, String)])
    func pathModes(_ path: String, _ mode: RequestOptions.PathMode, _ expected: String) throws {
        try expectEqual(url(path, mode), "http://a.example" + expected)
    }

    @Test(
        "a path that is declared as encoded but is not is refused", arguments: ["/a b", "/100%", "/a?b", "/%zz", "/é"])
    func refusesUnencoded(_ path: String) {
        let error = #expect(throws: MoyaError.self) { try url(path, .preEncoded) }
        #expect(error?.description.contains("of Optioned is not percent-encoded, as its pathMode says") == true)
    }

    @Test func aTargetsTimeoutsGoBeforeTheProviders() {
        let time = VirtualTime()
        let kind = Box<MoyaError.Kind?>(nil)
        let provider = MoyaProvider<Optioned>(
            stubClosure: MoyaProvider.delayedStub(10), timeouts: Timeouts(total: .seconds(1)), scheduler: time)
        func run(_ timeouts: Timeouts?) -> (MoyaError.Kind?, Duration) {
            kind.value = nil
            let start = time.elapsed
            provider.request(Optioned(options: RequestOptions(timeouts: timeouts))) { [kind] result in
                if case .failure(let error) = result { kind.value = error.kind }
            }
            time.run()
            return (kind.value, time.elapsed - start)
        }
        #expect(run(nil) == (.timeout, .seconds(1)))
        #expect(run(Timeouts(total: .seconds(5))) == (.timeout, .seconds(5)))
        #expect(run(Timeouts()) == (nil, .seconds(10)))
    }

    @Test(
        "RFC 9111, 5.2.1: the cache policy is sent to caches",
        arguments: [
            (nil, nil), (.useProtocolCachePolicy, nil), (.reloadIgnoringLocalCacheData, "no-cache"),
            (.reloadRevalidatingCacheData, "no-cache"), (.returnCacheDataDontLoad, "only-if-cached"),
            (.returnCacheDataElseLoad, nil),
        ] as [(URLRequest.CachePolicy?, String?)])
    func cachePolicy(_ policy: URLRequest.CachePolicy?, _ directive: String?) async throws {
        let provider = MoyaProvider<Optioned>(stubClosure: MoyaProvider.immediatelyStub)
        let target = Optioned(options: RequestOptions(cachePolicy: policy))
        let request = try #require(try await provider.response(target).request)
        expectEqual(request.value(forHTTPHeaderField: "Cache-Control"), directive)
        expectEqual(request.cachePolicy, policy ?? .useProtocolCachePolicy)
        var own = target
        own.headers = ["cache-control": "max-age=3"]
        let kept = try #require(try await provider.response(own).request)
        expectEqual(kept.value(forHTTPHeaderField: "Cache-Control"), "max-age=3")
    }

    @Test func aMultiTargetForwardsEverything() {
        let inner = Optioned(options: RequestOptions(pathMode: .preEncoded), headers: ["X": "y"])
        let multi = MultiTarget(inner)
        expectEqual(multi.path, inner.path)
        expectEqual(multi.headers, inner.headers)
        expectEqual(multi.options.pathMode, .preEncoded)
        expectEqual(multi.method, inner.method)
        expectEqual(multi.validationType, inner.validationType)
        expectEqual(multi.sampleData, inner.sampleData)
    }

    @Test(
        "a relative path stays below the base URL, whatever it contains",
        arguments: [
            ("http://evil.example/a", RequestOptions.PathMode.literal, "http://b.example/v1/http://evil.example/a?k=1"),
            ("/go?u=http://x/", .allowingQuery, "http://b.example/v1/go?k=1&u=http://x/"),
            ("//evil.example", .literal, "http://b.example/v1/evil.example?k=1"),
        ])
    func relativePaths(_ path: String, _ mode: RequestOptions.PathMode, _ expected: String) throws {
        struct Relative: RelativeTarget {
            var path: String
            var options: RequestOptions
        }
        let provider = MoyaProvider<Relative>(baseURL: URL(string: "http://b.example/v1?k=1"))
        let endpoint = provider.endpoint(Relative(path: path, options: RequestOptions(pathMode: mode)))
        try expectEqual(endpoint.urlRequest().url?.absoluteString, expected)
    }
}
