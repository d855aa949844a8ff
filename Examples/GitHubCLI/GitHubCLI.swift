// A command for GitHub's API: `swift run GitHubCLI --help`.
import Foundation
import Moya
import TerminalSupport

@main
struct GitHubCLI {
    static let usage = """
        USAGE: GitHubCLI [--offline] COMMAND

        COMMANDS:
          user NAME                           shows a user
          repos OWNER [--limit N]             lists the repositories of a user, 30 if no limit is given
          star OWNER/REPOSITORY               stars a repository; needs a token
          download OWNER/REPOSITORY [FILE]    downloads the archive of a repository

        OPTIONS:
          --offline     sends the requests to a server in this process, which has the user ash
          -h, --help    prints this text

        ENVIRONMENT:
          GITHUB_TOKEN      the token for the requests
          GITHUB_OFFLINE    has the effect of --offline if it is not empty
          NO_COLOR          prints without colors if it is not empty
        """

    static func main() async {
        await Command(usage: usage).run(explaining: explain) { arguments in
            let environment = ProcessInfo.processInfo.environment
            let isOffline = arguments.takeFlag("--offline") || environment["GITHUB_OFFLINE", default: ""] != ""
            let action = try Action(&arguments)
            try arguments.finish()
            let token = environment["GITHUB_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
            if isOffline {
                let server = try OfflineGitHub()
                defer { server.stop() }
                try await action.run(on: .gitHub(at: server.url, token: token))
            } else {
                guard let url = URL(string: "https://api.github.com") else { throw URLError(.badURL) }
                try await action.run(on: .gitHub(at: url, token: token))
            }
        }
    }
}
