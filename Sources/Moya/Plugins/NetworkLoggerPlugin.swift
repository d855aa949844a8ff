public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Logs requests and responses, without what is secret.
///
/// ```swift
/// MoyaProvider<GitHub>(plugins: [NetworkLoggerPlugin(configuration: .init(logOptions: .verbose))])
/// ```
/// A target is named by its type and case only, an error by its kind; values of header fields, queries and bodies are hidden
/// as the configuration's ``Redaction`` says. By default all are, but those of fields that hold no secret:
///
/// ```text
/// Moya_Logger: [2026-11-21T18:00:00Z] Request: https://api.github.com/search?q=***
/// Moya_Logger: [2026-11-21T18:00:00Z] Request Headers: [Accept: application/json, Authorization: ***]
/// Moya_Logger: [2026-11-21T18:00:00Z] HTTP Request Method: GET
/// Moya_Logger: [2026-11-21T18:00:01Z] Response: 200 https://api.github.com/search?q=*** [Content-Type: application/json]
/// ```
/// To see more while developing, hide only what is named like a secret, or nothing:
///
/// ```swift
/// NetworkLoggerPlugin(configuration: .init(logOptions: .verbose, redaction: .secretNames))
/// NetworkLoggerPlugin(configuration: .init(logOptions: .verbose, redaction: .nothing))
/// ```
public struct NetworkLoggerPlugin: PluginType {
    /// What is written, how and where.
    public struct Configuration: Sendable {
        /// Moya's name for the options.
        public typealias LogOptions = NetworkLoggerPlugin.LogOptions
        /// Moya's name for the formatter.
        public typealias Formatter = NetworkLoggerPlugin.Formatter
        /// Moya's name for ``Output``.
        public typealias OutputType = Output
        /// Takes the lines of one event.
        public typealias Output = @Sendable (_ target: any RelativeTarget, _ items: [String]) -> Void

        /// How it is written.
        public var formatter: Formatter
        /// Writes a log entry; defaults to `print`.
        public var output: Output
        /// What is written.
        public var logOptions: LogOptions
        /// What is hidden.
        public var redaction: Redaction
        /// Of how many characters a body is shown at most.
        public var maximumBodyLength: Int

        /// A configuration; everything has a default.
        public init(
            formatter: Formatter = Formatter(), output: @escaping Output = Self.defaultOutput,
            logOptions: LogOptions = .default, redaction: Redaction = .all, maximumBodyLength: Int = 4096
        ) {
            self.formatter = formatter
            self.output = output
            self.logOptions = logOptions
            self.redaction = redaction
            self.maximumBodyLength = max(maximumBodyLength, 0)
        }

        /// Prints each line.
        public static func defaultOutput(target: any RelativeTarget, items: [String]) {
            for item in items { print(item) }
        }
    }

    /// What is written; the line of the request and that of the answer always are.
    public struct LogOptions: OptionSet, Sendable {
        /// One bit for each option.
        public let rawValue: Int

        /// A set of options.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The request's method.
        public static let requestMethod = LogOptions(rawValue: 1)
        /// The request's content.
        public static let requestBody = LogOptions(rawValue: 2)
        /// The request's header fields.
        public static let requestHeaders = LogOptions(rawValue: 4)
        /// The request as a command for curl, in place of everything else about it.
        public static let formatRequestAscURL = LogOptions(rawValue: 8)
        /// The content of successes.
        public static let successResponseBody = LogOptions(rawValue: 16)
        /// The content of answers that are failures: refused by validation, or incomplete.
        public static let errorResponseBody = LogOptions(rawValue: 32)
        /// Method and header fields.
        public static let `default`: LogOptions = [.requestMethod, .requestHeaders]
        /// Everything but the command for curl.
        public static let verbose: LogOptions = [
            .requestMethod, .requestHeaders, .requestBody, .successResponseBody, .errorResponseBody,
        ]
    }

    /// How it is written.
    ///
    /// All of its closures see what is left after the redaction.
    public struct Formatter: Sendable {
        /// Makes a line of a word for what it is, and the text.
        public typealias Entry =
            @Sendable (_ identifier: String, _ message: String, _ target: any RelativeTarget) -> String
        /// Makes a text of content, which is given as UTF-8.
        public typealias Content = @Sendable (_ content: Data) -> String
        /// Moya's name for ``Entry``.
        public typealias EntryFormatterType = Entry
        /// Moya's name for ``Content``.
        public typealias DataFormatterType = Content

        /// Makes a line.
        public var entry: Entry
        /// Makes a text of a request's content.
        public var requestData: Content
        /// Makes a text of an answer's content.
        public var responseData: Content

        /// A formatter; everything has a default.
        public init(
            entry: @escaping Entry = Self.defaultEntry, requestData: @escaping Content = Self.defaultContent,
            responseData: @escaping Content = Self.defaultContent
        ) {
            self.entry = entry
            self.requestData = requestData
            self.responseData = responseData
        }

        /// `Moya_Logger: [2026-11-21T18:00:00Z] Request: https://…`.
        public static func defaultEntry(identifier: String, message: String, target: any RelativeTarget) -> String {
            "Moya_Logger: [\(Date().formatted(.iso8601))] \(identifier): \(message)"
        }

        /// The content as it is.
        public static func defaultContent(_ content: Data) -> String { String(decoding: content, as: UTF8.self) }
    }

    /// What is logged, how and where.
    public let configuration: Configuration

    /// A logger.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Writes the request down.
    public func willSend(_ request: RequestType, target: any RelativeTarget) {
        configuration.output(target, lines(request).map { configuration.formatter.entry($0, $1, target) })
    }

    /// Writes the outcome down.
    public func didReceive(_ result: Result<Response, MoyaError>, target: any RelativeTarget) {
        let lines: [Line] =
            switch result {
            case .success(let response): self.lines(response, showsBody: .successResponseBody)
            case .failure(let error):
                (error.response.map { self.lines($0, showsBody: .errorResponseBody) } ?? [])
                    + [("Error", "\(target.nameForLogs): \(error.kind)\(error.detailForLogs)")]
            }
        configuration.output(target, lines.map { configuration.formatter.entry($0, $1, target) })
    }
}

// MARK: The lines

extension NetworkLoggerPlugin {
    private typealias Line = (identifier: String, message: String)

    private func lines(_ request: RequestType) -> [Line] {
        let redaction = configuration.redaction
        let options = configuration.logOptions
        guard let sent = request.request, let url = sent.url else { return [("Request", "(invalid request)")] }
        if options.contains(.formatRequestAscURL) {
            return [("Request", request.cURLDescription(redaction: redaction))]
        }
        var lines: [Line] = [("Request", redaction.url(url.absoluteString))]
        if options.contains(.requestHeaders) {
            lines.append(("Request Headers", text(HTTPHeaders(sent.allHTTPHeaderFields ?? [:]))))
        }
        if options.contains(.requestBody) {
            let type = sent.value(forHTTPHeaderField: "Content-Type")
            switch request.body {
            case .none: break
            case .data(let data):
                lines.append(("Request Body", configuration.formatter.requestData(Data(text(data, type).utf8))))
            case .file(let file): lines.append(("Request Body File", file.lastPathComponent))
            case .stream(let length, _):
                lines.append(("Request Body Stream", length.map { "<\($0) bytes>" } ?? "<of unknown length>"))
            }
        }
        if options.contains(.requestMethod) { lines.append(("HTTP Request Method", sent.httpMethod ?? "GET")) }
        return lines
    }

    private func lines(_ response: Response, showsBody: LogOptions) -> [Line] {
        let url = response.request?.url.map { " \(configuration.redaction.url($0.absoluteString))" } ?? ""
        var lines: [Line] = [("Response", "\(response.statusCode)\(url) \(text(response.headers))")]
        if let file = response.fileURL { lines.append(("Response File", file.lastPathComponent)) }
        if configuration.logOptions.contains(showsBody), response.fileURL == nil {
            let body = text(response.data, response.headers["Content-Type"])
            lines.append(("Response Body", configuration.formatter.responseData(Data(body.utf8))))
        }
        return lines
    }

    private func text(_ headers: HTTPHeaders) -> String {
        let fields = headers.fields.map { field in
            "\(field.name.withoutControls): \(configuration.redaction.header(field.name, field.value))"
        }
        return "[\(fields.joined(separator: ", "))]"
    }

    private func text(_ data: Data, _ type: String?) -> String {
        configuration.redaction.body(data, contentType: type, longest: configuration.maximumBodyLength)
    }
}

extension MoyaError {
    /// What can be said without showing anything that came from a server or a target.
    fileprivate var detailForLogs: String {
        switch self {
        case .underlying(let error as URLError, _): " (\(error.code.rawValue))"
        case .objectMapping(let error as DecodingError, _): " at \(error.path)"
        case .statusCode(let response): " \(response.statusCode)"
        default: ""
        }
    }
}

extension DecodingError {
    fileprivate var path: String {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context.codingPath.map(\.stringValue).joined(separator: ".")
        @unknown default: "an unknown place"
        }
    }
}
