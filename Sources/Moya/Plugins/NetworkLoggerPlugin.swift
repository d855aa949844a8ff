public import Foundation

/// Logs requests and responses, with secret values hidden.
///
/// ```swift
/// MoyaProvider<GitHub>(plugins: [NetworkLoggerPlugin(configuration: .init(logOptions: .verbose))])
/// ```
/// The log names a target by its type and case, without associated values, and an error by its kind. The
/// ``Redaction`` of the configuration hides values of header fields, queries and bodies. By default, it hides all of
/// these values, except those of header fields that are known to be non-sensitive:
///
/// ```text
/// Moya_Logger: [2026-11-21T18:00:00Z] Request: #7 https://api.github.com/search?q=***
/// Moya_Logger: [2026-11-21T18:00:00Z] Request Headers: [Accept: application/json, Authorization: ***]
/// Moya_Logger: [2026-11-21T18:00:00Z] HTTP Request Method: GET
/// Moya_Logger: [2026-11-21T18:00:01Z] Response: #7 200 https://api.github.com/search?q=*** in 200 ms [ETag: "1"]
/// ```
/// `#7` is the ``RequestType/id`` of the request; a repeated request is `#7 attempt 2`. The duration is that of the
/// attempt.
///
/// To see more during development, hide only values whose names are sensitive, or nothing:
///
/// ```swift
/// NetworkLoggerPlugin(configuration: .init(logOptions: .verbose, redaction: .secretNames))
/// NetworkLoggerPlugin(configuration: .init(logOptions: .verbose, redaction: .nothing))
/// ```
public struct NetworkLoggerPlugin: RequestPlugin {
    /// The content, format and output of the log.
    public struct Configuration: Sendable {
        /// An alternative name for ``NetworkLoggerPlugin/LogOptions``.
        public typealias LogOptions = NetworkLoggerPlugin.LogOptions
        /// An alternative name for ``NetworkLoggerPlugin/Formatter``.
        public typealias Formatter = NetworkLoggerPlugin.Formatter
        /// An alternative name for ``Output``.
        public typealias OutputType = Output
        /// Writes the log lines of one request, or of one response or error.
        public typealias Output = @Sendable (_ target: any RelativeTarget, _ items: [String]) -> Void

        /// The format of the log lines.
        public var formatter: Formatter
        /// The closure that writes the log lines; `print` by default.
        public var output: Output
        /// The parts of requests and responses that are logged.
        public var logOptions: LogOptions
        /// Determines the values that the log hides; ``Redaction/all`` by default.
        public var redaction: Redaction
        /// The maximum number of characters that are shown of a body.
        public var maximumBodyLength: Int

        /// Creates a configuration; each parameter has a default.
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

    /// The parts of requests and responses that are logged.
    ///
    /// The URL of each request is always logged. The status code, URL and header fields of each response are always
    /// logged, too.
    public struct LogOptions: OptionSet, Sendable {
        /// One bit for each option.
        public let rawValue: Int

        /// Creates a set of options.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The request's method.
        public static let requestMethod = LogOptions(rawValue: 1)
        /// The request's content.
        public static let requestBody = LogOptions(rawValue: 2)
        /// The request's header fields.
        public static let requestHeaders = LogOptions(rawValue: 4)
        /// The request as a command for curl, in place of all other lines of the request.
        public static let formatRequestAscURL = LogOptions(rawValue: 8)
        /// The content of successful responses.
        public static let successResponseBody = LogOptions(rawValue: 16)
        /// The content of responses that the validation did not accept, or that are incomplete.
        public static let errorResponseBody = LogOptions(rawValue: 32)
        /// The method and the header fields of requests.
        public static let `default`: LogOptions = [.requestMethod, .requestHeaders]
        /// All options except the command for curl.
        public static let verbose: LogOptions = [
            .requestMethod, .requestHeaders, .requestBody, .successResponseBody, .errorResponseBody,
        ]
    }

    /// The format of the log lines.
    ///
    /// The closures receive redacted values.
    public struct Formatter: Sendable {
        /// Returns a log line that is made of a title (`identifier`) and a text (`message`).
        public typealias Entry =
            @Sendable (_ identifier: String, _ message: String, _ target: any RelativeTarget) -> String
        /// Returns the text that is logged for a body; `content` is the redacted body in UTF-8.
        public typealias Content = @Sendable (_ content: Data) -> String
        /// An alternative name for ``Entry``.
        public typealias EntryFormatterType = Entry
        /// An alternative name for ``Content``.
        public typealias DataFormatterType = Content

        /// Creates each log line from a title and a text.
        public var entry: Entry
        /// Returns the text that is logged for a request's content.
        public var requestData: Content
        /// Returns the text that is logged for a response's content.
        public var responseData: Content

        /// Creates a formatter; each parameter has a default.
        public init(
            entry: @escaping Entry = Self.defaultEntry, requestData: @escaping Content = Self.defaultContent,
            responseData: @escaping Content = Self.defaultContent
        ) {
            self.entry = entry
            self.requestData = requestData
            self.responseData = responseData
        }

        /// Returns a log line with the current time, such as `Moya_Logger: [2026-11-21T18:00:00Z] Request: https://…`.
        public static func defaultEntry(identifier: String, message: String, target: any RelativeTarget) -> String {
            "Moya_Logger: [\(Date().formatted(.iso8601))] \(identifier): \(message)"
        }

        /// Returns the content as text, decoded from UTF-8.
        public static func defaultContent(_ content: Data) -> String { String(decoding: content, as: UTF8.self) }
    }

    /// The content, format and output of the log.
    public let configuration: Configuration

    /// Creates a logger; the default configuration hides all values that may be secret.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Logs the parts of the request that the configuration specifies.
    public func willSend(_ request: RequestType, target: any RelativeTarget) {
        configuration.output(target, lines(request).map { configuration.formatter.entry($0, $1, target) })
    }

    /// Logs the outcome of an attempt, with the number of its request and its duration.
    ///
    /// For a failure, the log contains the kind of the error, and the received part of the response, if any.
    public func didReceive(
        _ result: Result<Response, MoyaError>, for request: RequestType, target: any RelativeTarget
    ) {
        log(result, request, target)
    }

    /// Logs the outcome of an attempt whose request is not known.
    public func didReceive(_ result: Result<Response, MoyaError>, target: any RelativeTarget) {
        log(result, nil, target)
    }

    /// Changes nothing.
    public func prepare(_ request: inout TransportRequest, target: any RelativeTarget) {}

    private func log(
        _ result: Result<Response, MoyaError>, _ request: RequestType?, _ target: any RelativeTarget
    ) {
        let number = request?.numberForLogs ?? ""
        let duration = request?.durationForLogs ?? ""
        let lines: [Line] =
            switch result {
            case .success(let response): self.lines(response, request, showsBody: .successResponseBody)
            case .failure(let error):
                (error.response.map { self.lines($0, request, showsBody: .errorResponseBody) } ?? [])
                    + [("Error", "\(number)\(target.nameForLogs): \(error.kind)\(error.detailForLogs)\(duration)")]
            }
        configuration.output(target, lines.map { configuration.formatter.entry($0, $1, target) })
    }
}

extension NetworkLoggerPlugin {
    private typealias Line = (identifier: String, message: String)

    private var longestBody: Int { max(configuration.maximumBodyLength, 0) }

    private func lines(_ request: RequestType) -> [Line] {
        let redaction = configuration.redaction
        let options = configuration.logOptions
        if options.contains(.formatRequestAscURL) {
            let command = request.cURLDescription(redaction, longest: longestBody)
            return [("Request", request.numberForLogs + command)]
        }
        var lines: [Line] = [("Request", request.numberForLogs + redaction.url(request.sent.url.absoluteString))]
        if options.contains(.requestHeaders) {
            lines.append(("Request Headers", text(request.headers.sortedByName)))
        }
        if options.contains(.requestBody) {
            switch request.body {
            case .none: break
            case .data(let data):
                lines.append(("Request Body", configuration.formatter.requestData(redacted(data, request.headers))))
            case .file(let file): lines.append(("Request Body File", file.lastPathComponent))
            case .stream(let length, _):
                lines.append(("Request Body Stream", length.map { "<\($0) bytes>" } ?? "<of unknown length>"))
            }
        }
        if options.contains(.requestMethod) { lines.append(("HTTP Request Method", request.method.rawValue)) }
        return lines
    }

    private func lines(_ response: Response, _ request: RequestType?, showsBody: LogOptions) -> [Line] {
        // A response that was made by hand may have no request.
        let responseURL = response.requestURL ?? response.response?.url ?? request?.url
        let url = responseURL.map { " \(configuration.redaction.url($0.absoluteString))" } ?? ""
        let status = "\(request?.numberForLogs ?? "")\(response.statusCode)"
        let duration = request?.durationForLogs ?? ""
        var lines: [Line] = [("Response", "\(status)\(url)\(duration) \(text(response.headers))")]
        if let file = response.fileURL { lines.append(("Response File", file.lastPathComponent)) }
        // Plugins do not receive the content of a response that was streamed.
        if configuration.logOptions.contains(showsBody), response.fileURL == nil, !response.data.isEmpty {
            let body = redacted(response.data, response.headers)
            lines.append(("Response Body", configuration.formatter.responseData(body)))
        }
        return lines
    }

    private func text(_ headers: HTTPHeaders) -> String {
        let fields = headers.fields.map { field in
            "\(field.name.withoutControls): \(configuration.redaction.header(field.name, field.value))"
        }
        return "[\(fields.joined(separator: ", "))]"
    }

    private func redacted(_ data: Data, _ headers: HTTPHeaders) -> Data {
        Data(configuration.redaction.body(data, contentType: headers["Content-Type"], longest: longestBody).utf8)
    }
}

extension RequestType {
    fileprivate var numberForLogs: String {
        id == 0 ? "" : attempt > 1 ? "#\(id) attempt \(attempt) " : "#\(id) "
    }

    fileprivate var durationForLogs: String {
        duration.map { " in \(($0.nanoseconds + 500_000) / 1_000_000) ms" } ?? ""
    }
}

extension MoyaError {
    fileprivate var detailForLogs: String {
        switch self {
        case .underlying(let error as URLError, _): " (\(error.code.rawValue))"
        case .objectMapping(let error as DecodingError, _): error.context.map { " at \($0.codingPath.redacted)" } ?? ""
        case .statusCode(let response): " \(response.statusCode)"
        default: ""
        }
    }
}
