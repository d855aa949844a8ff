import Foundation

/// A run of this program in a separate process, whose memory is that of one measurement.
enum Subprocess {
    /// Runs the program, or another one, and returns the numbers that it prints.
    static func numbers(_ arguments: [String], of program: URL? = Bundle.main.executableURL) throws -> [Double] {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let text = String(decoding: output, as: UTF8.self)
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard process.terminationStatus == 0, !numbers.isEmpty else {
            throw URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text])
        }
        return numbers
    }

    /// Returns a field of `/proc/self/status` in megabytes; NaN if the system has no such file.
    static func memory(_ field: String) -> Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
        return line.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Double($0) }.map { $0 / 1000 }
            ?? .nan
    }
}
