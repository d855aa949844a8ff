public import Foundation

/// Decodes the error that an API reports in the content of a response whose status code is not accepted.
///
/// If the status code is not accepted, a typed call fails. If this mapping can read the content, the error of the call
/// is `MoyaError.underlying` with an ``ErrorResponse``; otherwise, it is `MoyaError.statusCode`. Both errors have the
/// kind `http` and contain the response. A failure to read the content is not reported, because it would hide the
/// status code.
///
/// ```swift
/// do {
///     _ = try await provider.value(.user("unknown"))
/// } catch {
///     print(error.response?.statusCode, error.body(as: GitHubError.self)?.message)
/// }
/// ```
public struct ErrorBodyMapping: Sendable {
    let read: @Sendable (Response, ResponseDecoding) -> (any Error)?

    /// A mapping that reads no content, so that the error is always `MoyaError.statusCode`.
    public static let none = ErrorBodyMapping { _, _ -> Never? in nil }

    /// A mapping that reads problem details (RFC 9457), if the media type is `application/problem+json`.
    public static let problemDetails = ErrorBodyMapping { response, _ -> ProblemDetails? in
        guard response.headers.mediaType == "application/problem+json" else { return nil }
        return try JSONDecoder().decode(ProblemDetails.self, from: response.data)
    }

    /// Returns a mapping that decodes JSON content to a type, with the provider's decoder.
    ///
    /// With a key path, the mapping decodes only the value at that path. If decoding to `Body` fails and the media type
    /// is `application/problem+json`, the content is read as ``ProblemDetails`` instead.
    public static func json<Body: Decodable & Sendable>(_ type: Body.Type, at keyPath: String? = nil) -> Self {
        let typed = ErrorBodyMapping(ResponseMapping<Body>.json(at: keyPath).read)
        return Self(read: { typed.read($0, $1) ?? problemDetails.read($0, $1) })
    }
}

extension ErrorBodyMapping {
    /// Creates a mapping from a function.
    ///
    /// - Parameter read: returns the value that is decoded from the content, or `nil` if the content has no such value.
    ///   An error that `read` throws has the same effect as `nil`.
    public init<Body: Sendable>(_ read: @escaping @Sendable (Response, ResponseDecoding) throws -> Body?) {
        self.init(read: { response, decoding in
            (try? read(response, decoding)).map { ErrorResponse(body: $0, response: response) }
        })
    }
}

/// The decoded content of a response whose status code was not accepted, as an error.
public struct ErrorResponse<Body: Sendable>: Error {
    /// The decoded content.
    public let body: Body
    /// The response whose content was decoded.
    public let response: Response

    /// Creates an error from a body and the response that it was read from.
    public init(body: Body, response: Response) {
        self.body = body
        self.response = response
    }
}

extension ErrorResponse: AnyErrorResponse, LocalizedError, CustomStringConvertible {
    /// The request, the status code and the content; values with sensitive names are replaced, see
    /// ``MoyaError/description``.
    public var description: String { response.refusal }

    /// The text of the body, if it is a `LocalizedError`; otherwise a sentence that an app can show to its user.
    public var errorDescription: String? {
        (body as? any LocalizedError)?.errorDescription ?? MoyaError.statusCode(response).errorDescription
    }
}

extension MoyaError {
    /// Returns the decoded content of an error response, if it has the type `Body`.
    ///
    /// ```swift
    /// let message = error.body(as: GitHubError.self)?.message
    /// ```
    /// The provider's ``ResponseDecoding/errorBody`` has decoded the content. If the call failed because a
    /// ``ResponseEnvelope`` threw an error of the type `Body`, this method returns the thrown error instead.
    public func body<Body: Sendable>(as type: Body.Type = Body.self) -> Body? {
        guard case .underlying(let error, _) = self else { return nil }
        return switch error {
        case let error as ErrorResponse<Body>: error.body
        case let error as MoyaError: error.body(as: type)
        default: error as? Body
        }
    }
}
