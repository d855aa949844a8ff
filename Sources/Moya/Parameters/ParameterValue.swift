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
        if let value = value as? any ParameterConvertible {
            self = try value.parameterValue(at: path, depth: depth)
        } else {
            try self.init(uncommon: value, at: path, depth: depth)
        }
    }

    init(_ parameters: [String: any Sendable]) throws(ParameterError) {
        self = try parameters.parameterValue(at: { "" }, depth: 0)
    }

    private init(uncommon value: Any, at path: () -> String, depth: Int) throws(ParameterError) {
        switch value {
        case is NSNull: self = .null
        case let value as any BinaryInteger: try self.init(integer: value, at: path)
        case let value as any BinaryFloatingPoint: try self.init(floating: value, at: path)
        case let value as DeferredParameterError: throw value.error
        case let value as any NestedDictionary:
            var members: [String: ParameterValue] = [:]
            for (name, member) in ReflectedProperties(of: value).values {
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
                    + "dictionary of these.")
        }
    }

    init(integer value: any BinaryInteger, at path: () -> String) throws(ParameterError) {
        if let value = Int64(exactly: value) {
            self = .integer(value)
        } else if let value = UInt64(exactly: value) {
            self = .unsigned(value)
        } else {
            throw ParameterError("the parameter \(path()) has more than 64 bits. Send it as a string.")
        }
    }

    /// Converts through decimal text, so that the `Float` 0.1 becomes 0.1, not 0.10000000149011612.
    init(floating value: any BinaryFloatingPoint, at path: () -> String) throws(ParameterError) {
        guard let double = value as? Double ?? Double("\(value)"), double.isFinite else {
            throw .notFinite(value, path())
        }
        self = .double(double)
    }

    var text: String? {
        switch self {
        case .null, .array, .dictionary: nil
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .unsigned(let value): String(value)
        case .double(let value): value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
        case .decimal(let value): value.description
        case .string(let value): value
        case .date(let value): value.formatted(.iso8601)
        case .data(let value): value.base64EncodedString()
        }
    }

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
        case .array(let elements): elements.map { $0.sendable ?? (nil as String?) as any Sendable }
        case .dictionary(let members): members.compactMapValues(\.sendable)
        }
    }

    func propertyList(at path: String) throws(ParameterError) -> Any {
        switch self {
        case .null:
            throw ParameterError("the parameter \(path) is nil, for which a property list has no value. Leave it out.")
        case .date(let value): return value
        case .data(let value): return value
        case .array(let elements):
            var list: [Any] = []
            for (index, element) in elements.enumerated() {
                list.append(try element.propertyList(at: "\(path)[\(index)]"))
            }
            return list
        case .dictionary(let members):
            var list: [String: Any] = [:]
            for (key, member) in members {
                list[key] = try member.propertyList(at: path.isEmpty ? key : "\(path).\(key)")
            }
            return list
        case .bool(let value): return value
        case .integer(let value): return value
        case .unsigned(let value): return value
        case .double(let value): return value
        case .decimal(let value): return NSDecimalNumber(decimal: value)
        case .string(let value): return value
        }
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

struct ReflectedProperties {
    private(set) var values: [String: Any] = [:]

    init(of value: Any) {
        var mirror: Mirror? = Mirror(reflecting: value)
        while let current = mirror {
            for (name, value) in current.children {
                // Names with `$` are the storage of lazy properties, which has no value before the first access.
                if let name, !name.hasPrefix("$") { values[name] = values[name] ?? value }
            }
            mirror = current.superclassMirror
        }
    }
}
