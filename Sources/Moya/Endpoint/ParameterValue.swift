import Foundation

/// A parameter of one of the types that can be sent: the one place that knows them.
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

    private static let deepest = 100

    /// - Parameter path: where the value stands, for the error.
    init(_ value: Any, at path: String, depth: Int = 0) throws(ParameterError) {
        guard depth < Self.deepest else {
            throw ParameterError("the parameter \(path.prefix(40))… is nested deeper than \(Self.deepest) levels")
        }
        if let common = ParameterValue(common: value) {
            self = common
            return
        }
        switch value {
        case let value as any OptionalValue:
            guard let wrapped = value.wrapped else { self = .null; return }
            try self.init(wrapped, at: path, depth: depth)
        case is NSNull: self = .null
        // By its own type and first: Foundation's numbers can be cast to `Bool`, and Swift's, on Apple platforms, to `NSNumber`.
        case let number as NSNumber where type(of: value) is NSNumber.Type: try self.init(number: number, at: path)
        case let value as any BinaryInteger: try self.init(integer: value, at: path)
        case let value as any BinaryFloatingPoint: try self.init(floating: value, at: path)
        case let value as Decimal: try self.init(decimal: value, at: path)
        case let value as String: self = .string(value)
        case let value as Substring: self = .string(String(value))
        case let value as URL: self = .string(value.absoluteString)
        case let value as UUID: self = .string(value.uuidString)
        case let value as Date: self = .date(value)
        case let value as Data: self = .data(value)
        case let value as JSONValue: try self.init(value.foundationObject, at: path, depth: depth)
        case let value as RefusedParameter: throw value.error
        case let value as any NestedDictionary:
            var members: [String: ParameterValue] = [:]
            for (name, member) in StoredProperties(of: value).values {
                let member = try ParameterValue(member, at: "\(path).\(name)", depth: depth + 1)
                if case .null = member { continue }
                members[name] = member
            }
            self = .dictionary(members)
        case let value as any RawRepresentable: try self.init(value.rawValue, at: path, depth: depth + 1)
        case let value as [Any]:
            var elements: [ParameterValue] = []
            for (index, element) in value.enumerated() {
                elements.append(try ParameterValue(element, at: "\(path)[\(index)]", depth: depth + 1))
            }
            self = .array(elements)
        case let value as [String: Any]:
            var members: [String: ParameterValue] = [:]
            for (key, member) in value {
                members[key] = try ParameterValue(member, at: path.isEmpty ? key : "\(path).\(key)", depth: depth + 1)
            }
            self = .dictionary(members)
        default:
            throw ParameterError(
                "the parameter \(path) is of type \(type(of: value)), which cannot be sent: use a string, a number, a "
                    + "Bool, a Date, a URL, a UUID, an enum with raw values, a NestedDictionary, or an array or "
                    + "dictionary of these")
        }
    }

    /// A value of one of the usual types, by that alone: the casts to protocols take as long as all the rest.
    private init?(common value: Any) {
        let type = type(of: value)
        if type == String.self, let value = value as? String {
            self = .string(value)
        } else if type == Int.self, let value = value as? Int {
            self = .integer(Int64(value))
        } else if type == Bool.self, let value = value as? Bool {
            self = .bool(value)
        } else {
            return nil
        }
    }

    private init(integer value: any BinaryInteger, at path: String) throws(ParameterError) {
        if let value = Int64(exactly: value) {
            self = .integer(value)
        } else if let value = UInt64(exactly: value) {
            self = .unsigned(value)
        } else {
            throw ParameterError("the parameter \(path) has more than 64 bits: send it as a string")
        }
    }

    private init(floating value: any BinaryFloatingPoint, at path: String) throws(ParameterError) {
        // By way of the text, which is the shortest that gives the value back: 0.1 stays 0.1, whatever its width.
        guard let double = Double("\(value)"), double.isFinite else {
            throw ParameterError("the parameter \(path) is \(value), which is not a finite number")
        }
        self = .double(double)
    }

    private init(decimal value: Decimal, at path: String) throws(ParameterError) {
        guard value.isFinite else {
            throw ParameterError("the parameter \(path) is \(value), which is not a finite number")
        }
        self = .decimal(value)
    }

    private init(number: NSNumber, at path: String) throws(ParameterError) {
        switch number.kind {
        case .bool: self = .bool(number.boolValue)
        case .integer: self = .integer(number.int64Value)
        case .unsigned: self = .unsigned(number.uint64Value)
        case .decimal: try self.init(decimal: number.decimalValue, at: path)
        case .float: try self.init(floating: number.floatValue, at: path)
        case .double: try self.init(floating: number.doubleValue, at: path)
        }
    }

    /// The text of a single value, as it stands in a path or query; nil for null, arrays and dictionaries.
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

    var jsonObject: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .integer(let value): value
        case .unsigned(let value): value
        case .double(let value): value
        case .decimal(let value): NSDecimalNumber(decimal: value)
        case .string, .date, .data: text ?? ""
        case .array(let elements): elements.map(\.jsonObject)
        case .dictionary(let members): members.mapValues(\.jsonObject)
        }
    }

    /// As a value of the standard library's or Foundation's types; nil for null.
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
            throw ParameterError("the parameter \(path) is nil, for which a property list has no value: leave it out")
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
        default: return jsonObject
        }
    }
}

/// To look into an optional whose type is not known.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { self }
}
