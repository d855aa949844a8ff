import Foundation
import Testing

@testable import Moya

@Suite("The default transport", .timeLimit(.minutes(1)))
struct DefaultTransportTests {
    #if os(Linux)
        @Test("is libcurl on Linux, or says that it is missing")
        func isCurl() {
            if CurlTransport.shared == nil {
                #expect(DefaultTransport.shared is UnavailableTransport)
            } else {
                #expect(DefaultTransport.shared is CurlTransport)
            }
        }

        @Test("without libcurl, each request fails with an error that names the package, instead of using URLSession")
        func withoutCurl() async {
            let transport = UnavailableTransport(error: .unavailable(URLError.missingLibcurl("no such file")))
            let provider = MoyaProvider<MyService>(transport: transport)
            let error = await #expect(throws: MoyaError.self) { try await provider.response(.zen) }
            #expect(error?.kind == .request)
            #expect(error?.description.contains("no such file") == true)
            #expect(error?.recoverySuggestion?.contains("libcurl4") == true)
        }
    #endif
}
