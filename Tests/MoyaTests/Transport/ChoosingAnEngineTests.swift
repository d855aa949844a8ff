#if os(Linux)
    import Foundation
    import Moya
    import TestSupport
    import Testing

    /// The code of the article ChoosingAnEngine is here, and compiles.
    @Suite struct ChoosingAnEngineTests {
        /// Compiled only.
        private func engine(_ authority: URL) throws {
            let engine = try CurlTransport(
                trust: ServerTrustPolicy(authorities: [try Data(contentsOf: authority)]),
                proxy: .direct,
                connectionsPerHost: 8)
            let provider = MoyaProvider<Users>(transport: engine)
            print(provider)
        }

        @Test("every line of the article is in this file")
        func compiles() throws {
            let article = try Article("Sources/Moya/Moya.docc/ChoosingAnEngine.md", compiledIn: #filePath)
            #expect(article.blocks.count == 1)
            for line in article.blocks.joined() { #expect(article.code.contains(line)) }
        }
    }
#endif
