import Foundation

struct URLParameterWriter {
    private(set) var text: [UInt8] = []
    private let encoding: URLEncoding
    /// The percent-encoded key of the next value, such as `user%5Bname%5D` for `user[name]`.
    private var key: [UInt8] = []

    init(_ encoding: URLEncoding) {
        self.encoding = encoding
        text.reserveCapacity(128)
    }

    /// - Parameter isNested: `false` for the dictionary of all parameters, whose keys have no brackets and dots.
    mutating func write(_ value: ParameterValue, isNested: Bool = false) {
        let length = key.count
        switch value {
        case .null:
            switch encoding.nilEncoding {
            case .dropKey: break
            case .dropValue: write("")
            case .null: write("null")
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                switch encoding.arrayEncoding {
                case .brackets: extendKey("[]")
                case .noBrackets: break
                case .indexInBrackets: extendKey("[\(index)]")
                }
                write(element, isNested: true)
                key.removeSubrange(length...)
            }
        case .dictionary(let members):
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                extendKey(!isNested ? name : encoding.keyPathEncoding == .dots ? ".\(name)" : "[\(name)]")
                write(member, isNested: true)
                key.removeSubrange(length...)
            }
        case .bool(let value) where encoding.boolEncoding == .numeric: write(value ? "1" : "0")
        case .date(let date): write(text(of: date))
        case .data(let data):
            write(encoding.dataEncoding == .base64 ? data.base64EncodedString() : [UInt8](data).hexadecimal)
        default: write(value.text ?? "")
        }
    }

    private mutating func write(_ value: String) {
        if !text.isEmpty { text.append(UInt8(ascii: "&")) }
        text += key
        text.append(UInt8(ascii: "="))
        text.append(percentEncoding: value, allowing: .query, spaceAsPlus: encoding.spaceEncoding == .plusReplaced)
    }

    private mutating func extendKey(_ name: String) {
        key.append(percentEncoding: name, allowing: .query, spaceAsPlus: encoding.spaceEncoding == .plusReplaced)
    }

    private func text(of date: Date) -> String {
        switch encoding.dateEncoding {
        case .iso8601: date.formatted(.iso8601)
        case .secondsSince1970: ParameterValue.double(date.timeIntervalSince1970).text ?? ""
        case .millisecondsSince1970: ParameterValue.double((date.timeIntervalSince1970 * 1000).rounded()).text ?? ""
        case .custom(let text): text(date)
        }
    }
}
