import Foundation

// A path to a nested JSON member, such as `result.user.name`. A backslash makes a dot part of a name.
struct JSONKeyPath: Sendable {
    struct NotFound: Error {}

    let names: [String]
}

extension JSONKeyPath {
    init(_ text: String) {
        var names = [""]
        var isEscaped = false
        for character in text {
            if character == ".", !isEscaped {
                names.append("")
            } else {
                if character == "." { names[names.count - 1].removeLast() }
                names[names.count - 1].append(character)
            }
            isEscaped = character == "\\"
        }
        self.init(names: names)
    }

    /// Foundation can't apply a `keyDecodingStrategy` by itself, so decode a JSON object with the names as keys.
    func converted(by decoder: JSONDecoder) -> JSONKeyPath {
        if case .useDefaultKeys = decoder.keyDecodingStrategy { return self }
        let object = names.reversed().reduce(JSONValue.null) { .object([$1: $0]) }
        guard let data = try? JSONEncoder().encode(object),
            let keys = try? decoder.decode(ConvertedPathNames.self, from: data).names, keys.count == names.count
        else { return self }
        return JSONKeyPath(names: keys)
    }

    private struct ConvertedPathNames: Decodable {
        let names: [String]

        init(from decoder: any Decoder) throws {
            guard let container = try? decoder.container(keyedBy: MemberName.self), let key = container.allKeys.first
            else {
                names = []
                return
            }
            names = [key.stringValue] + ((try? container.decode(ConvertedPathNames.self, forKey: key))?.names ?? [])
        }
    }

    struct MemberName: DeclaredCodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// The value at a key path, decoded without decoding the rest of the JSON.
struct KeyPathDecodable<Value: Decodable>: DecodableWithConfiguration {
    private typealias Name = JSONKeyPath.MemberName

    let value: Value

    init(from decoder: any Decoder, configuration path: JSONKeyPath) throws {
        guard let last = path.names.last, var container = try? decoder.container(keyedBy: Name.self) else {
            throw JSONKeyPath.NotFound()
        }
        for name in path.names.dropLast() {
            guard let inner = try? container.nestedContainer(keyedBy: Name.self, forKey: Name(stringValue: name)) else {
                throw JSONKeyPath.NotFound()
            }
            container = inner
        }
        guard container.contains(Name(stringValue: last)) else { throw JSONKeyPath.NotFound() }
        value = try container.decode(Value.self, forKey: Name(stringValue: last))
    }
}
