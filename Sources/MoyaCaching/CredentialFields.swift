import MoyaHTTP

final class CredentialFields: Sendable {
    private let names: SensitiveNames
    // A memo, because searching `names` is slow. Most names are short, and compare faster than they hash.
    private let known = Locked<[(name: String, isCredential: Bool)]>([])

    private static let maximumKnown = 32

    init(others: Set<String> = []) {
        names = SensitiveNames(others: others)
    }

    func credentials(in headers: HTTPHeaders) -> (authorization: String?, others: String?) {
        known.withLock { known in
            var (authorization, others) = (String?.none, String?.none)
            for field in headers.fields where isCredential(field.name, &known) {
                if field.isNamed("Authorization") {
                    authorization = (authorization ?? "") + field.value + "\n"
                } else {
                    others = (others ?? "") + field.name.lowercased() + ":" + field.value + "\n"
                }
            }
            return (authorization, others)
        }
    }

    private func isCredential(_ name: String, _ known: inout [(name: String, isCredential: Bool)]) -> Bool {
        for field in known where field.name == name { return field.isCredential }
        if known.count >= Self.maximumKnown { known = [] }
        let isCredential = names.contains(name)
        known.append((name, isCredential))
        return isCredential
    }
}
