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
    /// archive. The names of the separate files begin with the name of the archive, or with a hash of it if it begins
    /// with `.`, contains `\` or is longer than 200 bytes. Separate files that only the old archive uses are removed.
    /// Secrets in the archive are written unchanged; ``HARRecorder/archive()`` returns a redacted archive.
    ///
    /// - Parameters:
    ///   - file: the URL of the archive.
    ///   - limit: the number of bytes above which content has a file of its own.
    /// - Throws: the error of the file system.
    public func write(to file: URL, attachingAbove limit: Int = 1 << 20) throws {
        let directory = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let former = (try? Data(contentsOf: file)).map(Self.attachments) ?? []
        let stem = Self.attachmentStem(file.deletingPathExtension().lastPathComponent)
        var attached: [String: Data] = [:]
        let data = try encoded { content in
            guard content.count > limit else { return nil }
            let name = "\(stem)-\(MessageDigest.sha256(content).hexadecimal.prefix(16))-\(content.count).bin"
            attached[name] = content
            return name
        }
        for (name, content) in attached { try content.write(to: directory.appending(path: name), options: .atomic) }
        try data.write(to: file, options: .atomic)
        for name in former where attached[name] == nil && name.hasPrefix("\(stem)-") && name.hasSuffix(".bin") {
            let attachment = directory.appending(path: name)
            let type = try? FileManager.default.attributesOfItem(atPath: attachment.path)[.type] as? FileAttributeType
            if type == .typeRegular, !name.contains("/") { try? FileManager.default.removeItem(at: attachment) }
        }
    }

    /// Names that begin with `.` or contain `\` are not read back, because they may lead to other directories.
    private static func attachmentStem(_ name: String) -> String {
        let isSafe = !name.hasPrefix(".") && !name.contains("\\") && name.utf8.count <= 200
        return isSafe ? name : String(MessageDigest.sha256(Data(name.utf8)).hexadecimal.prefix(16))
    }

    /// Returns the names of the separate content files of an archive; empty unless this package wrote the archive.
    private static func attachments(_ data: Data) -> Set<String> {
        guard let log = try? HARFile(data).log, log.creator?["name"]?.string == Creator.moya.name else { return [] }
        let own = (log.entries ?? []).compactMap { $0.members?["_moya"] }
        return Set((own.map { $0["requestFile"] } + own.map { $0["responseFile"] }).compactMap { $0?.string })
    }

    /// - Parameter attach: returns the name of a separate file for the content; `nil` includes the content in the JSON.
    private func encoded(attach: (Data) -> String?) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let log: JSONValue = [
            "version": "1.2",
            // Archives from other programs get this creator, too. Otherwise, reading the file would ignore `_moya`.
            "creator": ["name": .string(Creator.moya.name), "version": .string(Creator.moya.version)],
            "entries": .array(entries.map { Self.json($0, attach) }),
        ]
        return try encoder.encode(["log": log]) + Data("\n".utf8)
    }

    private static func json(_ entry: Entry, _ attach: (Data) -> String?) -> JSONValue {
        // The members that only this package writes: other programs ignore names that begin with an underscore.
        var own: [String: JSONValue] = [:]
        if entry.attempt > 1 { own["attempt"] = json(entry.attempt) }
        own["failure"] = entry.failure.map { ["code": json($0.code), "text": .string($0.description)] }
        let timings = entry.timings
        var result: [String: JSONValue] = [
            "startedDateTime": .string(entry.start.archived), "time": json(timings.total), "cache": [:],
            "request": json(entry.request, &own, attach), "response": json(entry.response, &own, attach),
            "timings": [
                "blocked": json(timings.blocked), "dns": json(timings.dns), "connect": json(timings.connect),
                "ssl": json(timings.ssl), "send": json(timings.send), "wait": json(timings.wait),
                "receive": json(timings.receive),
            ],
        ]
        if !own.isEmpty { result["_moya"] = .object(own) }
        return .object(result)
    }

    private static func json(
        _ request: Request, _ own: inout [String: JSONValue], _ attach: (Data) -> String?
    ) -> JSONValue {
        let content = text(request.content?.data, attach)
        own["requestEncoding"] = content.encoding
        own["requestFile"] = content.file
        if let content = request.content, content.data == nil { own["requestSize"] = json(content.size) }
        let query = (request.url.query(percentEncoded: true) ?? "").split(separator: "&").map { pair -> JSONValue in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.formDecoded)
            return ["name": .string(parts[0]), "value": .string(parts.count > 1 ? parts[1] : "")]
        }
        var result: [String: JSONValue] = [
            "method": .string(request.method.rawValue), "url": .string(request.url.absoluteString),
            "httpVersion": .string(request.version), "cookies": [], "headers": json(request.headers),
            "queryString": .array(query), "headersSize": -1, "bodySize": json(request.content?.size ?? 0),
        ]
        result["postData"] = request.content.map { ["mimeType": .string($0.mimeType), "text": content.text ?? ""] }
        return .object(result)
    }

    private static func json(
        _ response: Response?, _ own: inout [String: JSONValue], _ attach: (Data) -> String?
    ) -> JSONValue {
        // The status 0 says that there is no response.
        let none = Response(statusCode: 0, version: "", content: Content(unrecorded: 0, mimeType: "x-unknown"))
        let response = response ?? none
        if !response.chunks.isEmpty {
            own["chunks"] = .array(response.chunks.map { ["offset": json($0.offset), "time": json($0.time)] })
        }
        if !response.trailers.fields.isEmpty { own["trailers"] = json(response.trailers) }
        let (text, encoding, file) = text(response.content.data, attach)
        own["responseFile"] = file
        var content: [String: JSONValue] = [
            "size": json(response.content.size), "mimeType": .string(response.content.mimeType),
        ]
        content["text"] = text
        content["encoding"] = encoding
        return [
            "status": json(response.statusCode), "statusText": "", "httpVersion": .string(response.version),
            "cookies": [], "headers": json(response.headers), "content": .object(content),
            "redirectURL": .string(response.headers["Location"] ?? ""), "headersSize": -1, "bodySize": -1,
        ]
    }

    /// Returns the text of content with its encoding, or the name of the file that contains it.
    private static func text(
        _ data: Data?, _ attach: (Data) -> String?
    ) -> (text: JSONValue?, encoding: JSONValue?, file: JSONValue?) {
        guard let data else { return (nil, nil, nil) }
        if let name = attach(data) { return (nil, nil, .string(name)) }
        guard let text = String(validating: data, as: UTF8.self) else {
            return (.string(data.base64EncodedString()), "base64", nil)
        }
        return (.string(text), nil, nil)
    }

    private static func json(_ headers: HTTPHeaders) -> JSONValue {
        .array(headers.fields.map { ["name": .string($0.name), "value": .string($0.value)] })
    }

    private static func json(_ number: Int) -> JSONValue { .int(Int64(number)) }

    /// Milliseconds; -1 for a phase that does not apply.
    private static func json(_ duration: Duration?) -> JSONValue {
        .double(duration.map { (Double($0.nanoseconds) / 1000).rounded() / 1000 } ?? -1)
    }
}

extension Date {
    fileprivate var archived: String {
        let milliseconds = Int64(clamping: (min(max(timeIntervalSince1970, 0), 253_402_300_799) * 1000).rounded())
        let whole = Date(timeIntervalSince1970: Double(milliseconds / 1000)).formatted(.iso8601)
        let fraction = String(milliseconds % 1000 + 1000).dropFirst()
        return "\(whole.prefix { $0 != "Z" }).\(fraction)Z"
    }
}
