import Foundation
import MoyaHTTP

// A metadata file: the format's name, a checksum of the rest, and the response without its content. Numbers are eight
// bytes, little-endian; a text follows its length in bytes.
struct StoredMetadata: Sendable {
    let response: StoredResponse
    let content: ContentFile

    static let maximumLength = 1 << 20

    private static let format = Array("Moya response 2\n".utf8)

    var encoded: Data {
        var writer = MetadataWriter()
        writer.add(response.id)
        writer.add(response.requestTime.timeIntervalSinceReferenceDate.bitPattern)
        writer.add(response.responseTime.timeIntervalSinceReferenceDate.bitPattern)
        writer.add(UInt64(response.statusCode))
        writer.add(UInt64(content.length))
        writer.add(content.name)
        writer.add(UInt64(content.checksums.blocks.count))
        for checksum in content.checksums.blocks { writer.add(checksum) }
        writer.add(response.key.url)
        writer.add(response.key.partition)
        writer.add(response.version)
        writer.add(response.headers)
        writer.add(response.trailers)
        writer.add(UInt64(response.nominated.count))
        for field in response.nominated {
            writer.add(field.name)
            writer.add(field.value)
        }
        var file = MetadataWriter(bytes: Self.format)
        file.add(XXHash64.hash(writer.bytes))
        return Data(file.bytes + writer.bytes)
    }
}

extension StoredMetadata {
    init?(_ file: Data) {
        var reader = MetadataReader(bytes: Array(file)[...])
        guard reader.take(Self.format), let checksum = reader.number(), checksum == XXHash64.hash(reader.bytes),
            let id = reader.number(), let requestTime = reader.date(), let responseTime = reader.date(),
            let statusCode = reader.number(), (100...999).contains(statusCode), let length = reader.number(),
            let length = Int(exactly: length), let name = reader.text(), UUID(uuidString: name) != nil,
            let checksums = reader.list({ $0.number() }), checksums.count == ContentChecksums.count(ofLength: length),
            let url = reader.text(), let partition = reader.optionalText(), let version = reader.text(),
            let headers = reader.fields(), let trailers = reader.fields(), let nominated = reader.nominated(),
            reader.bytes.isEmpty
        else { return nil }
        let response = StoredResponse(
            id: id, key: CacheKey(url: url, partition: partition),
            head: ResponseHead(statusCode: Int(statusCode), version: version, headers: headers), trailers: trailers,
            content: .empty, nominated: nominated, requestTime: requestTime, responseTime: responseTime)
        let content = ContentFile(name: name, length: length, checksums: ContentChecksums(blocks: checksums))
        self.init(response: response, content: content)
    }
}

private struct MetadataWriter {
    var bytes: [UInt8] = []

    mutating func add(_ number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    mutating func add(_ text: String) {
        add(UInt64(text.utf8.count))
        bytes += text.utf8
    }

    mutating func add(_ text: String?) {
        add(UInt64(text == nil ? 0 : 1))
        if let text { add(text) }
    }

    mutating func add(_ headers: HTTPHeaders) {
        add(UInt64(headers.fields.count))
        for field in headers.fields {
            add(field.name)
            add(field.value)
        }
    }
}

/// Reads the values that ``MetadataWriter`` has written; each function returns `nil` if the bytes are invalid.
private struct MetadataReader {
    var bytes: ArraySlice<UInt8>

    mutating func take(_ prefix: [UInt8]) -> Bool {
        guard bytes.starts(with: prefix) else { return false }
        bytes = bytes.dropFirst(prefix.count)
        return true
    }

    mutating func number() -> UInt64? {
        guard bytes.count >= 8 else { return nil }
        defer { bytes = bytes.dropFirst(8) }
        return bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func date() -> Date? {
        guard let number = number() else { return nil }
        let seconds = Double(bitPattern: number)
        return seconds.isFinite ? Date(timeIntervalSinceReferenceDate: seconds) : nil
    }

    mutating func text() -> String? {
        guard let length = number(), length <= UInt64(bytes.count) else { return nil }
        defer { bytes = bytes.dropFirst(Int(length)) }
        return String(validating: bytes.prefix(Int(length)), as: UTF8.self)
    }

    /// `.some(nil)` if no text was written; `nil` if the bytes are invalid.
    mutating func optionalText() -> String?? {
        guard let isPresent = number() else { return nil }
        if isPresent == 0 { return .some(nil) }
        guard let text = text() else { return nil }
        return .some(text)
    }

    /// Reads a list; `nil` if an element is invalid, or if the remaining bytes cannot contain so many elements.
    mutating func list<Element>(_ read: (inout MetadataReader) -> Element?) -> [Element]? {
        guard let count = number(), count <= UInt64(bytes.count) else { return nil }
        var elements: [Element] = []
        for _ in 0..<count {
            guard let element = read(&self) else { return nil }
            elements.append(element)
        }
        return elements
    }

    mutating func fields() -> HTTPHeaders? {
        let fields = list { reader -> HTTPHeaders.Field? in
            guard let name = reader.text(), let value = reader.text() else { return nil }
            return HTTPHeaders.Field(name: name, value: value)
        }
        return fields.map(HTTPHeaders.init(fields:))
    }

    mutating func nominated() -> [NominatedRequestField]? {
        list { reader in
            guard let name = reader.text(), let value = reader.optionalText() else { return nil }
            return NominatedRequestField(name: name, value: value)
        }
    }
}
