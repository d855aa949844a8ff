import Foundation

/// An article with Swift code, and the test file that compiles this code.
package struct Article {
    /// The lines of each Swift block, without their indentation.
    package let blocks: [[String]]
    /// The lines of the test file, without indentation.
    package let code: Set<String>

    /// Reads an article and a test file.
    ///
    /// - Parameters:
    ///   - path: the path of the article, relative to the root of the package.
    ///   - file: the path of the test file.
    package init(_ path: String, compiledIn file: String) throws {
        let file = URL(filePath: file)
        var root = file
        repeat {
            root.deleteLastPathComponent()
        } while root.path != "/" && !FileManager.default.fileExists(atPath: root.appending(path: "Package.swift").path)
        code = Set(Self.lines(try String(contentsOf: file, encoding: .utf8)))
        blocks = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            .components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }.map(Self.lines)
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
