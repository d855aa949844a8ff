public import Foundation
import MoyaHTTP

extension HAR {
    /// Returns the archive with all its content, as JSON with sorted keys.
    ///
    /// - Throws: the error of the encoder, for a number that JSON cannot represent.
    public func data() throws -> Data {
        try encoded { _ in nil }
    }

    /// Writes the archive atomically: even after a crash, the file contains the old archive or the new one.
    ///
    /// The directory is created if it is missing. Content longer than `limit` is written to separate files next to the
    /// archive. The names of the separate files begin with the name of the archive. Separate files that only the old
    /// archive uses are removed. Secrets in the archive are written unchanged; ``HARRecorder/archive()`` returns a
    /// redacted archive.
    ///
    /// - Parameters:
    ///   - file: the URL of the archive.
    ///   - limit: the number of bytes above which content has a file of its own.
    /// - Throws: the error of the file system.
    public func write(to file: URL, attachingAbove limit: Int = 1 << 20) throws {
        let directory = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let former = (try? Data(contentsOf: file)).map(Self.attachments) ?? []
        let stem = file.deletingPathExtension().lastPathComponent
        var attached: [String: Data] = [:]
        let data = try encoded { content in
            guard content.count > limit else { return nil }
            let name = "\(stem)-\(content.fingerprint).bin"
            attached[name] = content
            return name
        }
        for (name, content) in attached { try content.write(to: directory.appending(path: name), options: .atomic) }
        try data.write(to: file, options: .atomic)
        for name in former where attached[name] == nil && name.hasPrefix("\(stem)-") && !name.contains("/") {
            try? FileManager.default.removeItem(at: directory.appending(path: name))
        }
    }

    /// Returns the names of the separate content files of an archive; empty unless this package wrote the archive.
    private static func attachments(_ data: Data) -> Set<String> {
        guard let log = (try? JSONValue(data: data))?["log"], log["creator"]?["name"]?.string == Creator.moya.name
        else {
            return []
        }
        let own = (log["entries"]?.array ?? []).compactMap { $0["_moya"] }
        return Set(own.flatMap { [$0["requestFile"], $0["responseFile"]] }.compactMap { $0?.string })
    }

    /// - Parameter attach: returns the name of a separate file for the content; `nil` includes the content in the JSON.
    private func encoded(attach: (Data) -> String?) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Archives from other programs get this creator, too. Otherwise, reading the file would ignore `_moya`.
        let creator = Creator.moya
        let log: JSONValue = [
            "version": "1.2", "creator": ["name": .string(creator.name), "version": .string(creator.version)],
            "entries": .array(entries.map { Self.json($0, attach) }),
        ]
        return try encoder.encode(["log": log]) + Data("\n".utf8)
    }

    private static func json(_ entry: Entry, _ attach: (Data) -> String?) -> JSONValue {
        // Other programs ignore names that begin with an underscore.
        var own: [String: JSONValue] = [:]
        if entry.attempt > 1 { own["attempt"] = .int(Int64(entry.attempt)) }
        if let failure = entry.failure {
            own["failure"] = ["code": .int(Int64(failure.code)), "text": .string(failure.description)]
        }
        if let response = entry.response {
            let chunks = response.chunks.map { chunk -> JSONValue in
                ["offset": .int(Int64(chunk.offset)), "time": .double(chunk.time.milliseconds)]
            }
            if !chunks.isEmpty { own["chunks"] = .array(chunks) }
            if !response.trailers.fields.isEmpty { own["trailers"] = json(response.trailers) }
        }
        let timings = entry.timings
        func optional(_ time: Duration?) -> JSONValue { .double(time?.milliseconds ?? -1) }
        var json: [String: JSONValue] = [
            "startedDateTime": .string(entry.start.archived), "time": .double(timings.total.milliseconds),
            "request": json(entry.request, &own, attach), "response": json(entry.response, &own, attach), "cache": [:],
            "timings": [
                "blocked": optional(timings.blocked), "dns": optional(timings.dns),
                "connect": optional(timings.connect),
                "ssl": optional(timings.ssl), "send": optional(timings.send), "wait": optional(timings.wait),
                "receive": optional(timings.receive),
            ],
        ]
        json["_moya"] = own.isEmpty ? nil : .object(own)
        return .object(json)
    }

    private static func json(
        _ request: Request, _ own: inout [String: JSONValue], _ attach: (Data) -> String?
    ) -> JSONValue {
        let query = request.url.query(percentEncoded: true)?.split(separator: "&").map { pair -> JSONValue in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.formDecoded)
            return ["name": .string(parts[0]), "value": .string(parts.count > 1 ? parts[1] : "")]
        }
        var json: [String: JSONValue] = [
            "method": .string(request.method.rawValue), "url": .string(request.url.absoluteString),
            "httpVersion": .string(request.version), "cookies": [], "headers": json(request.headers),
            "queryString": .array(query ?? []), "headersSize": -1, "bodySize": .int(Int64(request.content?.size ?? 0)),
        ]
        if let content = request.content {
            var postData: [String: JSONValue] = ["mimeType": .string(content.mimeType), "text": ""]
            if let data = content.data, let name = attach(data) {
                own["requestFile"] = .string(name)
            } else if let data = content.data {
                let text = String(validating: data, as: UTF8.self)
                postData["text"] = .string(text ?? data.base64EncodedString())
                if text == nil { own["requestEncoding"] = "base64" }
            } else {
                own["requestSize"] = .int(Int64(content.size))
            }
            json["postData"] = .object(postData)
        }
        return .object(json)
    }

    private static func json(
        _ response: Response?, _ own: inout [String: JSONValue], _ attach: (Data) -> String?
    ) -> JSONValue {
        var content: [String: JSONValue] = [
            "size": .int(Int64(response?.content.size ?? 0)),
            "mimeType": .string(response?.content.mimeType ?? "x-unknown"),
        ]
        if let data = response?.content.data, let name = attach(data) {
            own["responseFile"] = .string(name)
        } else if let data = response?.content.data {
            let text = String(validating: data, as: UTF8.self)
            content["text"] = .string(text ?? data.base64EncodedString())
            if text == nil { content["encoding"] = "base64" }
        }
        return [
            "status": .int(Int64(response?.statusCode ?? 0)), "statusText": "",
            "httpVersion": .string(response?.version ?? ""), "cookies": [], "headers": json(response?.headers ?? [:]),
            "content": .object(content), "redirectURL": .string(response?.headers["Location"] ?? ""), "headersSize": -1,
            "bodySize": -1,
        ]
    }

    private static func json(_ headers: HTTPHeaders) -> JSONValue {
        .array(headers.fields.map { ["name": .string($0.name), "value": .string($0.value)] })
    }
}

extension Data {
    fileprivate var fingerprint: String { "\(MessageDigest.sha256(self).hexadecimal.prefix(16))-\(count)" }
}

extension Duration {
    fileprivate var milliseconds: Double { (Double(nanoseconds) / 1000).rounded() / 1000 }
}

extension Date {
    fileprivate var archived: String {
        let milliseconds = Int64(clamping: (min(max(timeIntervalSince1970, 0), 253_402_300_799) * 1000).rounded())
        let whole = Date(timeIntervalSince1970: Double(milliseconds / 1000)).formatted(.iso8601)
        let fraction = String(milliseconds % 1000 + 1000).dropFirst()
        return "\(whole.prefix { $0 != "Z" }).\(fraction)Z"
    }
}
