package import Foundation

/// An event of an event stream (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The last event ID that the stream has set, in this event or before; empty if the stream has not set an ID.
    public let id: String
    /// The event's type; `message` if the stream specifies none.
    public let event: String
    /// The data of the event: its lines, joined by line feeds.
    public let data: String
    /// The last reconnection time that the stream has set; `nil` if the stream has not set a time.
    public let retry: Duration?

    /// Creates an event.
    public init(id: String = "", event: String = "message", data: String, retry: Duration? = nil) {
        self.id = id
        self.event = event
        self.data = data
        self.retry = retry
    }
}

extension TransportRequest {
    var acceptsEventStreamOnly: Bool { headers["Accept"]?.mediaType == "text/event-stream" }
}

extension ResponseHead {
    /// Whether the head has no fields, as that of a stub, which a cache may have completed.
    var hasNoFields: Bool { headers.fields.allSatisfy { $0.isNamed("Cache-Status") } }

    /// Throws an error unless the response is an event stream (WHATWG HTML, section 9.2.3).
    package func checkIsEventStream() throws(MoyaError) {
        // Accepts stubs without header fields, and responses with the status code 204, which have no content.
        guard !isEventStream, !hasNoFields, statusCode != 204 else { return }
        let reason =
            "the response is of type \(headers.mediaType ?? "unknown"), and not an event stream (text/event-stream)"
        throw .underlying(URLError(.cannotParseResponse, reason), Response(self, Data()))
    }
}

/// A parser of event streams (WHATWG HTML, section 9.2.6).
package struct EventStreamParser: ChunkParser {
    private let maximumLength: Int
    private var lines: LineParser
    private var isFirstLine = true
    private var id: String
    // Sent in `Last-Event-ID` at a reconnection. Updated at the end of each event, even of one without data.
    package private(set) var lastID: String
    package private(set) var retry: Duration?
    private var event = ""
    private var data: [String] = []
    private var length = 0

    package init(maximumLength: Int, lastID: String = "") {
        self.maximumLength = maximumLength
        self.lastID = lastID
        id = lastID
        lines = LineParser(maximumLength: maximumLength)
    }

    package mutating func add(_ chunk: Data, to events: inout [ServerSentEvent]) throws {
        var complete: [String] = []
        let lines = Result { try self.lines.add(chunk, to: &complete) }
        for line in complete {
            if let event = try take(line) { events.append(event) }
        }
        try lines.get()
    }

    /// Returns no events, because an event without an empty line at its end is discarded.
    package mutating func finish() -> [ServerSentEvent] { [] }

    private mutating func take(_ text: String) throws -> ServerSentEvent? {
        var line = text[...]
        if isFirstLine, line.unicodeScalars.first == "\u{feff}" { line.unicodeScalars.removeFirst() }
        isFirstLine = false
        guard !line.isEmpty else { return dispatch() }
        let colon = line.unicodeScalars.firstIndex(of: ":")
        let name = line[..<(colon ?? line.endIndex)]
        var value = colon.map { line[line.unicodeScalars.index(after: $0)...] } ?? ""
        if value.unicodeScalars.first == " " { value.unicodeScalars.removeFirst() }
        switch name {
        case "event": event = String(value)
        case "data":
            length += value.utf8.count + 1
            guard length <= maximumLength else { throw StreamingError.tooLong(limit: maximumLength) }
            data.append(String(value))
        case "id" where !value.unicodeScalars.contains("\0"): id = String(value)
        case "retry" where value.isDigits: retry = UInt32(value).map { .milliseconds(Int64($0)) } ?? retry
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> ServerSentEvent? {
        defer {
            event = ""
            data = []
            length = 0
        }
        lastID = id
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            id: id, event: event.isEmpty ? "message" : event, data: data.joined(separator: "\n"), retry: retry)
    }
}
