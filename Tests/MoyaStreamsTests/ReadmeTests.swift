import Foundation
import MoyaStreams
import MoyaTesting
import Testing

enum GitHub: TargetType {
    case zen, user(String)
    // swift-format-ignore: NeverForceUnwrap
    var baseURL: URL { URL(string: "https://api.github.com")! }
    // swift-format-ignore
    var path: String { switch self { case .zen: "/zen"; case .user(let name): "/users/\(name)" } }
}

/// The code of the README is here, compiled and, but for what needs a network, run.
@Suite struct ReadmeTests {
    /// Compiled only.
    private func overTheNetwork() async throws {
        let provider = MoyaProvider<GitHub>()
        // swift-format-ignore
        provider.request(.user("ash")).filterSuccessfulStatusCodes().mapJSON().subscribeNext { print($0["login"]?.string ?? "") }
        provider.request(.zen) { result in print((try? result.get().mapString()) ?? "no wisdom today") }
        let wisdom = try await provider.response(.zen).mapString()
        print(wisdom)
    }

    @Test func testsWithoutWaiting() {
        let time = VirtualTime(tick: .seconds(10))
        let stubbed = MoyaProvider<GitHub>(stubClosure: MoyaProvider.delayedStub(60), scheduler: time)
        #expect(time.play(stubbed.request(.zen).mapString().map { _ in "z" }).marbles == "------(z|)")
    }

    @Test func everyLineOfTheReadmesCodeIsInThisFile() throws {
        let file = URL(filePath: #filePath)
        let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        func lines(_ text: some StringProtocol) -> [String] {
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let code = Set(lines(try String(contentsOf: file, encoding: .utf8)))
        let blocks = readme.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(blocks.count == 4)
        for line in blocks.filter({ !$0.contains(".package(") }).flatMap(lines) {
            #expect(code.contains(line), "\(line)")
        }
    }
}
