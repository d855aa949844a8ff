import Foundation

/// The options of both benchmark programs.
package struct Options {
    package static let usage = """
        [--gate] [--markdown] [--svg directory] [--rounds n] [--only part-of-a-name] [--contender name] [--at-a-time n]
        """

    package let isGate: Bool
    package let isMarkdown: Bool
    /// The directory of the charts of the article *Performance*; `nil` if none are drawn.
    package let svgDirectory: String?
    package let rounds: Int
    package let part: String?
    package let contender: String?
    package let concurrency: Int?

    /// Removes the options from the arguments and stores their values.
    package init(_ arguments: inout [String]) {
        isGate = arguments.removeFlag("--gate")
        isMarkdown = arguments.removeFlag("--markdown")
        svgDirectory = arguments.removeOption("--svg")
        rounds = arguments.removeOption("--rounds").flatMap { Int($0) } ?? 7
        part = arguments.removeOption("--only")
        contender = arguments.removeOption("--contender")
        concurrency = arguments.removeOption("--at-a-time").flatMap { Int($0) }
    }
}

/// Functions of both benchmark programs.
package enum Benchmarks {
    /// Prints the missed bars and exits, with 1 if `--gate` is set and a bar was missed, otherwise with 0.
    package static func end(_ missed: [String], _ options: Options) -> Never {
        for miss in missed { print("missed:", miss) }
        exit(options.isGate && !missed.isEmpty ? 1 : 0)
    }

    /// Runs a program; exits with 1 on an error.
    package static func run(_ program: @Sendable ([String]) async throws -> Void) async {
        do {
            try await program(Array(CommandLine.arguments.dropFirst()))
        } catch {
            print("failed:", error)
            exit(1)
        }
    }
}

extension [String] {
    fileprivate mutating func removeFlag(_ flag: String) -> Bool {
        guard let index = firstIndex(of: flag) else { return false }
        remove(at: index)
        return true
    }

    fileprivate mutating func removeOption(_ name: String) -> String? {
        guard let index = firstIndex(of: name), index + 1 < count else { return nil }
        defer { removeSubrange(index...index + 1) }
        return self[index + 1]
    }
}
