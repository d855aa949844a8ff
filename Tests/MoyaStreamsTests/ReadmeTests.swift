import Foundation
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

enum GitHub: TargetType {
    case zen, user(String)
    // swift-format-ignore: NeverForceUnwrap
    var baseURL: URL { URL(string: "https://api.github.com")! }
    // swift-format-ignore
    var path: String { switch self { case .zen: "/zen"; case .user(let name): "/users/\(name)" } }
}

struct User: Decodable { let login: String }
// swift-format-ignore
extension TypedTarget<GitHub, User> { static func user(_ name: String) -> Self { Self(.user(name)) } }

/// The code of the README, which is compiled and, if it needs no network, run.
@Suite struct ReadmeTests {
    /// This code is only compiled.
    private func overTheNetwork() async throws {
        let provider = MoyaProvider<GitHub>()
        // swift-format-ignore
        let user = try await provider.value(.user("ash"))    // a User
        provider.requestValue(.user("ash")).map(\.login).subscribeNext { print($0) }
        print(user)
        // swift-format-ignore
        provider.request(.user("ash")).filterSuccessfulStatusCodes().mapJSON().subscribeNext { print($0["login"]?.string ?? "") }
        provider.request(.zen) { result in print((try? result.get().mapString()) ?? "no wisdom today") }
        let wisdom = try await provider.response(.zen).mapString()
        print(wisdom)
    }

    @Test func aMinuteTakesNoTime() {
        let time = VirtualTime(tick: .seconds(10))
        let stubbed = MoyaProvider<GitHub>(stubClosure: MoyaProvider.delayedStub(60), scheduler: time)
        #expect(time.play(stubbed.request(.zen).mapString().map { _ in "z" }).marbles == "------(z|)")
    }

    @Test func everyLineOfTheReadmesCodeIsInThisFile() throws {
        let readme = try Article("README.md", compiledIn: #filePath)
        #expect(readme.blocks.count == 4)
        for line in readme.blocks.filter({ !$0.contains("import PackageDescription") }).flatMap({ $0 }) {
            #expect(readme.code.contains(line), "\(line)")
        }
    }
}
