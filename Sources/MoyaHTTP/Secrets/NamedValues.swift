/// Replaces the secrets in pairs of names and values: queries, forms and JSON.
package protocol SecretReplacing {
    var replacesAll: Bool { get }

    /// `value` decides about an authorization code; empty if it doesn't matter. `isForm`: in a query or a form.
    func hides(_ name: String, _ value: String, isForm: Bool) -> Bool

    /// Returns whether a value of this name is not secret, even in an object that is.
    func keeps(_ name: String) -> Bool

    mutating func secret(_ value: String) -> String

    /// Returns a text that has no secret name, or the name of an object's member, with the secrets in it replaced.
    mutating func text(_ text: String, isName: Bool) -> String

    mutating func number(_ number: JSONValue, isSecret: Bool) -> JSONValue
}

extension SecretReplacing {
    // Pairs are separated by `&` or, as in old servers, `;`. After `;`, a part without `=` continues the previous one.
    package mutating func form(_ text: String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { part in
            let pairs = part.split(separator: ";", omittingEmptySubsequences: false).reduce(into: [] as [String]) {
                if $0.isEmpty || $1.contains("=") { $0.append(String($1)) } else { $0[$0.count - 1] += ";" + $1 }
            }
            return pairs.map { pair($0) }.joined(separator: ";")
        }.joined(separator: "&")
    }

    private mutating func pair(_ pair: String) -> String {
        let valueStart = pair.firstIndex(of: "=").map { pair.index(after: $0) } ?? pair.startIndex
        let value = pair[valueStart...].formDecoded
        // `=` at the end may be the padding of a secret in base 64, so the whole pair is replaced.
        if replacesAll, value.allSatisfy({ $0 == "=" }) { return secret(pair) }
        let isSecret =
            replacesAll
            || valueStart > pair.startIndex && hides(pair[..<valueStart].dropLast().formDecoded, value, isForm: true)
        let replaced = isSecret ? secret(value) : text(value, isName: false)
        guard replaced != value else { return pair }
        return pair[..<valueStart] + replaced.percentEncoded(allowing: .segment).replacing("%2A%2A%2A", with: "***")
    }

    package mutating func json(_ value: JSONValue) -> JSONValue { json(value, isSecret: replacesAll) }

    /// If `isSecret`, an enclosing name is sensitive: all strings and numbers are secret, except under kept names.
    private mutating func json(_ value: JSONValue, isSecret: Bool) -> JSONValue {
        switch value {
        case .object(let members):
            var result: [String: JSONValue] = [:]
            let naming = replacesAll ? nil : self.naming(in: members)
            let isGrant = members.keys.contains { ["code_verifier", "grant_type", "redirect_uri"].contains($0) }
            for name in members.keys.sorted() {
                let member = members[name] ?? .null
                let hasSecretName = hides(name, member.string ?? "", isForm: isGrant)
                let isNamed = naming != nil && name.lowercased() == "value"
                let isSecret = isSecret && !keeps(name) || hasSecretName || isNamed
                result[text(name, isName: true)] = name == naming ? member : json(member, isSecret: isSecret)
            }
            return .object(result)
        case .array(let elements): return .array(elements.map { json($0, isSecret: isSecret) })
        case .string(let string): return .string(isSecret ? secret(string) : text(string, isName: false))
        case .int, .double, .decimal: return number(value, isSecret: isSecret)
        case .bool, .null: return value
        }
    }

    /// The key of the member that names the secret in `value`, as in `{"key": "token", "value": "x"}`.
    private func naming(in members: [String: JSONValue]) -> String? {
        guard members.keys.contains(where: { $0.lowercased() == "value" }) else { return nil }
        return members.keys.first { key in
            ["name", "key"].contains(key.lowercased())
                && members[key]?.string.map { hides($0, "", isForm: false) } ?? false
        }
    }
}
