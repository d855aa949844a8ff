public import Foundation

/// The rules by which a provider decodes the content of responses: values, pages, events and error bodies.
///
/// ```swift
/// let decoding = ResponseDecoding(errorBody: .json(GitHubError.self)) {
///     $0.keyDecodingStrategy = .convertFromSnakeCase
/// }
/// let provider = MoyaProvider<GitHub>(decoding: decoding)
/// ```
/// The rules apply to typed calls: `value(_:)`, pages, events and JSON lines. `request` and `response` do not use them.
public struct ResponseDecoding: Sendable {
    /// Configures a JSON decoder.
    public typealias DecoderSetup = @Sendable (JSONDecoder) -> Void

    /// The mapping that reads the content of responses whose status code is not accepted.
    public var errorBody: ErrorBodyMapping
    /// The status codes that are accepted if the target's own ``RelativeTarget/validationType`` is `none`.
    ///
    /// The status code 206 (partial content) is accepted only if the request has the header field `Range`, or if
    /// ``ValidationType/customCodes(_:)`` lists 206.
    public var accepted: ValidationType
    /// Configures each new JSON decoder; may be called on any thread.
    public var setUpDecoder: DecoderSetup

    /// Creates rules; by default, Foundation's decoder is used without changes.
    public init(
        errorBody: ErrorBodyMapping = .problemDetails, accepted: ValidationType = .successCodes,
        decoder setUpDecoder: @escaping DecoderSetup = { _ in }
    ) {
        self.errorBody = errorBody
        self.accepted = accepted
        self.setUpDecoder = setUpDecoder
    }

    /// Returns a new decoder, configured by ``setUpDecoder``.
    public func makeDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        setUpDecoder(decoder)
        return decoder
    }
}

extension ResponseDecoding {
    func value<Value>(
        of result: Result<Response, MoyaError>, _ mapping: ResponseMapping<Value>, _ validation: ValidationType
    ) throws(MoyaError) -> Value {
        try mapping.value(of: accepted(result, validation), using: self)
    }

    func accepted(_ result: Result<Response, MoyaError>, _ validation: ValidationType) throws(MoyaError) -> Response {
        switch result {
        case .success(let response):
            guard accepts(response.statusCode, validation, response.sentRequest) else {
                throw statusCodeError(for: response)
            }
            return response
        case .failure(.statusCode(let response)): throw statusCodeError(for: response)
        case .failure(let error): throw error
        }
    }

    func statusCodeError(for response: Response) -> MoyaError {
        errorBody.read(response, self).map { .underlying($0, response) } ?? .statusCode(response)
    }

    func accepts(
        _ statusCode: Int, _ validation: ValidationType, _ request: @autoclosure () -> TransportRequest?
    ) -> Bool {
        let rule = validation == .none ? accepted : validation
        guard rule.accepts(statusCode) else { return false }
        guard statusCode == 206 else { return true }
        if case .customCodes = rule { return true }
        return request()?.headers["Range"] != nil
    }
}
