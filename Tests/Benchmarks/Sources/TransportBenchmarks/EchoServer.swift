import Foundation
import Measuring

#if os(Linux)
    /// A process that echoes the messages of WebSockets.
    struct EchoServer {
        let name: String
        let url: URL
        private let identifier: Int32?
        private let process: Process?

        /// Creates the value of a server that is running, whose process is the one of `websockets_echo.py`.
        init(_ url: URL) {
            (name, self.url, process) = ("websockets", url, nil)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            identifier = names.compactMap { Int32($0) }.first { number in
                let arguments = (try? Data(contentsOf: URL(filePath: "/proc/\(number)/cmdline"))) ?? Data()
                return String(decoding: arguments, as: UTF8.self).contains("websockets_echo.py\0\(url.port ?? 0)\0")
            }
        }

        /// Starts a `LoopbackServer` in a process of its own.
        init() throws {
            let (process, input, output) = (Process(), Pipe(), Pipe())
            process.executableURL = Bundle.main.executableURL
            process.arguments = ["websockets", "serve"]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            guard let url = URL(string: line.trimmingCharacters(in: .whitespacesAndNewlines)), let port = url.port,
                let address = URL(string: "ws://127.0.0.1:\(port)")
            else { throw URLError(.badURL) }
            (name, self.url, self.process, identifier) = ("LoopbackServer", address, process, process.processIdentifier)
        }

        func stop() {
            process?.terminate()
            process?.waitUntilExit()
        }

        /// The time that the process has run, in seconds; NaN if it is unknown.
        var processorTime: Double {
            let path = "/proc/\(identifier.map { "\($0)" } ?? "")/stat"
            // The name of the program, in parentheses, may contain spaces.
            let fields = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: ")").last?
                .split(separator: " ").dropFirst(11).prefix(2).compactMap { Double($0) }
            guard let fields, fields.count == 2 else { return .nan }
            return (fields[0] + fields[1]) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
    }
#endif
