// A chat in a terminal: `swift run ChatStream --help`.
import Foundation
import MoyaStreams
import TerminalSupport

@main
struct ChatStream {
    static let usage = """
        USAGE: ChatStream [--server URL] [QUESTION]

        Prints the answer to a question while it arrives. Without a question, reads one from each line of the input.

        OPTIONS:
          --server URL    sends GET /answers?question=… to this server, which answers by server-sent events
                          with the data {"text": "…"}; by default, a server in this process answers
          -h, --help      prints this text
        """

    static func main() async {
        await Command(usage: usage).run { arguments in
            let server = try arguments.takeOption("--server")
            let question = arguments.takeNext()
            try arguments.finish()
            if let server {
                guard let url = URL(string: server), url.scheme == "http" || url.scheme == "https" else {
                    throw UsageError("--server needs a URL of the scheme http or https")
                }
                try await talk(to: url, question)
            } else {
                let server = try LoopbackChat()
                defer { server.stop() }
                try await talk(to: server.url, question)
            }
        }
    }

    private static func talk(to url: URL, _ question: String?) async throws {
        let chat = MoyaProvider<Chat>(baseURL: url, plugins: [ReconnectionPlugin()])
        if let question { return try await printAnswer(to: question, from: chat) }
        while let question = readQuestion() { try await printAnswer(to: question, from: chat) }
    }

    private static func printAnswer(to question: String, from chat: MoyaProvider<Chat>) async throws {
        for try await delta in chat.answer(to: question).values {
            Terminal.output.write(delta.text.printable)
        }
        Terminal.output.write("\n")
    }

    private static func readQuestion() -> String? {
        if Terminal.output.isInteractive { Terminal.output.write(Terminal.output.styled("> ", .cyan)) }
        return readLine()
    }
}
