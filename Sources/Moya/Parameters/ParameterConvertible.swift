import Foundation

/// Adopted by all common parameter types, because one cast to a protocol is faster than a cast to each of them.
protocol ParameterConvertible {
    func parameterValue(at path: () -> String, depth: Int) throws(ParameterError) -> ParameterValue
}

// Not an array, a dictionary or an optional. ``ParameterValueEncoder`` doesn't call a scalar's `encode(to:)`.
protocol ScalarParameter: ParameterConvertible {}

extension Optional: ParameterConvertible {
    func parameterValue(at path: () -> String, depth: Int) throws(ParameterError) -> ParameterValue {
        guard let self else { return .null }
        return try ParameterValue(self, at: path(), depth: depth)
    }
}

extension Array: ParameterConvertible {
    func parameterValue(at path: () -> String, depth: Int) throws(ParameterError) -> ParameterValue {
        var elements: [ParameterValue] = []
        elements.reserveCapacity(count)
        for (index, element) in enumerated() {
            elements.append(try ParameterValue(element, at: "\(path())[\(index)]", depth: depth + 1))
        }
        return .array(elements)
    }
}

extension Dictionary: ParameterConvertible where Key == String {
    func parameterValue(at path: () -> String, depth: Int) throws(ParameterError) -> ParameterValue {
        var members: [String: ParameterValue] = [:]
        members.reserveCapacity(count)
        for (key, member) in self {
            members[key] = try ParameterValue(member, at: memberPath(of: key, in: path()), depth: depth + 1)
        }
        return .dictionary(members)
    }

    private func memberPath(of key: String, in path: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}

extension JSONValue: ParameterConvertible {
    func parameterValue(at path: () -> String, depth: Int) throws(ParameterError) -> ParameterValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .integer(value)
        case .double(let value): try value.parameterValue(at: path, depth: depth)
        case .decimal(let value): try value.parameterValue(at: path, depth: depth)
        case .string(let value): .string(value)
        case .array(let value): try value.parameterValue(at: path, depth: depth)
        case .object(let value): try value.parameterValue(at: path, depth: depth)
        }
    }
}

extension NSNumber: ParameterConvertible {
    func parameterValue(at path: () -> String, depth: Int) throws(ParameterError) -> ParameterValue {
        switch kind {
        case .bool: .bool(boolValue)
        case .integer: .integer(int64Value)
        case .unsigned: .unsigned(uint64Value)
        case .decimal: try decimalValue.parameterValue(at: path, depth: depth)
        case .float: try floatValue.parameterValue(at: path, depth: depth)
        case .double: try doubleValue.parameterValue(at: path, depth: depth)
        }
    }
}

extension String: ScalarParameter {
    func parameterValue(at path: () -> String, depth: Int) -> ParameterValue { .string(self) }
}

extension Bool: ScalarParameter {
    func parameterValue(at path: () -> String, depth: Int) -> ParameterValue { .bool(self) }
}

extension URL: ScalarParameter {
    func parameterValue(at path: () -> String, depth: Int) -> ParameterValue { .string(absoluteString) }
}

extension UUID: ScalarParameter {
    func parameterValue(at path: () -> String, depth: Int) -> ParameterValue { .string(uuidString) }
}

extension Date: ScalarParameter {
    func parameterValue(at path: () -> String, depth: Int) throws(ParameterError) -> ParameterValue {
        guard timeIntervalSince1970.isFinite else { throw .notFinite(timeIntervalSince1970, path()) }
        return .date(self)
    }
}

extension Data: ScalarParameter {
    func parameterValue(at path: () -> String, depth: Int) -> ParameterValue { .data(self) }
}

extension Decimal: ScalarParameter {
    func parameterValue(at path: () -> String, depth: Int) throws(ParameterError) -> ParameterValue {
        guard isFinite else { throw .notFinite(self, path()) }
        return .decimal(self)
    }
}

extension BinaryInteger {
    func parameterValue(at path: () -> String, depth: Int) throws(ParameterError) -> ParameterValue {
        if let value = Int64(exactly: self) { return .integer(value) }
        if let value = UInt64(exactly: self) { return .unsigned(value) }
        throw ParameterError("the parameter \(path()) has more than 64 bits. Send it as a string.")
    }
}

extension BinaryFloatingPoint {
    /// Converts through decimal text, so that the `Float` 0.1 becomes 0.1, not 0.10000000149011612.
    func parameterValue(at path: () -> String, depth: Int) throws(ParameterError) -> ParameterValue {
        guard let double = self as? Double ?? Double("\(self)"), double.isFinite else { throw .notFinite(self, path()) }
        return .double(double)
    }
}

// A number's `encode(to:)` calls the encoder again; without these conformances, that would never end.
extension Int: ScalarParameter {}
extension Int8: ScalarParameter {}
extension Int16: ScalarParameter {}
extension Int32: ScalarParameter {}
extension Int64: ScalarParameter {}
extension Int128: ScalarParameter {}
extension UInt: ScalarParameter {}
extension UInt8: ScalarParameter {}
extension UInt16: ScalarParameter {}
extension UInt32: ScalarParameter {}
extension UInt64: ScalarParameter {}
extension UInt128: ScalarParameter {}
extension Float: ScalarParameter {}
extension Double: ScalarParameter {}
