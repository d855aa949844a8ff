import Foundation
import TestSupport
import Testing

/// Code that must not compile, and the messages of the compiler.
@Suite(
    .enabled(if: Compiler.modules != nil, "the modules of this build were not found"), .queued,
    .timeLimit(.minutes(10)))
struct MisuseTests {
    private static let declarations = """
        import Foundation
        import Moya

        struct User: Decodable { let name: String }
        struct Opaque {}
        enum API: TargetType {
            case user(String), zen
            var baseURL: URL { URL(string: "https://a.example")! }
            var path: String { "/" }
        }
        extension TypedTarget<API, User> {
            static func user(_ name: String) -> Self { Self(.user(name)) }
        }
        struct Untyped: RelativeTarget { let path = "/" }
        struct Numbers: DecodableTargetType { typealias Value = [Int]; let path = "/" }
        let provider = MoyaProvider<API>()
        let structs = MoyaProvider<MultiTarget>()

        """

    /// Misuses in one line each, and a part of the message of the compiler.
    private static let misuses = [
        (
            "_ = try await provider.value(.zen)",
            "declare a static function with its name in an extension of TypedTarget"
        ),
        ("_ = try await provider.valueAndResponse(.zen)", "declare a static function"),
        ("provider.requestValue(.zen) { _ in }", "declare a static function"),
        ("_ = try await structs.value(Untyped())", "make it conform to DecodableTargetType"),
        ("_ = TypedTarget<API, User>(.zen, .text)", "'String'"),
        ("_ = TypedTarget<API, Opaque>(.zen, .json())", "is not Decodable"),
        ("_ = TypedTarget<API, Opaque>(.zen)", "is not Decodable"),
        ("struct Bad: DecodableTargetType { typealias Value = Opaque; let path = \"/\" }", "does not conform"),
        ("let user: Int = try await provider.value(.user(\"ash\"))", "no response of this type"),
    ]

    @Test("a misuse does not compile, with a message that names the remedy; correct code compiles")
    func doesNotCompile() async throws {
        let sound = Self.declarations + "_ = try await provider.value(.user(\"ash\")).name\n"
        #expect(try await Compiler.check(sound).isEmpty)
        let messages = try await Compiler.check(sound + Self.misuses.map(\.0).joined(separator: "\n") + "\n")
        let firstLine = sound.split(separator: "\n", omittingEmptySubsequences: false).count
        for (index, (statement, text)) in Self.misuses.enumerated() {
            let own = messages.filter { $0.contains("main.swift:\(firstLine + index):") && $0.contains("error:") }
            #expect(own.contains { $0.contains(text) }, "\(statement): \(own)")
        }
    }
}

/// Runs the compiler of the toolchain with the modules of this build.
private enum Compiler {
    /// The folder of the modules, next to the test bundle.
    static let modules: URL? = {
        var folder = URL(filePath: CommandLine.arguments.first ?? "/").resolvingSymlinksInPath()
        for _ in 0..<6 {
            folder.deleteLastPathComponent()
            let modules = folder.appending(path: "Modules")
            let module = modules.appending(path: "Moya.swiftmodule")
            if FileManager.default.fileExists(atPath: module.path) { return modules }
        }
        return nil
    }()

    /// Returns the lines that the compiler prints for a source file; none if it compiles.
    static func check(_ source: String) async throws -> [Substring] {
        let modules = try #require(modules)
        let folder = FileManager.default.temporaryDirectory.appending(path: "misuse-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "main.swift")
        try Data(source.utf8).write(to: file)
        let output = folder.appending(path: "output")
        try Data().write(to: output)
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swiftc", "-swift-version", "6", "-typecheck", "-I", modules.path, "-I",
            root.appending(path: "Sources/CMoyaCurl/include").path, file.path,
        ]
        process.standardError = try FileHandle(forWritingTo: output)
        let hasEnded = Promise<Bool>()
        process.terminationHandler = { _ in hasEnded.fulfill(true) }
        try await waitForFewDescriptors()
        try process.run()
        _ = try await hasEnded.value()
        return try String(contentsOf: output, encoding: .utf8).split(separator: "\n")
    }
}
