/// Replaces the secrets in pairs of names and values: queries, forms and JSON.
package protocol SecretReplacing {
    var replacesAll: Bool { get }

    /// `value` decides about an authorization code; empty if it doesn't matter. `isForm`: in a query or a form.
    func hides(_ name: String, _ value: String, isForm: Bool) -> Bool

    /// Returns whether a value of this name is not secret, even in an object that is.
    func keeps(_ name: String, _ value: JSONValue) -> Bool

    /// - Parameter isNamed: whether the value itself has a sensitive name, rather than an object that contains it.
    mutating func secret(_ value: String, isNamed: Bool) -> String

    /// Returns a text that has no secret name, or the name of an object's member, with the secrets in it replaced.
    mutating func text(_ text: String, isName: Bool) -> String

    /// - Parameter isNamed: as in ``secret(_:isNamed:)``.
    mutating func number(_ number: JSONValue, isSecret: Bool, isNamed: Bool) -> JSONValue
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
        if replacesAll, value.allSatisfy({ $0 == "=" }) { return secret(pair, isNamed: true) }
        let name = pair[..<valueStart].dropLast().formDecoded
        let isSecret = replacesAll || !name.isEmpty && hides(name, value, isForm: true) && !isCount(name, value)
        let replaced = isSecret ? secret(value, isNamed: true) : text(value, isName: false)
        guard replaced != value else { return pair }
        return pair[..<valueStart] + replaced.percentEncoded(allowing: .segment).replacing("%2A%2A%2A", with: "***")
    }

    package mutating func json(_ value: JSONValue) -> JSONValue {
        json(value, isSecret: replacesAll, isNamed: replacesAll)
    }

    // If `isSecret`, an enclosing name is sensitive: all strings and numbers may be secret, except under kept names. If
    // `isNamed`, that name is the value's own, or that of its array; or the value is what an object is named for.
    private mutating func json(_ value: JSONValue, isSecret: Bool, isNamed: Bool) -> JSONValue {
        switch value {
        case .object(let members):
            var result: [String: JSONValue] = [:]
            let naming = replacesAll ? nil : self.naming(in: members)
            let isGrant = members.keys.contains { ["code_verifier", "grant_type", "redirect_uri"].contains($0) }
            for name in members.keys.sorted() {
                let member = members[name] ?? .null
                let hasSecretName =
                    hides(name, member.string ?? "", isForm: isGrant)
                    && !(member.double != nil && isPlural(name))
                let isSecret = isSecret && !keeps(name, member)
                let isOfSecret = isSecret && ["code", "id", "value"].contains(name.lowercased())
                let isPaired = naming != nil && name.lowercased() == "value"
                let isNamed = replacesAll || hasSecretName || isOfSecret || isPaired
                result[text(name, isName: true)] =
                    name == naming ? member : json(member, isSecret: isSecret || isNamed, isNamed: isNamed)
            }
            return .object(result)
        case .array(let elements):
            return .array(elements.map { json($0, isSecret: isSecret, isNamed: isNamed) })
        case .string(let string):
            return .string(isSecret ? secret(string, isNamed: isNamed) : text(string, isName: false))
        case .int, .double, .decimal: return number(value, isSecret: isSecret, isNamed: isNamed)
        case .bool, .null: return value
        }
    }

    /// Whether a value is a number of secrets, as in `max_tokens=42`.
    package func isCount(_ name: String, _ value: String) -> Bool {
        let name = name.lowercased()
        return value.isDigits && value.utf8.count < 10 && isPlural(name)
            && ["cookies", "credentials", "keys", "secrets", "sessions", "tokens"].contains { name.hasSuffix($0) }
    }

    private func isPlural(_ name: String) -> Bool {
        name.lowercased().hasSuffix("s") && hides(String(name.dropLast()), "", isForm: false)
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
