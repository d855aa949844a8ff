import Foundation
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

nonisolated struct Replayed: TestTrait, TestScoping {
    @TaskLocal static var transport: any Transport = URLSessionTransport.shared
    let file: String

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withReplay(test.name, file: file) { transport in
            defer { attach(transport) }
            try await Replayed.$transport.withValue(transport) { try await function() }
        }
    }

    private func attach(_ transport: ReplayTransport) {
        guard let requests = try? transport.unmatched(), !requests.entries.isEmpty else { return }
        if let data = try? requests.data() { Attachment.record(Array(data), named: "unmatched requests.har") }
    }
}

extension Trait where Self == Replayed {
    static func replayed(file: String = #filePath) -> Replayed { Replayed(file: file) }
}

enum GitHub: TargetType {
    case zen

    var baseURL: URL { URL(string: "https://api.github.example") ?? URL(filePath: "/") }
    var path: String { "/zen" }
}

/// The code of the article on recording, compiled and run.
@Suite(.queued, .timeLimit(.minutes(10))) struct ReplayTraitTests {
    @Test(.replayed()) func showsZen() async throws {
        let provider = MoyaProvider<GitHub>(transport: Replayed.transport)
        #expect(try await provider.response(.zen).mapString() == "Keep it logically awesome.")
    }

    @Test("The code of the article is the code of this file")
    func articleIsCompiled() throws {
        let article = try Article(
            "Sources/MoyaTesting/MoyaTesting.docc/RecordingAndReplaying.md", compiledIn: #filePath)
        let blocks = article.blocks.filter { $0.contains("nonisolated struct Replayed: TestTrait, TestScoping {") }
        #expect(blocks.count == 1)
        for line in blocks.flatMap({ $0 }) { #expect(article.code.contains(line), "\(line)") }
    }
}
