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
/// A target names it in its mapping: `.enveloped(Slack<[Channel]>.self)`.
public protocol ResponseEnvelope: Decodable, Sendable {
    /// What it wraps.
    associatedtype Content: Sendable

    /// Returns what it wraps.
    ///
    /// A call fails with `MoyaError.underlying` and the error that is thrown here, which `error.body(as:)` returns, and with
    /// the response: for APIs that report errors with the status code 200.
    func content() throws -> Content
}

extension ResponseMapping {
    /// Decodes an envelope from JSON, and takes its content.
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
