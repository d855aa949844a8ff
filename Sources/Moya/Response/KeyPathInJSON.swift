import Foundation

/// Names of members, one in the other: `result.user.name`.
struct KeyPathInJSON: Sendable {
    /// There is no such member, or no object that it could be in.
    struct LeadsNowhere: Error {}

    let names: [String]

    init(_ text: String) {
        names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
}

extension JSONValue {
    func value(at path: KeyPathInJSON) -> JSONValue? {
        path.names.reduce(self) { value, name in value?[name] }
    }
}

/// What stands at a key path, decoded there: nothing before it is decoded, and nothing is written anew.
struct AtKeyPath<Value: Decodable>: DecodableWithConfiguration {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    let value: Value

    init(from decoder: any Decoder, configuration path: KeyPathInJSON) throws {
        guard let last = path.names.last, var container = try? decoder.container(keyedBy: Name.self) else {
            throw KeyPathInJSON.LeadsNowhere()
        }
        for name in path.names.dropLast() {
            guard let inner = try? container.nestedContainer(keyedBy: Name.self, forKey: Name(stringValue: name)) else {
                throw KeyPathInJSON.LeadsNowhere()
            }
            container = inner
        }
        guard container.contains(Name(stringValue: last)) else { throw KeyPathInJSON.LeadsNowhere() }
        value = try container.decode(Value.self, forKey: Name(stringValue: last))
    }
}
