public import Foundation

/// A format of the parameters in a request, such as JSON.
///
/// Conform to this protocol to add a format.
public protocol ParameterEncoding: Sendable {
    /// Returns the request with the parameters; returns the request unchanged if `parameters` is `nil`.
    ///
    /// - Throws: any error; the provider reports it as `MoyaError.parameterEncoding`.
    func encode(_ request: URLRequest, with parameters: [String: any Sendable]?) throws -> URLRequest
}

/// An error for a parameter that cannot be sent.
public struct ParameterError: LocalizedError, Sendable, CustomStringConvertible {
    /// A sentence that names the parameter, the reason and the remedy.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// The same sentence as ``description``.
    public var errorDescription: String? { description }

    /// What to send instead, if the description says it.
    public var recoverySuggestion: String? { description.remedy }
}

/// Encodes parameters as a JSON object in the body.
///
/// If the request has no content type, the encoding sets `Content-Type: application/json`. Dates are written in ISO
/// 8601, data in base 64, and `nil` as null.
public struct JSONEncoding: ParameterEncoding {
    /// Compact JSON with sorted keys.
    public static let `default` = JSONEncoding(options: [])
    /// Indented JSON with sorted keys.
    public static let prettyPrinted = JSONEncoding(options: .prettyPrinted)

    private let formatting: JSONEncoder.OutputFormatting

    /// Creates an encoding.
    ///
    /// Only the option `prettyPrinted` has an effect. Keys are always sorted, so equal parameters give equal bytes.
    public init(options: JSONSerialization.WritingOptions) {
        formatting = [.sortedKeys, .withoutEscapingSlashes, options.contains(.prettyPrinted) ? .prettyPrinted : []]
    }

    /// Returns the request with the parameters in the body.
    public func encode(_ request: URLRequest, with parameters: [String: any Sendable]?) throws -> URLRequest {
        guard let parameters else { return request }
        return request.with(try data(parameters), ofType: "application/json")
    }

    func data(_ parameters: [String: any Sendable]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        return try encoder.encode(ParameterValue(parameters))
    }
}

/// Encodes parameters as a property list in the body.
///
/// If the request has no content type, the encoding sets `Content-Type: application/x-plist`.
public struct PropertyListEncoding: ParameterEncoding {
    /// The XML format.
    public static let xml = PropertyListEncoding(format: .xml)
    /// Apple's binary format.
    public static let binary = PropertyListEncoding(format: .binary)
    /// The default format: XML.
    public static let `default` = xml

    private let format: PropertyListSerialization.PropertyListFormat

    /// Creates an encoding in the XML or the binary format.
    public init(format: PropertyListSerialization.PropertyListFormat) {
        self.format = format
    }

    /// Returns the request with the parameters in the body.
    public func encode(_ request: URLRequest, with parameters: [String: any Sendable]?) throws -> URLRequest {
        guard let parameters else { return request }
        let object = try ParameterValue(parameters).propertyList(at: "")
        let data = try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0)
        return request.with(data, ofType: "application/x-plist")
    }
}

extension URLRequest {
    func with(_ body: Data, ofType type: String) -> URLRequest {
        var request = self
        if value(forHTTPHeaderField: "Content-Type") == nil {
            request.setValue(type, forHTTPHeaderField: "Content-Type")
        }
        request.httpBody = body
        return request
    }
}
