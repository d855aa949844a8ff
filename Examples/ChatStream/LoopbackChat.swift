import Foundation
import MoyaStreams
import MoyaTesting

/// A server in this process that answers by server-sent events, and closes each connection after eight of them.
struct LoopbackChat {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer { request in
            request.path == "/answers" ? Self.answer(to: request) : .status(404)
        }
    }

    var url: URL { server.url }

    func stop() { server.stop() }

    /// The words behind the last event that the client has received.
    private static func answer(to request: LoopbackRequest) -> LoopbackReply {
        let items = URLComponents(string: request.target)?.queryItems
        let question = items?.first { $0.name == "question" }?.value ?? ""
        let words = Self.words(of: question)
        let first = request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0
        guard words.indices.contains(first) else { return .status(204) }
        let events = words.enumerated().dropFirst(first).prefix(8).flatMap { index, word in
            [LoopbackReply.Step.wait(.milliseconds(40)), .send(event(index + 1, word))]
        }
        let head = LoopbackReply.head(200, ["Content-Type": "text/event-stream", "Cache-Control": "no-store"])
        return LoopbackReply([.send(head), .send(Data("retry: 200\n\n".utf8))] + events).thenClosing()
    }

    private static func words(of question: String) -> [String] {
        let answer = """
            You asked: “\(question)” I am a server in the same process, and I close the connection after eight words, \
            so that you see how the client continues behind the last one that it has received.
            """
        return answer.split(separator: " ").map { "\($0) " }
    }

    private static func event(_ id: Int, _ word: String) -> Data {
        let data = (try? JSONEncoder().encode(["text": word])) ?? Data("{}".utf8)
        return Data("id: \(id)\ndata: ".utf8) + data + Data("\n\n".utf8)
    }
}
