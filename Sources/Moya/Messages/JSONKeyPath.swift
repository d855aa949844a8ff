import Foundation

struct KeyPathNotFound: Error {}

extension [String] {
    // The names in a path to a nested JSON member, such as `result.user.name`. A backslash makes a dot part of a name.
    init(keyPath text: String) {
        self = [""]
        var isEscaped = false
        for character in text {
            if character == ".", !isEscaped {
                append("")
            } else {
                if character == "." { self[count - 1].removeLast() }
                self[count - 1].append(character)
            }
            isEscaped = character == "\\"
        }
    }

    /// Foundation can't apply a `keyDecodingStrategy` by itself, so decode a JSON object with the names as keys.
    func converted(by decoder: JSONDecoder) -> [String] {
        if case .useDefaultKeys = decoder.keyDecodingStrategy { return self }
        let object = reversed().reduce(JSONValue.null) { .object([$1: $0]) }
        guard let data = try? JSONEncoder().encode(object),
            let keys = try? decoder.decode(ConvertedPathNames.self, from: data).names, keys.count == count
        else { return self }
        return keys
    }
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

/// The value at a key path, decoded without decoding the rest of the JSON.
struct KeyPathDecodable<Value: Decodable>: DecodableWithConfiguration {
    let value: Value

    init(from decoder: any Decoder, configuration path: ArraySlice<String>) throws {
        guard let name = path.first.map(MemberName.init(stringValue:)),
            let container = try? decoder.container(keyedBy: MemberName.self), container.contains(name)
        else { throw KeyPathNotFound() }
        value =
            path.count == 1
            ? try container.decode(Value.self, forKey: name)
            : try container.decode(Self.self, forKey: name, configuration: path.dropFirst()).value
    }
}
