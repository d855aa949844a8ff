import Foundation

package struct UnsupportedJSONEncodingError: LocalizedError {
    package init() {}

    package var errorDescription: String? {
        "JSON is encoded in UTF-8 (RFC 8259, section 8.1), and this content in UTF-16 or UTF-32"
    }
}

extension Error {
    /// Has no values from the decoded content, which may be secret; a decoder's own description quotes them.
    package var reasonWithoutContent: String {
        // Its type is that of the error, also in the box in which a continuation throws it.
        let value: Any = self
        return switch self as any Error {
        case DecodingError.typeMismatch(let type, let context): "expected \(type) at \(context.codingPath.redacted)"
        case DecodingError.valueNotFound(let type, let context):
            "found null instead of \(type) at \(context.codingPath.redacted)"
        case DecodingError.keyNotFound(let key, let context):
            "missing key \(([key] as [any CodingKey]).redacted.debugDescription) at \(context.codingPath.redacted)"
        case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty:
            "it is not valid JSON, or a number does not fit its type"
        case DecodingError.dataCorrupted(let context): "invalid value at \(context.codingPath.redacted)"
        case EncodingError.invalidValue(let value, let context):
            "the \(type(of: value)) at \(context.codingPath.redacted): \(context.debugDescription)"
        case let error as UnsupportedJSONEncodingError: error.localizedDescription
        default: "\(type(of: value))"
        }
    }
}

extension DecodingError {
    package var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }
}

/// The name of a JSON member that a caller has written, so that it is not secret.
package struct MemberName: CodingKey {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
}

extension [any CodingKey] {
    /// The path as text, with `*` in place of each key of a dictionary, because these keys may be secret content.
    package var redacted: String {
        guard !isEmpty else { return "the top level" }
        return reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                // A coding key that a type declares is an enum case, and not secret. A key of a dictionary is a struct.
                let mirror = Mirror(reflecting: key)
                let isDeclared = key is MemberName || mirror.displayStyle == .enum && mirror.children.isEmpty
                path += (path.isEmpty ? "" : ".") + (isDeclared ? key.stringValue : "*")
            }
        }
    }
}
