/// The encoded forms of the known secrets.
///
/// All forms that occur in a text are found in one pass over the text.
struct SecretForms: Sendable {
    /// A secret in one encoding.
    struct Form: Sendable {
        let text: String
        let placeholder: String
        let bytes: [UInt8]
    }

    /// Looks up forms by their first bytes, the key.
    private struct Index: Sendable {
        /// The number of bytes of a key.
        var length: Int
        /// The indices of the forms that begin with the bytes of a key.
        var indices: [UInt64: [Int]] = [:]
    }

    private var forms: [Form] = []
    /// The forms of eight bytes or more.
    private var long = Index(length: 8)
    /// The shorter forms; a key has the length of the shortest form.
    private var short = Index(length: 7)

    /// Adds a secret in one encoding.
    ///
    /// - Parameters:
    ///   - text: the encoded secret; must not be empty.
    ///   - placeholder: the text that replaces the secret.
    mutating func add(_ text: String, placeholder: String) {
        let form = Form(text: text, placeholder: placeholder, bytes: Array(text.utf8))
        forms.append(form)
        if form.bytes.count >= long.length {
            long.indices[key(form, long.length), default: []].append(forms.count - 1)
        } else {
            short.length = min(short.length, form.bytes.count)
            let entries = forms.indices.filter { forms[$0].bytes.count < long.length }
            short.indices = Dictionary(grouping: entries) { key(forms[$0], short.length) }
        }
    }

    private func key(_ form: Form, _ length: Int) -> UInt64 {
        form.bytes.prefix(length).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the forms that occur in a text, the longest first.
    ///
    /// A form may be a part of a longer one, which must be replaced before it.
    func found(in bytes: some Sequence<UInt8>) -> [Form] {
        guard !forms.isEmpty else { return [] }
        let bytes = Array(bytes)
        var found: Set<Int> = []
        for index in [long, short] where !index.indices.isEmpty {
            let mask = index.length == 8 ? UInt64.max : (1 << UInt64(8 * index.length)) - 1
            var key: UInt64 = 0
            for end in bytes.indices {
                key = (key << 8 | UInt64(bytes[end])) & mask
                guard end + 1 >= index.length, let entries = index.indices[key] else { continue }
                let rest = bytes[(end + 1 - index.length)...]
                for entry in entries where rest.starts(with: forms[entry].bytes) { found.insert(entry) }
            }
        }
        return found.sorted { (forms[$0].text.utf8.count, $1) > (forms[$1].text.utf8.count, $0) }.map { forms[$0] }
    }
}
