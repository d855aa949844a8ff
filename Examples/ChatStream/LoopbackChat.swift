import Foundation
import MoyaStreams
import MoyaTesting
import MoyaWebSocket

/// A server in this process that answers over a WebSocket, or by server-sent events, of which it sends eight at a time.
struct LoopbackChat {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer { request in
            switch request.path {
            case "/answers": Self.answer(to: request)
            case "/socket": .webSocket(request, Self.answer(over:))
            default: .status(404)
            }
        }
    }

    var url: URL { server.url }

    func stop() { server.stop() }

    /// The words behind the last event that the client has received.
    private static func answer(to request: LoopbackRequest) -> LoopbackReply {
        let items = URLComponents(string: request.target)?.queryItems
        let question = items?.first { $0.name == "question" }?.value ?? ""
        let words = words(
            question,
            "I close the connection after eight words, so that you see how the client continues behind the last "
                + "one that it has received.")
        let first = request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0
        guard words.indices.contains(first) else { return .status(204) }
        let events = words.enumerated().dropFirst(first).prefix(8).flatMap { index, word in
            [LoopbackReply.Step.wait(.milliseconds(40)), .send(event(index + 1, word))]
        }
        let head = LoopbackReply.head(200, ["Content-Type": "text/event-stream", "Cache-Control": "no-store"])
        return LoopbackReply([.send(head), .send(Data("retry: 200\n\n".utf8))] + events).thenClosing()
    }

    private static func answer(over socket: LoopbackWebSocket) {
        while case .text(let text)? = socket.receive() {
            let request = try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))
            let words = words(request?["question"] ?? "", "all of your questions take the same connection.")
            for word in words + [""] {
                Thread.sleep(forTimeInterval: 0.04)
                socket.send(.text(String(decoding: data(word), as: UTF8.self)))
            }
        }
    }

    private static func words(_ question: String, _ end: String) -> [String] {
        "You asked: “\(question)” I am a server in the same process, and \(end)".split(separator: " ").map { "\($0) " }
    }

    private static func event(_ id: Int, _ word: String) -> Data {
        Data("id: \(id)\ndata: ".utf8) + data(word) + Data("\n\n".utf8)
    }

    private static func data(_ word: String) -> Data {
        (try? JSONEncoder().encode(["text": word])) ?? Data("{}".utf8)
    }
}
