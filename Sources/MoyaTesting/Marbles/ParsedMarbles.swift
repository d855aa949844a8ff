import MoyaStreams

/// The parsed form of a diagram such as `"--a--(bc)|"`; the article <doc:Marbles> explains the notation.
package struct ParsedMarbles: Sendable {
    package enum DiagramEvent: Sendable, Hashable {
        case value(String)
        case completed
        case error
        /// A `^`: the time of the subscription.
        case subscribed
        /// A `!`: the time of the cancellation.
        case cancelled
    }

    package struct DiagramMark: Sendable {
        package let time: Duration
        package let event: DiagramEvent
        /// The position in the text, in characters.
        package let column: Int

        package init(time: Duration, event: DiagramEvent, column: Int) {
            self.time = time
            self.event = event
            self.column = column
        }
    }

    package enum DiagramKind: Sendable {
        /// The diagram of a stream, without `^` and `!`.
        case stream
        /// The diagram of a hot stream, with at most one `^`, and without `!`.
        case hot
        /// The diagram of a subscription, with `^` and `!`, and without events.
        case subscription
    }

    let text: String
    package let marks: [DiagramMark]

    init(_ text: String, tick: Duration?, kind: DiagramKind = .stream) throws(MarbleError) {
        var parser = MarbleParser(text, tick: tick, kind: kind)
        self.text = text
        marks = try parser.parse()
    }

    /// Creates a diagram from a text in the source code; a syntax error stops the program.
    ///
    /// Without `tick`, it is a millisecond until a literal meets its clock.
    package init(checked text: String, tick: Duration?, kind: DiagramKind = .stream) {
        do throws(MarbleError) {
            try self.init(text, tick: tick, kind: kind)
        } catch {
            fatalError("\n\(error)")
        }
    }

    func error(at mark: DiagramMark, _ reason: String) -> MarbleError {
        MarbleError(text, at: mark.column, reason)
    }

    /// Returns the events; the program stops if `value` returns `nil` for the name of a value, or throws.
    func events<Element>(
        error: any Error, _ value: (String) throws -> Element?
    ) -> [(time: Duration, event: Event<Element>)] {
        marks.compactMap { mark in
            switch mark.event {
            case .completed: return (mark.time, .completed)
            case .error: return (mark.time, .error(error))
            case .subscribed, .cancelled: return nil
            case .value(let name):
                do {
                    if let element = try value(name) { return (mark.time, .next(element)) }
                    fatalError("\n\(self.error(at: mark, "this is the name of no \(Element.self)"))")
                } catch {
                    fatalError("\n\(self.error(at: mark, "not a valid \(Element.self): \(error)"))")
                }
            }
        }
    }
}

/// A syntax error in a diagram.
public struct MarbleError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The diagram, a line with a caret under the error, and the reason.
    public let description: String

    init(_ text: String, at column: Int, _ reason: String) {
        description = "\(text)\n\(String(repeating: " ", count: column))^ \(reason)"
    }
}

/// The default error of a `#` in a marble diagram.
///
/// In an expected recording, a `MarbleFailure` equals any error except a ``VirtualTimeError``.
public struct MarbleFailure: Error, Hashable {
    /// Creates the error.
    public init() {}
}
