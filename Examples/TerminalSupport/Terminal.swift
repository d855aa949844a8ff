import Foundation

/// Standard output or standard error of a command.
public struct Terminal: Sendable {
    /// A color or weight of text.
    public enum Style: Int, Sendable {
        case bold = 1
        case dim = 2
        case red = 31
        case cyan = 36
    }

    /// Standard output.
    public static let output = Terminal(.standardOutput)
    /// Standard error.
    public static let error = Terminal(.standardError)

    /// Whether it is a terminal, and not a file or a pipe.
    public let isInteractive: Bool
    private let hasColors: Bool
    private let file: FileHandle

    private init(_ file: FileHandle) {
        let environment = ProcessInfo.processInfo.environment
        self.file = file
        isInteractive = isatty(file.fileDescriptor) == 1
        hasColors = isInteractive && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    /// Returns the text in a style if this is a terminal with colors, and otherwise the text itself.
    public func styled(_ text: String, _ style: Style) -> String {
        hasColors ? "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m" : text
    }

    /// Writes text immediately; `print` buffers it up to the end of a line or more.
    public func write(_ text: String) {
        try? file.write(contentsOf: Data(text.utf8))
    }

    /// Replaces the last line on a terminal; does nothing on a file or pipe.
    public func showProgress(_ text: String) {
        if isInteractive { write("\r\u{1b}[2K" + styled(text, .dim)) }
    }

    /// Removes the line of the progress.
    public func clearProgress() {
        if isInteractive { write("\r\u{1b}[2K") }
    }
}

extension String {
    /// The text without control characters, with which the text of a server could move the cursor or change colors.
    public var printable: String {
        String(unicodeScalars.filter { $0 == "\n" || $0.properties.generalCategory != .control })
    }
}
