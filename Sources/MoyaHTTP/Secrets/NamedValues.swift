extension [String: JSONValue] {
    /// The key of the member that is the name of the member `value`, as in `{"key": "token", "value": "x"}`.
    ///
    /// - Parameter hides: whether the values of a name are secret.
    package func naming(_ hides: (String) -> Bool) -> String? {
        guard keys.contains(where: { $0.lowercased() == "value" }) else { return nil }
        return keys.first { key in
            ["name", "key"].contains(key.lowercased()) && self[key]?.string.map(hides) ?? false
        }
    }

    /// Whether the object is a request for a token of OAuth.
    package var isGrant: Bool { keys.contains { ["code_verifier", "grant_type", "redirect_uri"].contains($0) } }
}

extension Substring {
    /// The parts between semicolons; a part without an equals sign belongs to the previous part.
    package var formPairs: [String] {
        split(separator: ";", omittingEmptySubsequences: false).reduce(into: []) { pairs, part in
            if pairs.isEmpty || part.contains("=") {
                pairs.append(String(part))
            } else {
                pairs[pairs.count - 1] += ";" + part
            }
        }
    }
}
