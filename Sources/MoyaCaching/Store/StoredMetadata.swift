import Foundation
import MoyaHTTP

// A metadata file: the format's name, a checksum of the rest, and the response without its content. Numbers are eight
// bytes, little-endian; a text follows its length in bytes.
enum StoredMetadata {
    static let maximumLength = 1 << 20

    private static let format = Array("Moya response 2\n".utf8)

    static func encoded(_ response: StoredResponse, _ content: ContentFile) -> Data {
        var writer = MetadataWriter()
        writer.add(response.id)
        writer.add(response.requestTime.timeIntervalSinceReferenceDate.bitPattern)
        writer.add(response.responseTime.timeIntervalSinceReferenceDate.bitPattern)
        writer.add(UInt64(response.statusCode))
        writer.add(UInt64(content.length))
        writer.add(content.name)
        writer.add(UInt64(content.checksums.count))
        for checksum in content.checksums { writer.add(checksum) }
        writer.add(response.key.url)
        writer.add(response.key.partition)
        writer.add(response.head.version)
        writer.add(response.headers)
        writer.add(response.trailers)
        writer.add(UInt64(response.nominated.count))
        for field in response.nominated {
            writer.add(field.name)
            writer.add(field.value)
        }
        var file = MetadataWriter(bytes: format)
        file.add(XXHash64.hash(writer.bytes))
        return Data(file.bytes + writer.bytes)
    }

    /// Throws an error if the file is damaged or has another format.
    static func decoded(_ file: Data) throws -> (response: StoredResponse, content: ContentFile) {
        var reader = MetadataReader(bytes: Array(file).dropFirst(format.count))
        guard file.starts(with: format), try reader.number() == XXHash64.hash(reader.bytes) else { throw Damage() }
        let (id, requestTime, responseTime) = (try reader.number(), try reader.date(), try reader.date())
        let (statusCode, length, name) = (try reader.number(), try reader.number(), try reader.text())
        let checksums = try reader.list { try $0.number() }
        let key = CacheKey(url: try reader.text(), partition: try reader.optionalText())
        let (version, headers, trailers) = (try reader.text(), try reader.fields(), try reader.fields())
        let nominated = try reader.list {
            NominatedRequestField(name: try $0.text(), value: try $0.optionalText())
        }
        guard (100...999).contains(statusCode), let length = Int(exactly: length), name.isContentName,
            checksums.count == ContentFile.blockCount(ofLength: length), reader.bytes.isEmpty
        else { throw Damage() }
        let response = StoredResponse(
            id: id, key: key, head: ResponseHead(statusCode: Int(statusCode), version: version, headers: headers),
            trailers: trailers, content: .empty, nominated: nominated, requestTime: requestTime,
            responseTime: responseTime)
        return (response, ContentFile(name: name, length: length, checksums: checksums))
    }

    fileprivate struct Damage: Error {}
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

/// Reads the values that ``MetadataWriter`` has written; each function throws an error if the bytes are invalid.
private struct MetadataReader {
    var bytes: ArraySlice<UInt8>

    mutating func number() throws -> UInt64 {
        guard bytes.count >= 8 else { throw StoredMetadata.Damage() }
        defer { bytes = bytes.dropFirst(8) }
        return bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func date() throws -> Date {
        let seconds = Double(bitPattern: try number())
        guard seconds.isFinite else { throw StoredMetadata.Damage() }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    mutating func text() throws -> String {
        let length = try number()
        guard length <= UInt64(bytes.count), let text = String(validating: bytes.prefix(Int(length)), as: UTF8.self)
        else { throw StoredMetadata.Damage() }
        bytes = bytes.dropFirst(Int(length))
        return text
    }

    mutating func optionalText() throws -> String? { try number() == 0 ? nil : try text() }

    /// Reads a list; throws an error if the remaining bytes cannot contain so many elements.
    mutating func list<Element>(_ read: (inout MetadataReader) throws -> Element) throws -> [Element] {
        let count = try number()
        guard count <= UInt64(bytes.count) else { throw StoredMetadata.Damage() }
        return try (0..<count).map { _ in try read(&self) }
    }

    mutating func fields() throws -> HTTPHeaders {
        HTTPHeaders(fields: try list { HTTPHeaders.Field(name: try $0.text(), value: try $0.text()) })
    }
}

extension String {
    /// Whether the text is what ``unique`` returns, or a UUID, which earlier versions have used.
    fileprivate var isContentName: Bool {
        [32, 36].contains(utf8.count) && utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
    }
}
