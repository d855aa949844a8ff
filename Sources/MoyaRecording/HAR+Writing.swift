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
        guard let file = try? JSONDecoder().decode(HARFile.self, from: data),
            file.log.creator?.name == Creator.moya.name
        else { return [] }
        let own = (file.log.entries ?? []).compactMap { try? $0.entry.get()._moya }
        return Set(own.compactMap(\.requestFile) + own.compactMap(\.responseFile))
    }

    /// - Parameter attach: returns the name of a separate file for the content; `nil` includes the content in the JSON.
    private func encoded(attach: (Data) -> String?) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Archives from other programs get this creator, too. Otherwise, reading the file would ignore `_moya`.
        let creator = HARFile.Creator(name: Creator.moya.name, version: Creator.moya.version)
        let log = HARFile.Log(version: "1.2", creator: creator, entries: entries.map { .init(Self.file($0, attach)) })
        return try encoder.encode(HARFile(log: log)) + Data("\n".utf8)
    }

    private static func file(_ entry: Entry, _ attach: (Data) -> String?) -> HARFile.Entry {
        var own = HARFile.MoyaExtension()
        own.attempt = entry.attempt > 1 ? entry.attempt : nil
        own.failure = entry.failure.map { HARFile.Failure(code: $0.code, text: $0.description) }
        let request = file(entry.request, &own, attach)
        let response = file(entry.response, &own, attach)
        let timings = entry.timings
        return HARFile.Entry(
            startedDateTime: entry.start.archived, time: .init(timings.total.milliseconds), request: request,
            response: response,
            timings: HARFile.Timings(
                blocked: .init(timings.blocked?.milliseconds ?? -1), dns: .init(timings.dns?.milliseconds ?? -1),
                connect: .init(timings.connect?.milliseconds ?? -1), ssl: .init(timings.ssl?.milliseconds ?? -1),
                send: .init(timings.send.milliseconds), wait: .init(timings.wait.milliseconds),
                receive: .init(timings.receive.milliseconds)),
            _moya: own == HARFile.MoyaExtension() ? nil : own)
    }

    private static func file(
        _ request: Request, _ own: inout HARFile.MoyaExtension, _ attach: (Data) -> String?
    ) -> HARFile.Request {
        let content = text(request.content?.data, attach)
        let postData = request.content.map { HARFile.PostData(mimeType: $0.mimeType, text: content.text ?? "") }
        own.requestEncoding = content.encoding
        own.requestFile = content.file
        own.requestSize = request.content.flatMap { $0.data == nil ? $0.size : nil }
        let query = request.url.query(percentEncoded: true)?.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.formDecoded)
            return HARFile.NameValuePair(name: parts[0], value: parts.count > 1 ? parts[1] : "")
        }
        return HARFile.Request(
            method: request.method.rawValue, url: request.url.absoluteString, httpVersion: request.version,
            headers: fields(request.headers), queryString: query ?? [], postData: postData,
            bodySize: .init(Double(request.content?.size ?? 0)))
    }

    private static func file(
        _ response: Response?, _ own: inout HARFile.MoyaExtension, _ attach: (Data) -> String?
    ) -> HARFile.Response {
        // The status 0 says that there is no response.
        let none = Response(statusCode: 0, version: "", content: Content(unrecorded: 0, mimeType: "x-unknown"))
        let response = response ?? none
        own.chunks =
            response.chunks.isEmpty
            ? nil : response.chunks.map { HARFile.Chunk(offset: $0.offset, time: $0.time.milliseconds) }
        own.trailers = response.trailers.fields.isEmpty ? nil : fields(response.trailers)
        let (text, encoding, name) = text(response.content.data, attach)
        own.responseFile = name
        let content = HARFile.Content(
            size: .init(Double(response.content.size)), mimeType: response.content.mimeType, text: text,
            encoding: encoding)
        return HARFile.Response(
            status: .init(Double(response.statusCode)), httpVersion: response.version,
            headers: fields(response.headers), content: content, redirectURL: response.headers["Location"] ?? "")
    }

    /// Returns the text of content with its encoding, or the name of the file that contains it.
    private static func text(
        _ data: Data?, _ attach: (Data) -> String?
    ) -> (text: String?, encoding: String?, file: String?) {
        guard let data else { return (nil, nil, nil) }
        if let name = attach(data) { return (nil, nil, name) }
        let text = String(validating: data, as: UTF8.self)
        return (text ?? data.base64EncodedString(), text == nil ? "base64" : nil, nil)
    }

    private static func fields(_ headers: HTTPHeaders) -> [HARFile.NameValuePair] {
        headers.fields.map { HARFile.NameValuePair(name: $0.name, value: $0.value) }
    }
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
