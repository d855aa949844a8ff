import Foundation
import MoyaStreams

/// An API that answers questions by server-sent events, or over a WebSocket.
enum Chat: RelativeTarget {
    case answer(to: String)
    case socket

    var path: String {
        switch self {
        case .answer: "/answers"
        case .socket: "/socket"
        }
    }

    var parameters: [String: any Sendable]? {
        switch self {
        case .answer(let question): ["question": question]
        case .socket: nil
        }
    }
}

/// The data of an event, or a message: the next part of an answer.
struct Delta: Decodable, Sendable {
    let text: String
}

extension MoyaProvider<Chat> {
    /// The parts of an answer, as they arrive.
    ///
    /// A connection that is lost is replaced by one that continues behind the last event. The stream completes when the
    /// server responds with the status code 204: there is nothing to continue.
    func answer(to question: String) -> Observable<Delta> {
        requestEvents(
            .answer(to: question), as: Delta.self,
            reconnecting: .exponential(initial: .milliseconds(250), times: 4, cap: .seconds(10)), on: .background)
    }
}
