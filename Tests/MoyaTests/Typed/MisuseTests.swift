import Foundation
import Testing

/// What must not compile, and what the compiler says about it.
@Suite(.enabled(if: Compiler.modules != nil, "the modules of this build were not found"))
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

    @Test(
        "a misuse does not compile, with a message that leads on",
        arguments: [
            (
                "_ = try await provider.value(.zen)",
                "declare a static function with its name in an extension of TypedTarget"
            ),
            ("_ = try await provider.valueAndResponse(.zen)", "declare a static function"),
            ("provider.requestValue(.zen) { _ in }", "declare a static function"),
            ("_ = try await structs.value(Untyped())", "make it conform to DecodableTargetType"),
            ("_ = TypedTarget<API, User>(.zen, .text)", "'String'"),
            ("_ = TypedTarget<API, Opaque>(.zen, .json())", "is not Decodable"),
            ("_ = TypedTarget<API, Opaque>(.zen)", "'Opaque'"),
            ("struct Bad: DecodableTargetType { typealias Value = Opaque; let path = \"/\" }", "does not conform"),
            ("let user: Int = try await provider.value(.user(\"ash\"))", "'Int'"),
        ])
    func doesNotCompile(_ statement: String, _ message: String) throws {
        let output = try Compiler.check(Self.declarations + statement + "\n")
        #expect(output.contains("error:"), "it compiles: \(statement)")
        #expect(output.contains(message), "\(output)")
    }

    @Test func theDeclarationsThemselvesCompile() throws {
        #expect(try Compiler.check(Self.declarations + "_ = try await provider.value(.user(\"ash\")).name\n") == "")
    }
}

/// The compiler of the toolchain, on the modules of this build.
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

    /// What the compiler says about a source file; empty if it compiles.
    static func check(_ source: String) throws -> String {
        let modules = try #require(modules)
        let folder = FileManager.default.temporaryDirectory.appending(path: "misuse-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "main.swift")
        try Data(source.utf8).write(to: file)
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swiftc", "-swift-version", "6", "-typecheck", "-I", modules.path, "-I",
            root.appending(path: "Sources/CCurl/include").path, file.path,
        ]
        let output = Pipe()
        process.standardError = output
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }
}
