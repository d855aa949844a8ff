public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How a provider decodes the content of responses: values, pages, events and error bodies.
///
/// ```swift
/// let provider = MoyaProvider<GitHub>(
///     decoding: ResponseDecoding(errorBody: .json(GitHubError.self)) { $0.keyDecodingStrategy = .convertFromSnakeCase })
/// ```
/// It concerns typed calls: `value(_:)`, pages, events and JSON lines. `request` and
/// `response` do not use it.
public struct ResponseDecoding: Sendable {
    /// Sets up a JSON decoder.
    public typealias DecoderSetup = @Sendable (JSONDecoder) -> Void

    /// How the content of a response is read whose status code is not accepted.
    public var errorBody: ErrorBodyMapping
    /// Which status codes are accepted where the target's own ``RelativeTarget/validationType`` is `none`.
    ///
    /// Status code 206 is not accepted for a request without the header field `Range`, unless ``ValidationType/customCodes(_:)``
    /// names it.
    public var accepted: ValidationType
    /// Sets up each JSON decoder, on the thread that decodes.
    public var setUpDecoder: DecoderSetup

    /// Creates a configuration: by default, Foundation's decoder as it is, problem details, and the status codes 200 to 299.
    public init(
        errorBody: ErrorBodyMapping = .problemDetails, accepted: ValidationType = .successCodes,
        decoder setUpDecoder: @escaping DecoderSetup = { _ in }
    ) {
        self.errorBody = errorBody
        self.accepted = accepted
        self.setUpDecoder = setUpDecoder
    }

    /// Returns a new decoder.
    public func makeDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        setUpDecoder(decoder)
        return decoder
    }
}

extension ResponseDecoding {
    /// The value of a response, or why there is none.
    ///
    /// - Parameter validation: what the target says about status codes.
    func value<Value>(
        of result: Result<Response, MoyaError>, _ mapping: ResponseMapping<Value>, _ validation: ValidationType
    ) throws(MoyaError) -> Value {
        switch result {
        case .success(let response):
            guard accepts(response, validation) else { throw refusal(of: response) }
            return try mapping.value(of: response, using: self)
        case .failure(.statusCode(let response)): throw refusal(of: response)
        case .failure(let error): throw error
        }
    }

    /// The error for a response whose status code is not accepted.
    func refusal(of response: Response) -> MoyaError {
        errorBody.error(for: response, self) ?? .statusCode(response)
    }

    func accepts(_ response: Response, _ validation: ValidationType) -> Bool {
        let rule = validation == .none ? accepted : validation
        guard rule.accepts(response.statusCode) else { return false }
        guard response.statusCode == 206 else { return true }
        if case .customCodes = rule { return true }
        return response.request?.value(forHTTPHeaderField: "Range") != nil
    }
}
