package import Foundation

extension NSNumber {
    package enum Kind {
        case bool
        case integer
        case unsigned
        case float
        case double
        case decimal
    }

    package var kind: Kind {
        if self is NSDecimalNumber { return .decimal }
        #if canImport(Darwin)
            // On Darwin, Booleans and `Int8` have the same `objCType`, so the Core Foundation type is compared instead.
            if CFGetTypeID(self) == CFBooleanGetTypeID() { return .bool }
            let boolean = UInt8(ascii: "B")
        #else
            let boolean = UInt8(ascii: "c")
        #endif
        // SAFETY: `objCType` points to a constant C string of at least one character, its NUL.
        return switch unsafe UInt8(bitPattern: objCType.pointee) {
        case boolean: .bool
        case UInt8(ascii: "f"): .float
        case UInt8(ascii: "d"): .double
        case UInt8(ascii: "Q"): .unsigned
        default: .integer
        }
    }
}
