import Foundation
import MoyaHTTP

/// A stored response in the form that a cache delivers.
struct CacheReply: Sendable {
    let head: ResponseHead
    let content: StoredContent
    let outcome: TransportOutcome

    func chunks(within delivery: TransportRequest.Delivery) -> [Data]? {
        if case .chunks(let window?) = delivery, content.count > window { return nil }
        guard content.file == nil, let bytes = content.bytes(0..<content.count) else { return nil }
        return bytes.isEmpty ? [] : [bytes]
    }
}

enum CacheReplyForm: Sendable, Hashable {
    case complete
    case head
    case notModified
    case part(Range<Int>)
    case rangeNotSatisfiable

    /// Creates the form of the reply to a request; returns `nil` if the stored response cannot satisfy the request.
    ///
    /// The preconditions are evaluated before the range (RFC 9110, section 13.2.2).
    init?(to method: HTTPMethod, _ request: HTTPHeaders, from stored: StoredResponse) {
        // RFC 9110, section 13.2.1: preconditions are evaluated only for a response with a 2xx status code.
        if (200..<300).contains(stored.statusCode), Self.isNotModified(request, stored) {
            self = .notModified
        } else if method == .head {
            self = .head
        } else if let range = request["Range"], stored.statusCode == 200 {
            guard let reply = Self.part(range, stored) else { return nil }
            self = reply
        } else {
            self = .complete
        }
    }

    /// Returns whether the preconditions show that the caller has the stored content already (RFC 9111, section 4.3.2).
    private static func isNotModified(_ request: HTTPHeaders, _ stored: StoredResponse) -> Bool {
        if let field = request["If-None-Match"] {
            let tags = ListFieldValue(field).elements
            guard !tags.contains("*") else { return true }
            guard let tag = stored.headers["ETag"] else { return false }
            return tags.contains { $0.opaqueTag == tag.opaqueTag }
        }
        guard let field = request["If-Modified-Since"], let date = Date(httpDate: field, now: stored.responseTime)
        else {
            return false
        }
        let modified = stored.headers["Last-Modified"].flatMap { Date(httpDate: $0, now: stored.responseTime) }
        return modified ?? stored.date <= date
    }

    /// Returns the form of the reply to a request for one range of bytes (RFC 9110, section 14.1.2).
    ///
    /// `nil` for several ranges, for a malformed field, and for a response with a content coding: the range refers to
    /// the compressed content, but the stored content is decompressed.
    private static func part(_ field: String, _ stored: StoredResponse) -> CacheReplyForm? {
        guard !stored.headers.hasContentCoding,
            let (_, start, end) = field.wholeMatch(of: /(?i:bytes)=([0-9]*)-([0-9]*)/)?.output, start + end != ""
        else { return nil }
        let length = stored.content.count
        let last = Int(end) ?? .max
        if start.isEmpty {
            guard last > 0, length > 0 else { return .rangeNotSatisfiable }
            return .part(max(0, length - last)..<length)
        }
        let first = Int(start) ?? .max
        guard first <= last else { return nil }
        guard first < length else { return .rangeNotSatisfiable }
        return .part(first..<min(last, length - 1) + 1)
    }
}

extension StoredResponse {
    func reply(
        _ form: CacheReplyForm, age: TimeInterval, status: CacheStatus, metrics: TransportMetrics = TransportMetrics()
    ) -> CacheReply {
        var fields = headers
        fields.fields.reserveCapacity(headers.fields.count + 2)
        fields["Age"] = nil
        fields.add("Age", String(Int(clamping: max(0, age))))
        var statusCode = statusCode
        var content = content
        switch form {
        case .complete: break
        case .head: content = .empty
        case .notModified:
            statusCode = 304
            content = .empty
            fields = HTTPHeaders(fields: fields.fields.filter { Self.fieldsOf304.contains($0.name.lowercased()) })
        case .part(let range):
            statusCode = 206
            fields["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(content.count)"
            fields["Content-Length"] = String(range.count)
            content = content.part(range)
        case .rangeNotSatisfiable:
            statusCode = 416
            fields = ["Content-Range": "bytes */\(content.count)", "Content-Length": "0"]
            content = .empty
        }
        fields.add("Cache-Status", status.description)
        var head = ResponseHead(statusCode: statusCode, version: head.version, headers: fields)
        head.origin = .cache(status)
        let trailers = form == .complete ? trailers : [:]
        let outcome = TransportOutcome(error: nil, trailers: trailers, metrics: metrics)
        return CacheReply(head: head, content: content, outcome: outcome)
    }

    /// The names of the fields that a 304 response has (RFC 9110, section 15.4.5).
    private static let fieldsOf304: Set<String> = [
        "age", "cache-control", "content-location", "date", "etag", "expires", "last-modified", "vary",
    ]
}
