// A server with a route that streams from GitHub: `swift run ProxyServer --help`.
import Foundation
import Moya

@main
struct ProxyServer {
    static let usage = """
        USAGE: ProxyServer [--port PORT] [--offline]

        Serves http://127.0.0.1:PORT/archives/OWNER/REPOSITORY with the archives of GitHub's repositories.

        OPTIONS:
          --port PORT   the port; 8080 by default, 0 for a free one
          --offline     sends the requests to a server in this process, which has the archive ash/pokedex
          -h, --help    prints this text

        ENVIRONMENT:
          GITHUB_TOKEN  the token for the requests to GitHub
        """

    static func main() async {
        do {
            try await serve(try Options(CommandLine.arguments.dropFirst()))
        } catch let error as UsageError {
            exit(printing: "error: \(error.reason)\n\n\(usage)", code: 64)
        } catch {
            exit(printing: "error: \(error)", code: 1)
        }
    }

    private static func serve(_ options: Options) async throws {
        if options.isHelp { return print(usage) }
        let offline = options.isOffline ? try OfflineGitHub() : nil
        defer { offline?.stop() }
        let route = ArchiveRoute(gitHub: .gitHub(at: offline?.url ?? URL(string: "https://api.github.com")))
        let server = try await HTTPServer(port: options.port, route: route)
        try FileHandle.standardOutput.write(
            contentsOf: Data("http://127.0.0.1:\(server.port)/archives/OWNER/REPOSITORY\n".utf8))
        try await server.run()
    }

    private static func exit(printing text: String, code: Int32) -> Never {
        try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
        Foundation.exit(code)
    }
}

/// The arguments of the command.
struct Options {
    var port = 8080
    var isOffline = false
    var isHelp = false

    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var arguments = arguments.makeIterator()
        while let argument = arguments.next() {
            switch argument {
            case "--port":
                guard let port = arguments.next().flatMap({ UInt16($0) }) else {
                    throw UsageError(reason: "--port needs a number from 0 to 65535")
                }
                self.port = Int(port)
            case "--offline": isOffline = true
            case "--help", "-h": isHelp = true
            default: throw UsageError(reason: "\(argument.debugDescription) is not expected")
            }
        }
    }
}

struct UsageError: Error {
    let reason: String
}

extension MoyaProvider<DownloadArchive> {
    /// - Parameters:
    ///   - url: the URL of GitHub's API.
    ///   - token: the server's own token, which its clients never see.
    static func gitHub(
        at url: URL?, token: String? = ProcessInfo.processInfo.environment["GITHUB_TOKEN"]
    ) -> MoyaProvider {
        MoyaProvider(
            baseURL: url,
            plugins: [AccessTokenPlugin(every: .bearer) { _ in token }],
            interceptors: [.retry(.exponential(initial: .milliseconds(200), times: 2))],
            timeouts: Timeouts(connect: .seconds(5), idle: .seconds(20)))
    }
}
