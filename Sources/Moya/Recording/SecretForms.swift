import Foundation

/// The texts that are replaced wherever they occur, found by their first bytes in one pass over a text.
struct SecretForms: Sendable {
    /// A secret in one encoding.
    struct Form: Sendable {
        let text: String
        let placeholder: String
    }

    private var forms: [Form] = []
    /// The indices of the forms that begin with the bytes of a key.
    private var indices: [UInt64: [Int]] = [:]
    /// The number of bytes of a key: that of the shortest form, and eight at most.
    private var length = 8

    /// - Parameter text: is not empty.
    mutating func add(_ text: String, placeholder: String) {
        forms.append(Form(text: text, placeholder: placeholder))
        guard text.utf8.count < length else { return enter(forms.count - 1) }
        length = text.utf8.count
        indices = [:]
        for index in forms.indices { enter(index) }
    }

    private mutating func enter(_ index: Int) {
        let key = forms[index].text.utf8.prefix(length).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        indices[key, default: []].append(index)
    }

    /// Returns the forms whose first bytes occur, the longest first, so that a part of a secret does not take its place.
    func candidates(in bytes: some Sequence<UInt8>) -> [Form] {
        guard !forms.isEmpty else { return [] }
        let mask = length == 8 ? UInt64.max : (1 << UInt64(8 * length)) - 1
        var key: UInt64 = 0
        var count = 0
        var found: Set<Int> = []
        for byte in bytes {
            key = (key << 8 | UInt64(byte)) & mask
            count += 1
            if count >= length, let indices = indices[key] { found.formUnion(indices) }
        }
        return found.sorted { (forms[$0].text.utf8.count, $1) > (forms[$1].text.utf8.count, $0) }.map { forms[$0] }
    }
}
