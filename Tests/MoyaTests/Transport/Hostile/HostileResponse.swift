import Foundation
import Moya
import MoyaTesting

/// A malformed or malicious response, with its expected outcome.
struct HostileResponse: Sendable, CustomStringConvertible {
    /// An expected outcome; each exchange has exactly one.
    enum Outcome: Sendable, Equatable {
        /// A response with this status code and, if not `nil`, this content.
        case response(Int, String? = nil)
        /// An error of one of the kinds.
        case failure(Set<MoyaError.Kind>)
        /// An outcome that depends on the version of libcurl: an error about the response, or a response with this
        /// status code and content, if they are not `nil`.
        case either(Int? = nil, String? = nil)
        /// No outcome before the test cancels the exchange.
        case nothing

        static let badResponse = Outcome.failure([.badResponse])
        static let connectionLost = Outcome.failure([.connectionLost])
        static let broken = Outcome.failure([.badResponse, .connectionLost])
    }

    /// The state of the connection after the last byte.
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
    /// The expected outcome if redirects and challenges are followed.
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

/// A list of similar responses, with a name.
struct HostileFamily: Sendable, CustomStringConvertible {
    static let all = [
        statusLines, heads, cutHeads, lengths, chunking, cutChunks, encodings, interim, contentless, redirects,
        challenges,
        splits, mutations,
    ]

    let name: String
    private(set) var responses: [HostileResponse] = []

    var description: String { name }

    init(_ name: String, _ fill: (inout HostileFamily) -> Void) {
        self.name = name
        fill(&self)
    }

    /// Adds a response that is sent in several pieces, with a pause if there are exactly two.
    mutating func add(
        _ variant: String, method: HTTPMethod = .get, pieces: [Data], then ending: HostileResponse.Ending = .close,
        _ expected: HostileResponse.Outcome, followed: HostileResponse.Outcome? = nil
    ) {
        responses.append(
            HostileResponse(
                family: name, variant: variant, method: method, pieces: pieces, ending: ending, expected: expected,
                followed: followed ?? expected))
    }

    mutating func add(
        _ variant: String, method: HTTPMethod = .get, _ bytes: Data, then ending: HostileResponse.Ending = .close,
        _ expected: HostileResponse.Outcome, followed: HostileResponse.Outcome? = nil
    ) {
        add(variant, method: method, pieces: [bytes], then: ending, expected, followed: followed)
    }

    mutating func add(
        _ variant: String, method: HTTPMethod = .get, _ text: String, then ending: HostileResponse.Ending = .close,
        _ expected: HostileResponse.Outcome, followed: HostileResponse.Outcome? = nil
    ) {
        add(variant, method: method, Data(text.utf8), then: ending, expected, followed: followed)
    }
}

extension String {
    static let ok = "HTTP/1.1 200 OK\r\n"
    /// The end of a head, with the content `hello`.
    static let hello = "Content-Length: 5\r\n\r\nhello"

    func times(_ count: Int) -> String { String(repeating: self, count: count) }
}
