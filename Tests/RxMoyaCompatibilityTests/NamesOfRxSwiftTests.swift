import Foundation
import Testing

/// The article on the names of RxSwift, compared with the declarations in the sources.
@Suite(.timeLimit(.minutes(10))) struct NamesOfRxSwiftTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func code(_ modules: String...) throws -> String {
        var text = ""
        for module in modules {
            let files = FileManager.default.enumerator(
                at: root.appending(path: "Sources/\(module)"), includingPropertiesForKeys: nil)
            for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
                text += try String(contentsOf: file, encoding: .utf8)
            }
        }
        return text
    }

    /// The names that public declarations in the code have; those of types only, if requested.
    private static func names(in code: String, typesOnly: Bool = false) -> Set<String> {
        let kinds =
            typesOnly ? "class|struct|enum|protocol|typealias" : "func|var|let|class|struct|enum|protocol|typealias"
        guard
            let pattern = try? Regex(
                "\(typesOnly ? "(?m)^" : "")(?:public|open)[a-z() ]* (?:\(kinds)) `?(\\w+)`?",
                as: (Substring, Substring).self)
        else { return [] }
        var names = Set(code.matches(of: pattern).map { String($0.1) })
        if !typesOnly { names.formUnion(code.matches(of: /\bcase (\w+)/).map { String($0.1) }) }
        if !typesOnly, code.contains("public init") || code.contains("public convenience init") { names.insert("init") }
        return names
    }

    private static func rows() throws -> [(name: String, status: String)] {
        let article = root.appending(
            path: "Sources/RxMoyaCompatibility/RxMoyaCompatibility.docc/NamesOfRxSwift.md")
        return try String(contentsOf: article, encoding: .utf8).matches(of: /(?m)^\| `(.+?)` \| (.+) \|$/)
            .map { (String($0.1), String($0.2)) }
    }

    /// The identifier of a row: `Observable.take(for:scheduler:)` is about `take`.
    private static func identifier(_ name: String) -> String {
        let member = name.split(separator: "[")[0].split(separator: " ")[0].split(separator: "(")[0]
        return String(member.split(separator: ".").last ?? member)
    }

    @Test("a name that the article calls the same or deprecated is declared")
    func namesAreDeclared() throws {
        let rows = try Self.rows()
        #expect(rows.count > 500)
        let product = try Self.names(in: Self.code("RxMoyaCompatibility", "RxMoyaCompatibilityTesting"))
        let core = try Self.names(in: Self.code("MoyaStreams", "MoyaScheduling"))
        for (name, status) in rows where !status.hasPrefix("not there") {
            let identifier = Self.identifier(name)
            #expect(product.contains(identifier) || core.contains(identifier), "\(name)")
            #expect(["same", "deprecated"].contains { status.hasPrefix($0) }, "\(name): \(status)")
        }
    }

    @Test("a type that the article says is not there is not there, and each row has a reason")
    func othersAreNot() throws {
        let product = try Self.names(in: Self.code("RxMoyaCompatibility"), typesOnly: true)
        for (name, status) in try Self.rows() where status.hasPrefix("not there") {
            #expect(status.contains("because"), "\(name)")
            if !name.contains("."), !name.contains("(") { #expect(!product.contains(name), "\(name)") }
        }
    }
}
