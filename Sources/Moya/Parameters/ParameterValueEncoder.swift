/// Of several kinds of container, a keyed one takes precedence over an unkeyed one, and both over a single value.
final class ParameterValueEncoder: Encoder, SingleValueEncodingContainer {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    private var members: [String: ParameterValue]?
    private var elements: [ParameterValue]?
    private var single: ParameterValue?
    /// Nested encoders, read only once the value is completely encoded, because values may be added until then.
    private var nested: [(key: any CodingKey, index: Int?, encoder: ParameterValueEncoder)] = []
    /// Counts nested `encode(to:)` calls, to stop one that encodes `self` as a single value and never ends.
    private var singleValueDepth = 0

    private init(codingPath: [any CodingKey]) {
        self.codingPath = codingPath
    }

    /// Converts a value to a ``ParameterValue``; returns `nil` if the value's `encode(to:)` encodes nothing.
    static func encode(_ value: some Encodable, at codingPath: [any CodingKey] = []) throws -> ParameterValue? {
        guard codingPath.count < ParameterValue.maximumDepth else { throw ParameterError.tooDeep(codingPath.text) }
        let encoder = ParameterValueEncoder(codingPath: codingPath)
        try encoder.encode(single: value)
        return encoder.value
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        members = members ?? [:]
        return KeyedEncodingContainer(KeyedContainer(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        elements = elements ?? []
        return UnkeyedContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
    func encodeNil() { single = .null }
    func encode(_ value: some Encodable) throws { try encode(single: value) }
    func encode(_ value: Int128) throws { try encode(single: value) }
    func encode(_ value: UInt128) throws { try encode(single: value) }

    private var value: ParameterValue? {
        for (key, index, encoder) in nested {
            let value = encoder.value ?? .dictionary([:])
            if let index {
                elements?[index] = value
            } else {
                members?[key.stringValue] = value
            }
        }
        return members.map(ParameterValue.dictionary) ?? elements.map(ParameterValue.array) ?? single
    }

    private func encode(single value: some Encodable) throws {
        if let scalar = value as? any ScalarParameter {
            single = try scalar.parameterValue(at: { codingPath.text }, depth: 0)
        } else {
            guard singleValueDepth < ParameterValue.maximumDepth else { throw ParameterError.tooDeep(codingPath.text) }
            singleValueDepth += 1
            try value.encode(to: self)
        }
    }

    private func encode(_ value: some Encodable, forKey key: some CodingKey) throws {
        let value = try encoded(value, at: key)
        members?[key.stringValue] = value
    }

    private func append(_ value: some Encodable) throws {
        let value = try encoded(value, at: (elements?.count ?? 0).codingKey)
        elements?.append(value)
    }

    private func encoded(_ value: some Encodable, at key: @autoclosure () -> any CodingKey) throws -> ParameterValue {
        if let scalar = value as? any ScalarParameter {
            return try scalar.parameterValue(at: { (codingPath + [key()]).text }, depth: 0)
        }
        return try Self.encode(value, at: codingPath + [key()]) ?? .dictionary([:])
    }

    /// Equal keys return the same encoder, because a class and its superclass may encode to the same key.
    private func encoder(at key: any CodingKey, index: Int? = nil) -> ParameterValueEncoder {
        if let known = nested.first(where: { $0.key.stringValue == key.stringValue }) { return known.encoder }
        let encoder = ParameterValueEncoder(codingPath: codingPath + [key])
        nested.append((key, index, encoder))
        return encoder
    }

    private func encoderOfNextElement() -> ParameterValueEncoder {
        let index = elements?.count ?? 0
        elements?.append(.null)
        return encoder(at: index.codingKey, index: index)
    }

    private enum SuperKey: String, CodingKey { case `super` }

    // Each container implements `encode` for `Int128` and `UInt128`, because the default implementations for these two
    // types throw errors. The generic `encode` handles all other types.

    private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: ParameterValueEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        func encodeNil(forKey key: Key) { encoder.members?[key.stringValue] = .null }
        func encode(_ value: some Encodable, forKey key: Key) throws { try encoder.encode(value, forKey: key) }
        func encode(_ value: Int128, forKey key: Key) throws { try encoder.encode(value, forKey: key) }
        func encode(_ value: UInt128, forKey key: Key) throws { try encoder.encode(value, forKey: key) }

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type, forKey key: Key
        ) -> KeyedEncodingContainer<NestedKey> { encoder.encoder(at: key).container(keyedBy: type) }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            encoder.encoder(at: key).unkeyedContainer()
        }
        func superEncoder() -> any Encoder { encoder.encoder(at: SuperKey.super) }
        func superEncoder(forKey key: Key) -> any Encoder { encoder.encoder(at: key) }
    }

    private struct UnkeyedContainer: UnkeyedEncodingContainer {
        let encoder: ParameterValueEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }
        var count: Int { encoder.elements?.count ?? 0 }

        func encodeNil() { encoder.elements?.append(.null) }
        func encode(_ value: some Encodable) throws { try encoder.append(value) }
        func encode(_ value: Int128) throws { try encoder.append(value) }
        func encode(_ value: UInt128) throws { try encoder.append(value) }

        func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            encoder.encoderOfNextElement().container(keyedBy: type)
        }
        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            encoder.encoderOfNextElement().unkeyedContainer()
        }
        func superEncoder() -> any Encoder { encoder.encoderOfNextElement() }
    }
}

extension [any CodingKey] {
    fileprivate var text: String {
        reduce("") { path, key in
            if let index = key.intValue { return "\(path)[\(index)]" }
            return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
        }
    }
}
