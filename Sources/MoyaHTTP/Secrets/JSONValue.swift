public import Foundation

/// A JSON value of any shape (RFC 8259).
///
/// ```swift
/// let json = try response.mapJSON()
/// json["users"]?[0]?["name"]?.string
/// ```
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number in the range of `Int64`.
    case int(Int64)
    /// A number as a `Double`, such as `0.5`.
    case double(Double)
    /// A number with too many digits for `Int64` and `Double`.
    case decimal(Decimal)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object; of several members with the same name, the last one is used.
    case object([String: JSONValue])

    /// Parses a JSON text, which need not be an array or object.
    ///
    /// - Throws: the parser's error.
    public init(data: Data) throws {
        self.init(foundation: try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed))
    }

    /// Compares the exact type before a cast, because a failing cast is slow: Swift tries all bridged types.
    private init(foundation object: Any) {
        let type = type(of: object)
        if type == String.self, let value = object as? String {
            self = .string(value)
        } else if type == [String: Any].self, let value = object as? [String: Any] {
            self = .object(value.mapValues(JSONValue.init(foundation:)))
        } else if type == [Any].self, let value = object as? [Any] {
            self = .array(value.map(JSONValue.init(foundation:)))
        } else {
            self.init(bridged: object)
        }
    }

    private init(bridged object: Any) {
        switch object {
        case let value as NSNumber: self.init(number: value)
        case let value as String: self = .string(value)
        case let value as [Any]: self = .array(value.map(JSONValue.init(foundation:)))
        case let value as [String: Any]: self = .object(value.mapValues(JSONValue.init(foundation:)))
        default: self = .null
        }
    }

    private init(number: NSNumber) {
        switch number.kind {
        case .bool: self = .bool(number.boolValue)
        case .integer: self = .int(number.int64Value)
        case .float, .double: self = .double(number.doubleValue)
        case .unsigned: self = .decimal(Decimal(number.uint64Value))
        case .decimal:
            // `doubleValue` is not the nearest `Double`.
            let text = "\(number)"
            self =
                Int64(text).map { .int($0) } ?? JSONValue(Double(text) ?? number.doubleValue, number.decimalValue)
        }
    }

    /// Creates a number with a fraction, or out of the range of `Int64`: a `Decimal` if a `Double` would lose digits.
    init(_ double: Double, _ decimal: Decimal) {
        self = Decimal(string: "\(double)") == decimal ? .double(double) : .decimal(decimal)
    }

    /// The member of an object with the given name; `nil` if it does not exist or the value is not an object.
    public subscript(key: String) -> JSONValue? { object?[key] }

    /// The element of an array at the given index; `nil` if it does not exist or the value is not an array.
    public subscript(index: Int) -> JSONValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }

    /// Whether the value is `null`.
    public var isNull: Bool { self == .null }
    /// The Boolean value; `nil` if the value is not `true` or `false`.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The string; `nil` if the value is not a string.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The elements of the array; `nil` if the value is not an array.
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    /// The members of the object; `nil` if the value is not an object.
    public var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

    /// The number as an `Int`; `nil` if the value is not a number, has a fraction or is too large.
    public var int: Int? {
        switch self {
        case .int(let value): Int(exactly: value)
        case .double(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The number as a `Double`, rounded if necessary; `nil` if the value is not a number.
    public var double: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): Double("\(value)") ?? NSDecimalNumber(decimal: value).doubleValue
        default: nil
        }
    }

    /// The same value in types of Foundation: `NSNull`, `Bool`, numbers, `String`, `[Any]` and `[String: Any]`.
    public var foundationObject: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .int(let value): value
        case .double(let value): value
        case .decimal(let value): NSDecimalNumber(decimal: value)
        case .string(let value): value
        case .array(let value): value.map(\.foundationObject)
        case .object(let value): value.mapValues(\.foundationObject)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a number without a fraction.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates `null`.
    public init(nilLiteral: ()) { self = .null }
    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Creates an object.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
