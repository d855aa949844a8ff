public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// How parameters are put into a request.
///
/// Conform to it for an encoding of your own.
public protocol ParameterEncoding: Sendable {
    /// The request with the parameters in it; unchanged if they are nil.
    ///
    /// - Throws: any error; the provider reports it as `MoyaError.parameterEncoding`.
    func encode(_ request: URLRequest, with parameters: [String: any Sendable]?) throws -> URLRequest
}

/// Why parameters cannot be encoded: which one, and what to do about it.
public struct ParameterError: LocalizedError, Sendable, CustomStringConvertible {
    /// The whole story in a sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// The same sentence.
    public var errorDescription: String? { description }
}

/// Parameters as a JSON object in the body, with `Content-Type: application/json` unless there is one.
///
/// Dates are written as in ISO 8601, data in base 64, and what is nil as null.
public struct JSONEncoding: ParameterEncoding {
    /// Compact, keys sorted.
    public static let `default` = JSONEncoding(options: [])
    /// Indented, keys sorted.
    public static let prettyPrinted = JSONEncoding(options: .prettyPrinted)

    private let formatting: JSONEncoder.OutputFormatting

    /// Keys are always sorted, so that equal parameters give equal bytes.
    public init(options: JSONSerialization.WritingOptions) {
        formatting = [.sortedKeys, .withoutEscapingSlashes, options.contains(.prettyPrinted) ? .prettyPrinted : []]
    }

    /// Puts the parameters into the body.
    public func encode(_ request: URLRequest, with parameters: [String: any Sendable]?) throws -> URLRequest {
        guard let parameters else { return request }
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        let body = try encoder.encode(ParameterValue(parameters))
        var request = request.withContentType("application/json")
        request.httpBody = body
        return request
    }
}

/// Parameters as a property list in the body, with `Content-Type: application/x-plist` unless there is one.
public struct PropertyListEncoding: ParameterEncoding {
    /// XML.
    public static let xml = PropertyListEncoding(format: .xml)
    /// Apple's binary format.
    public static let binary = PropertyListEncoding(format: .binary)
    /// XML.
    public static let `default` = xml

    private let format: PropertyListSerialization.PropertyListFormat

    /// - Parameter format: XML or binary.
    public init(format: PropertyListSerialization.PropertyListFormat) {
        self.format = format
    }

    /// Puts the parameters into the body.
    public func encode(_ request: URLRequest, with parameters: [String: any Sendable]?) throws -> URLRequest {
        guard let parameters else { return request }
        let object = try ParameterValue(parameters).propertyList(at: "")
        var request = request.withContentType("application/x-plist")
        request.httpBody = try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0)
        return request
    }
}
