import Foundation
import Moya
import MoyaTesting

/// What a server that means ill, or knows no better, sends for an answer, and what has to come of it.
struct HostileAnswer: Sendable, CustomStringConvertible {
    /// What comes of it; always one of these, once.
    enum Outcome: Sendable, Equatable {
        /// A response with this status and, if it is given, this content.
        case response(Int, String? = nil)
        /// A failure of one of the kinds.
        case failure(Set<MoyaError.Kind>)
        /// It depends on the version of libcurl: a failure because of the answer, or a response, with this status and
        /// this content if they are given.
        case either(Int? = nil, String? = nil)
        /// No response while the client waits.
        case nothing

        static let badResponse = Outcome.failure([.badResponse])
        static let connectionLost = Outcome.failure([.connectionLost])
        static let broken = Outcome.failure([.badResponse, .connectionLost])
    }

    /// What follows on the last byte.
    enum Ending: Sendable {
        case stay
        case close
        case reset
    }

    let family: String
    let variant: String
    let method: HTTPMethod
    let pieces: [Data]
    let ending: Ending
    let expected: Outcome
    /// What comes of it where redirects and challenges are dealt with.
    let followed: Outcome

    var description: String { "\(family): \(variant)" }

    var steps: [LoopbackReply.Step] {
        let pauses = pieces.count == 2 ? [LoopbackReply.Step.wait(.milliseconds(1))] : []
        let sending = pieces.map { [LoopbackReply.Step.send($0)] }.joined(separator: pauses)
        return switch ending {
        case .stay: Array(sending)
        case .close: sending + [.close]
        case .reset: sending + [.reset]
        }
    }
}

/// Answers of one sort.
struct HostileFamily: Sendable, CustomStringConvertible {
    static let all = [
        statusLines, heads, cutHeads, lengths, chunking, cutChunks, encodings, interim, contentless, redirects,
        challenges,
        splits, mutations,
    ]

    let name: String
    private(set) var answers: [HostileAnswer] = []

    var description: String { name }

    init(_ name: String, _ fill: (inout HostileFamily) -> Void) {
        self.name = name
        fill(&self)
    }

    /// Adds an answer in pieces: two come with a pause between them, more as fast as they can.
    mutating func add(
        _ variant: String, method: HTTPMethod = .get, pieces: [Data], then ending: HostileAnswer.Ending = .close,
        _ expected: HostileAnswer.Outcome, followed: HostileAnswer.Outcome? = nil
    ) {
        answers.append(
            HostileAnswer(
                family: name, variant: variant, method: method, pieces: pieces, ending: ending, expected: expected,
                followed: followed ?? expected))
    }

    mutating func add(
        _ variant: String, method: HTTPMethod = .get, _ bytes: Data, then ending: HostileAnswer.Ending = .close,
        _ expected: HostileAnswer.Outcome, followed: HostileAnswer.Outcome? = nil
    ) {
        add(variant, method: method, pieces: [bytes], then: ending, expected, followed: followed)
    }

    mutating func add(
        _ variant: String, method: HTTPMethod = .get, _ text: String, then ending: HostileAnswer.Ending = .close,
        _ expected: HostileAnswer.Outcome, followed: HostileAnswer.Outcome? = nil
    ) {
        add(variant, method: method, Data(text.utf8), then: ending, expected, followed: followed)
    }
}

extension String {
    static let ok = "HTTP/1.1 200 OK\r\n"
    /// The rest of an answer whose content is `hello`.
    static let hello = "Content-Length: 5\r\n\r\nhello"

    func times(_ count: Int) -> String { String(repeating: self, count: count) }
}
