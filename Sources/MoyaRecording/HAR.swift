public import Foundation
public import MoyaHTTP

/// An archive of requests and responses in the format HAR 1.2, which browsers can export, too.
///
/// ```swift
/// let archive = try HAR(contentsOf: URL(filePath: "/tmp/users.har"))
/// archive.entries.map(\.request.url)
/// ```
/// All content is decoded and held in memory. Members of the file without a property in this type, such as
/// `pages`, are not preserved.
public struct HAR: Sendable, Hashable {
    /// The program that wrote an archive.
    public struct Creator: Sendable, Hashable {
        /// The name of the program.
        public var name: String
        /// The version of the program.
        public var version: String

        /// Creates a creator.
        public init(name: String, version: String) {
            self.name = name
            self.version = version
        }

        /// The creator of the archives that this package writes.
        public static let moya = Creator(name: "Moya", version: "1")
    }

    /// One request with its response; each request in a chain of redirects has an entry of its own.
    public struct Entry: Sendable, Hashable {
        /// The date at which the request was started, rounded to milliseconds.
        public var start: Date
        /// The request.
        public var request: Request
        /// The response, or the part of it that was received; `nil` if the head was not received.
        public var response: Response?
        /// The error of the exchange; `nil` if the response is complete.
        public var failure: Failure?
        /// The durations of the phases of the exchange.
        public var timings: Timings
        /// The number of the attempt: 1 for the first attempt, 2 for the first retry, and so on.
        public var attempt = 1

        /// Creates an entry.
        public init(
            start: Date, request: Request, response: Response? = nil, failure: Failure? = nil,
            timings: Timings = Timings()
        ) {
            self.start = start
            self.request = request
            self.response = response
            self.failure = failure
            self.timings = timings
        }
    }

    /// A request.
    public struct Request: Sendable, Hashable {
        /// The method.
        public var method: HTTPMethod
        /// The URL, without its fragment.
        public var url: URL
        /// The HTTP version, such as `HTTP/1.1`; empty if it is not known.
        public var version = ""
        /// The header fields in order.
        public var headers: HTTPHeaders
        /// The content, if there is any.
        public var content: Content?

        /// Creates a request.
        public init(method: HTTPMethod, url: URL, headers: HTTPHeaders = [:], content: Content? = nil) {
            self.method = method
            self.url = url
            self.headers = headers
            self.content = content
        }
    }

    /// A response.
    public struct Response: Sendable, Hashable {
        /// The status code.
        public var statusCode: Int
        /// The HTTP version, such as `HTTP/1.1`; empty if it is not known.
        public var version: String
        /// The header fields in order.
        public var headers: HTTPHeaders
        /// The content as delivered by the transport, which usually decompresses it.
        public var content: Content
        /// The chunks in which the content was delivered; empty if there was at most one chunk.
        public var chunks: [Chunk] = []
        /// The trailer fields.
        public var trailers: HTTPHeaders = [:]

        /// Creates a response.
        public init(statusCode: Int, version: String = "HTTP/1.1", headers: HTTPHeaders = [:], content: Content) {
            self.statusCode = statusCode
            self.version = version
            self.headers = headers
            self.content = content
        }
    }

    /// The content of a request or response.
    public struct Content: Sendable, Hashable {
        /// The media type, such as `application/json`; empty if it is not known.
        public var mimeType: String
        /// The bytes, or `nil` if the content was not recorded.
        ///
        /// Content is not recorded if it is too long, or if it cannot be searched for secrets. Request content is not
        /// recorded if it was not sent completely. Browsers may leave out content, too.
        public var data: Data?
        /// The length of the content in bytes, even if ``data`` is `nil`.
        public var size: Int

        /// Creates content.
        public init(_ data: Data, mimeType: String = "") {
            self.mimeType = mimeType
            self.data = data
            size = data.count
        }

        /// Creates content whose bytes were not recorded: ``data`` is `nil`.
        public init(unrecorded size: Int, mimeType: String = "") {
            self.mimeType = mimeType
            self.size = size
        }
    }

    /// A chunk of content, from its offset to the offset of the next chunk.
    public struct Chunk: Sendable, Hashable {
        /// The position of the chunk's first byte in the content.
        public var offset: Int
        /// The time from the start of the request to the delivery of the chunk.
        public var time: Duration

        /// Creates a chunk.
        public init(offset: Int, time: Duration) {
            self.offset = offset
            self.time = time
        }
    }

    /// The error of an exchange.
    public struct Failure: Sendable, Hashable {
        /// The raw value of the error's `URLError.Code`.
        public var code: Int
        /// The description of the error.
        public var description: String

        /// Creates a failure.
        public init(code: Int, description: String) {
            self.code = code
            self.description = description
        }

        /// The failure as a `URLError`.
        public var error: URLError {
            // The initializer returns an optional on Linux only.
            let code = URLError.Code(rawValue: code) as URLError.Code? ?? .unknown
            return URLError(code, userInfo: [NSLocalizedDescriptionKey: description])
        }

        /// Whether the client cancelled the exchange.
        public var isCancel: Bool { code == URLError.Code.cancelled.rawValue }
    }

    /// The durations of the phases of an exchange; `nil` for a phase that does not apply.
    public struct Timings: Sendable, Hashable {
        /// The time spent waiting for a connection.
        public var blocked: Duration?
        /// The duration of the name look-up.
        public var dns: Duration?
        /// The time spent connecting, including the TLS handshake.
        public var connect: Duration?
        /// The duration of the TLS handshake, which is a part of `connect`.
        public var ssl: Duration?
        /// The time spent sending the request.
        public var send = Duration.zero
        /// The time spent waiting for the response.
        public var wait = Duration.zero
        /// The time spent receiving the response.
        public var receive = Duration.zero

        /// Creates timings without a duration: all phases are `nil` or zero.
        public init() {}

        /// The time from the start of the exchange to the head of the response.
        public var firstByte: Duration {
            (blocked ?? .zero) + (dns ?? .zero) + (connect ?? .zero) + send + wait
        }

        /// The time from the start to the end of the exchange.
        public var total: Duration { firstByte + receive }
    }

    /// The program that wrote the archive.
    public var creator = Creator.moya
    /// The entries in the order of their start.
    public var entries: [Entry]
    /// The errors of the entries in the file that could not be read, which ``entries`` does not contain.
    public internal(set) var unreadable: [HARError] = []

    /// Creates an archive.
    public init(entries: [Entry] = []) {
        self.entries = entries
    }
}

extension HAR {
    /// Returns the archive with only the last attempt of each request, so that a replay needs no retries.
    public func lastAttempts() -> HAR {
        var archive = self
        // The attempts that a later one follows; there are several if equal requests were sent at the same time.
        var followed: [Request: [Int]] = [:]
        archive.entries = entries.reversed().filter { entry in
            let request = entry.request.withoutDifferences
            let place = followed[request]?.firstIndex(of: entry.attempt)
            if let place { followed[request]?.remove(at: place) }
            if entry.attempt > 1 { followed[request, default: []].append(entry.attempt - 1) }
            return place == nil
        }.reversed()
        return archive
    }

    /// Returns the archive with all times set to zero, so that two recordings of the same exchanges are equal.
    public func withoutTimes() -> HAR {
        var archive = self
        for index in archive.entries.indices {
            archive.entries[index].start = Date(timeIntervalSince1970: 0)
            archive.entries[index].timings = Timings()
            for chunk in archive.entries[index].response?.chunks.indices ?? 0..<0 {
                archive.entries[index].response?.chunks[chunk].time = .zero
            }
        }
        return archive
    }
}

/// The error for an archive that cannot be read, or in which a secret cannot be replaced.
public struct HARError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The reason, the place in the archive, and the remedy.
    public let description: String

    /// The same as ``description``.
    public var errorDescription: String? { description }

    /// What to do with the archive, if the description says it.
    public var recoverySuggestion: String? { description.remedy }

    package init(_ description: String) {
        self.description = description
    }
}
