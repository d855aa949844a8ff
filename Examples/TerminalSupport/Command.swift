import Foundation

/// Arguments that a command does not accept.
public struct UsageError: Error {
    /// The reason, for people.
    public let reason: String

    /// Creates an error with a reason.
    public init(_ reason: String) {
        self.reason = reason
    }
}

/// A command with a help text and the exit codes 0, 1 for failures and 64 for wrong arguments.
public struct Command {
    private let usage: String

    /// Creates a command.
    ///
    /// - Parameter usage: the help text, which `--help` prints.
    public init(usage: String) {
        self.usage = usage
    }

    /// Runs the body with the arguments of the process, and ends the process.
    ///
    /// - Parameters:
    ///   - explain: describes an error for people.
    ///   - body: the work; a `UsageError` prints the help text, too.
    public func run(
        explaining explain: @Sendable (any Error) -> String = { "\($0)" },
        _ body: @Sendable (inout Arguments) async throws -> Void
    ) async -> Never {
        var arguments = Arguments(CommandLine.arguments.dropFirst())
        if arguments.takeFlag("--help", "-h") {
            Terminal.output.write(usage + "\n")
            exit(0)
        }
        do {
            try await body(&arguments)
            exit(0)
        } catch {
            Terminal.error.clearProgress()
            let usageError = error as? UsageError
            let label = Terminal.error.styled("error:", .red)
            Terminal.error.write("\(label) \(usageError?.reason ?? explain(error))\n")
            if usageError != nil { Terminal.error.write("\n\(usage)\n") }
            exit(usageError == nil ? 1 : 64)
        }
    }
}

/// The arguments of a command, which takes those that it knows.
public struct Arguments {
    private var rest: [String]

    /// Creates the arguments of a command, without its name.
    public init(_ arguments: some Sequence<String>) {
        rest = Array(arguments)
    }

    /// Removes a flag; returns whether it was there.
    public mutating func takeFlag(_ names: String...) -> Bool {
        let count = rest.count
        rest.removeAll { names.contains($0) }
        return rest.count < count
    }

    /// Removes an option, written `--name value` or `--name=value`, and returns its value.
    public mutating func takeOption(_ name: String) throws -> String? {
        if let index = rest.firstIndex(where: { $0.hasPrefix("\(name)=") }) {
            return String(rest.remove(at: index).dropFirst(name.count + 1))
        }
        guard let index = rest.firstIndex(of: name) else { return nil }
        guard rest.indices.contains(index + 1) else { throw UsageError("\(name) needs a value") }
        rest.remove(at: index)
        return rest.remove(at: index)
    }

    /// Removes and returns the next argument that is not an option, or `nil`.
    public mutating func takeNext() -> String? {
        rest.firstIndex { !$0.hasPrefix("-") }.map { rest.remove(at: $0) }
    }

    /// Removes and returns the next argument that is not an option.
    ///
    /// - Parameter name: its name in the help text.
    public mutating func take(_ name: String) throws -> String {
        guard let argument = takeNext() else { throw UsageError("\(name) is missing") }
        return argument
    }

    /// Throws an error if an argument is left.
    public func finish() throws {
        if let unknown = rest.first { throw UsageError("\(unknown.printable) is not expected") }
    }
}
