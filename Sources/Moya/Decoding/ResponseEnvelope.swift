/// The JSON object that an API wraps around each value.
///
/// ```swift
/// struct Slack<Content: Decodable & Sendable>: ResponseEnvelope {
///     let ok: Bool
///     let error: String?
///     let channels: Content?
///
///     func content() throws -> Content {
///         guard ok, let channels else { throw SlackError(code: error ?? "unknown") }
///         return channels
///     }
/// }
/// ```
/// A target specifies an envelope in its mapping: `.enveloped(Slack<[Channel]>.self)`.
public protocol ResponseEnvelope: Decodable, Sendable {
    /// The type of the wrapped value.
    associatedtype Content: Sendable

    /// Returns the wrapped value, or throws the error that the envelope contains.
    ///
    /// Some APIs report errors with the status code 200. For such a response, throw the reported error. A thrown
    /// `MoyaError` is the error of the call. For any other error, the call fails with `MoyaError.underlying`, which
    /// contains the error and the response, and whose `body(as:)` returns the error.
    func content() throws -> Content
}

extension ResponseMapping {
    /// Returns a mapping that decodes an envelope from JSON and returns the wrapped value.
    public static func enveloped<Envelope: ResponseEnvelope>(_ type: Envelope.Type) -> Self
    where Envelope.Content == Value {
        let envelope = ResponseMapping<Envelope>.json()
        return Self(accept: envelope.accept) { response, decoding in
            let envelope = try envelope.read(response, decoding)
            do {
                return try envelope.content()
            } catch {
                throw error as? MoyaError ?? .underlying(error, response)
            }
        }
    }
}
