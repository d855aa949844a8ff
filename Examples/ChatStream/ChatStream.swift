// A chat in a terminal: `swift run ChatStream --help`.
import Foundation
import MoyaStreams
import MoyaWebSocket
import TerminalSupport

@main
struct ChatStream {
    static let usage = """
        USAGE: ChatStream [--socket] [--server URL] [QUESTION]

        Prints the answer to a question while it arrives. Without a question, reads one from each line of the input.

        OPTIONS:
          --server URL    sends GET /answers?question=… to this server, which answers by server-sent events
                          with the data {"text": "…"}; by default, a server in this process answers
          --socket        opens a WebSocket at /socket instead, sends {"question": "…"}, and receives the
                          messages {"text": "…"}, of which the last one has an empty text
          -h, --help      prints this text
        """

    static func main() async {
        await Command(usage: usage).run { arguments in
            let server = try arguments.takeOption("--server")
            let talk = arguments.takeFlag("--socket") ? talkOverWebSocket : talkOverEvents
            let question = arguments.takeNext()
            try arguments.finish()
            if let server {
                guard let url = URL(string: server), url.scheme == "http" || url.scheme == "https" else {
                    throw UsageError("--server needs a URL of the scheme http or https")
                }
                try await talk(url, question)
            } else {
                let server = try LoopbackChat()
                defer { server.stop() }
                try await talk(server.url, question)
            }
        }
    }

    private static func talkOverEvents(_ url: URL, _ question: String?) async throws {
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

    /// Asks all questions over one WebSocket.
    private static func talkOverWebSocket(_ url: URL, _ question: String?) async throws {
        let socket = try await MoyaProvider<Chat>(baseURL: url).webSocket(.socket)
        var parts = socket.messages(as: Delta.self).makeAsyncIterator()
        var next = question ?? readQuestion()
        while let text = next {
            try await socket.send(json: ["question": text])
            while let part = try await parts.next(), !part.text.isEmpty { Terminal.output.write(part.text.printable) }
            Terminal.output.write("\n")
            next = question == nil ? readQuestion() : nil
        }
        await socket.close()
    }

    private static func readQuestion() -> String? {
        if Terminal.output.isInteractive { Terminal.output.write(Terminal.output.styled("> ", .cyan)) }
        return readLine()
    }
}
