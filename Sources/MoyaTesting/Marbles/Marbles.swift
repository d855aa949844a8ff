import MoyaStreams

/// A diagram of what happens when: the parsed form of `"--a--(bc)|"`.
///
/// The notation is explained in the article <doc:Marbles>.
struct Marbles: Sendable {
    enum Event: Sendable, Hashable {
        case value(String)
        case completed
        case error
        /// `^`
        case subscribed
        /// `!`
        case cancelled
    }

    struct Mark: Sendable {
        let time: Duration
        let event: Event
        /// Where it stands in the text, in characters.
        let column: Int
    }

    /// What a diagram may hold besides time.
    enum Kind: Sendable {
        /// Events.
        case stream
        /// Events and the point of subscription.
        case hot
        /// Subscription and cancel.
        case subscription
    }

    let text: String
    let marks: [Mark]

    init(_ text: String, tick: Duration, kind: Kind = .stream) throws(MarbleError) {
        var parser = MarbleParser(text, tick: tick, kind: kind)
        self.text = text
        marks = try parser.parse()
    }

    /// For a diagram that stands in the program's text.
    init(checked text: String, tick: Duration, kind: Kind = .stream) {
        do throws(MarbleError) {
            try self.init(text, tick: tick, kind: kind)
        } catch {
            preconditionFailure("\n\(error)")
        }
    }

    func error(at mark: Mark, _ reason: String) -> MarbleError {
        MarbleError(text, at: mark.column, reason)
    }

    /// The marks with their values; what is wrong with one is the program's mistake, too.
    func events<Element>(
        error: any Error, _ value: (String) throws -> Element?
    ) -> [(time: Duration, event: StreamEvent<Element>)] {
        marks.compactMap { mark in
            switch mark.event {
            case .completed: return (mark.time, .completed)
            case .error: return (mark.time, .error(error))
            case .subscribed, .cancelled: return nil
            case .value(let name):
                do {
                    if let element = try value(name) { return (mark.time, .next(element)) }
                    preconditionFailure("\n\(self.error(at: mark, "this is the name of no \(Element.self)"))")
                } catch {
                    preconditionFailure("\n\(self.error(at: mark, "this is no \(Element.self): \(error)"))")
                }
            }
        }
    }
}

/// Why a diagram is not well formed, with a caret under the place.
public struct MarbleError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The diagram, a caret line, and the reason.
    public let description: String

    init(_ text: String, at column: Int, _ reason: String) {
        description = "\(text)\n\(String(repeating: " ", count: column))^ \(reason)"
    }
}

/// The error of a diagram in which only `#` says what it is.
///
/// A recording made of a literal has it, and is equal to one with any error there.
public struct MarbleFailure: Error, Hashable {
    /// The error.
    public init() {}
}
