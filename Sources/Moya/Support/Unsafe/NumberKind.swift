import Foundation

extension NSNumber {
    /// What kind of number it was made from.
    enum Kind {
        case bool
        case integer
        case unsigned
        case double
        case decimal
    }

    var kind: Kind {
        if self is NSDecimalNumber { return .decimal }
        // SAFETY: `objCType` points to a constant C string of at least one character, its NUL.
        return switch unsafe UInt8(bitPattern: objCType.pointee) {
        case UInt8(ascii: "c"), UInt8(ascii: "B"): .bool
        case UInt8(ascii: "d"), UInt8(ascii: "f"): .double
        case UInt8(ascii: "Q"): .unsigned
        default: .integer
        }
    }
}
