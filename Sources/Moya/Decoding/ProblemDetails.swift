/// A problem that an API reports in content of the media type `application/problem+json` (RFC 9457).
///
/// ```swift
/// if let problem = error.body(as: ProblemDetails.self) { print(problem.title ?? problem.type) }
/// ```
/// A member whose value is not of the type that RFC 9457 defines is ignored (section 3.1).
public struct ProblemDetails: Sendable, Hashable, Decodable {
    /// The type of the problem as a URI reference; `about:blank` if the content has none.
    public let type: String
    /// A short summary of the type of the problem.
    public let title: String?
    /// The status code in the content; only the status code of the response is authoritative (RFC 9457, section 3.1.2).
    public let status: Int?
    /// An explanation of this occurrence of the problem.
    public let detail: String?
    /// The URI reference that identifies this occurrence of the problem.
    public let instance: String?
    /// The members of the JSON object that have no property in this type, by name.
    public let extensions: [String: JSONValue]

    /// Decodes a JSON object.
    ///
    /// - Throws: a `DecodingError` for content that is not an object.
    public init(from decoder: any Decoder) throws {
        guard case .object(let members) = try JSONValue(from: decoder) else {
            let reason = "problem details are a JSON object"
            throw DecodingError.typeMismatch(
                [String: JSONValue].self, .init(codingPath: decoder.codingPath, debugDescription: reason))
        }
        type = members["type"]?.string ?? "about:blank"
        title = members["title"]?.string
        status = members["status"]?.int
        detail = members["detail"]?.string
        instance = members["instance"]?.string
        extensions = members.filter { !Self.names.contains($0.key) }
    }

    private static let names: Set<String> = ["type", "title", "status", "detail", "instance"]
}
