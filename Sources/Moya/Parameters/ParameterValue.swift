import Foundation

enum ParameterValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case double(Double)
    case decimal(Decimal)
    case string(String)
    case date(Date)
    case data(Data)
    case array([ParameterValue])
    case dictionary([String: ParameterValue])

    static let maximumDepth = 100

    // `path`, such as `filter.tags[1]`, is for errors. `depth` is the number of enclosing arrays and dictionaries.
    init(_ value: Any, at path: @autoclosure () -> String, depth: Int = 0) throws(ParameterError) {
        guard depth < Self.maximumDepth else { throw .tooDeep(path()) }
        switch value {
        case let value as any ParameterConvertible: self = try value.parameterValue(at: path, depth: depth)
        case is NSNull: self = .null
        case let value as any BinaryInteger: self = try value.parameterValue(at: path, depth: depth)
        case let value as any BinaryFloatingPoint: self = try value.parameterValue(at: path, depth: depth)
        case let value as ParameterError: throw value
        case let value as any NestedDictionary:
            var members: [String: ParameterValue] = [:]
            for (name, member) in storedProperties(of: value) {
                let member = try ParameterValue(member, at: "\(path()).\(name)", depth: depth + 1)
                if case .null = member { continue }
                members[type(of: value).parameterKeys.key(for: name)] = member
            }
            self = .dictionary(members)
        case let value as any RawRepresentable: try self.init(value.rawValue, at: path(), depth: depth + 1)
        // The following casts also match Foundation's classes: for example, `as String` converts an `NSString`.
        case let value as String: self = .string(value)
        case let value as Substring: self = .string(String(value))
        case let value as URL: self = .string(value.absoluteString)
        case let value as UUID: self = .string(value.uuidString)
        case let value as Date: self = .date(value)
        case let value as Data: self = .data(value)
        case let value as [Any]: self = try value.parameterValue(at: path, depth: depth)
        case let value as [String: Any]: self = try value.parameterValue(at: path, depth: depth)
        default:
            throw ParameterError(
                "the parameter \(path()) is of type \(type(of: value)), which cannot be sent. Use a string, a number, a "
                    + "Bool, a Date, a URL, a UUID, an enum with raw values, a NestedDictionary, or an array or "
                    + "dictionary of these. If the default isolation of its module is the main actor, declare the type as "
                    + "nonisolated.")
        }
    }

    init(_ parameters: [String: any Sendable]) throws(ParameterError) {
        self = try parameters.parameterValue(at: { "" }, depth: 0)
    }

    var text: String? {
        switch self {
        case .null, .array, .dictionary: nil
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .unsigned(let value): String(value)
        case .double(let value): value == value.rounded() && abs(value) <= 0x1p53 ? String(Int64(value)) : String(value)
        case .decimal(let value): value.description
        case .string(let value): value
        case .date(let value): value.formatted(.iso8601)
        case .data(let value): value.base64EncodedString()
        }
    }

    /// What stands for `nil` in an array or dictionary of parameters.
    private static var absent: any Sendable { nil as String? }

    var sendable: (any Sendable)? {
        switch self {
        case .null: nil
        case .bool(let value): value
        case .integer(let value): Int(exactly: value) ?? value
        case .unsigned(let value): value
        case .double(let value): value
        case .decimal(let value): value
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .array(let elements): elements.map { $0.sendable ?? Self.absent }
        case .dictionary(let members): members.mapValues { $0.sendable ?? Self.absent }
        }
    }

    func propertyList(at path: String) throws -> Any {
        switch self {
        case .decimal(let value): return NSDecimalNumber(decimal: value)
        case .array(let elements):
            return try elements.enumerated().map { try $1.propertyList(at: "\(path)[\($0)]") }
        case .dictionary(let members):
            return try members.reduce(into: [String: Any]()) { list, member in
                list[member.key] = try member.value.propertyList(
                    at: path.isEmpty ? member.key : "\(path).\(member.key)")
            }
        default:
            guard let value = sendable else {
                throw ParameterError(
                    "the parameter \(path) is nil, for which a property list has no value. Leave it out.")
            }
            return value
        }
    }

    // For `parameters`, which can't throw: the error takes the place of a value that can't be sent, and building the
    // request throws it.
    static func sendable(_ value: Any, at path: @autoclosure () -> String) -> (any Sendable)? {
        do throws(ParameterError) { return try ParameterValue(value, at: path()).sendable } catch { return error }
    }

    static func sendable(members: [String: Any], at path: @autoclosure () -> String) -> [String: any Sendable] {
        var converted: [String: any Sendable] = [:]
        for (name, value) in members { converted[name] = sendable(value, at: "\(path()).\(name)") ?? absent }
        return converted
    }
}

extension ParameterValue: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .string, .date, .data: try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .dictionary(let members): try container.encode(members)
        }
    }
}

extension ParameterError {
    static func tooDeep(_ path: String) -> ParameterError {
        ParameterError(
            "the parameter \(path.prefix(40))… is nested deeper than \(ParameterValue.maximumDepth) levels")
    }

    static func notFinite(_ value: Any, _ path: String) -> ParameterError {
        ParameterError("the parameter \(path) is \(value), which is not a finite number")
    }
}

func storedProperties(of value: Any) -> [String: Any] {
    var values: [String: Any] = [:]
    var mirror: Mirror? = Mirror(reflecting: value)
    while let current = mirror {
        for (name, value) in current.children {
            // Names with `$` are the storage of lazy properties, which has no value before the first access.
            if let name, !name.hasPrefix("$") { values[name] = values[name] ?? value }
        }
        mirror = current.superclassMirror
    }
    return values
}
