import Foundation
import TestSupport
import Testing

@testable import Moya

@Suite("The default transport", .queued, .timeLimit(.minutes(10)))
struct DefaultTransportTests {
    #if os(Linux)
        @Test("is libcurl on Linux, or says that it is missing")
        func isCurl() {
            if CurlTransport.shared == nil {
                #expect(DefaultTransport.shared is StubTransport)
            } else {
                #expect(DefaultTransport.shared is CurlTransport)
            }
        }

        @Test("with a trust policy and a proxy, is libcurl on Linux, and refuses a malformed policy")
        func policies() throws {
            try #require(CurlTransport.shared != nil)
            let proxy = try ProxyPolicy.proxy(#require(URL(string: "http://localhost:3128")))
            let configuration = ProviderConfiguration(
                transport: try .platform(trust: ServerTrustPolicy(minimumTLSVersion: .tls13), proxy: proxy))
            #expect(configuration.transport is CurlTransport)
            #expect(throws: TransportError.self) {
                _ = MoyaProvider<MyService>(transport: try .platform(trust: ServerTrustPolicy(pins: ["a.example": []])))
            }
        }

        @Test("URLSession on Linux refuses a proxy of its own, which it would not use")
        func proxyOfURLSession() throws {
            let error = #expect(throws: TransportError.self) {
                try URLSessionTransport(trust: .system, proxy: .direct)
            }
            expectEqual(error?.recoverySuggestion, "Use CurlTransport(proxy:).")
            _ = try URLSessionTransport(trust: .system)
        }

        @Test("without libcurl, each request fails with an error that names the package, instead of using URLSession")
        func withoutCurl() async {
            let transport = StubTransport { _ in
                .networkError(TransportError.unavailable(URLError.missingLibcurl("no such file")))
            }
            let provider = MoyaProvider<MyService>(transport: transport)
            let error = await #expect(throws: MoyaError.self) { try await provider.response(.zen) }
            expectEqual(error?.kind, .request)
            #expect(error?.description.contains("no such file") == true)
            #expect(error?.recoverySuggestion?.contains("libcurl4") == true)
        }
    #endif
}
