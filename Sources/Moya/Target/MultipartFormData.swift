import Foundation

/// A form that is sent as `multipart/form-data` (RFC 7578): several parts, each with a name.
///
/// ```swift
/// let form: MultipartFormData = [
///     MultipartFormBodyPart(provider: .data(Data("Ash".utf8)), name: "name"),
///     MultipartFormBodyPart(provider: .file(photo), name: "photo"),
/// ]
/// ```
/// Files and streams are read while they are sent: at most one buffer of their content is in memory.
public struct MultipartFormData: Sendable, ExpressibleByArrayLiteral {
    /// The delimiter between the parts: 1 to 70 of the characters that RFC 2046, section 5.1.1 allows.
    ///
    /// If `nil`, each request has a random one.
    public let boundary: String?
    /// The parts, in order; building a request from a form without parts throws an error.
    public let parts: [MultipartFormBodyPart]

    /// Creates a form; for each parameter, see the property of the same name.
    public init(boundary: String? = nil, parts: [MultipartFormBodyPart]) {
        self.boundary = boundary
        self.parts = parts
    }

    /// Creates a form with a random boundary.
    public init(arrayLiteral parts: MultipartFormBodyPart...) {
        self.init(parts: parts)
    }
}

/// One part of a form.
public struct MultipartFormBodyPart: Sendable {
    /// The content of the part.
    public let provider: RequestBody
    /// The name of the form field.
    public let name: String
    /// The file name that the server receives.
    ///
    /// If `nil`, a file has the last component of its URL as its name, and other content has no file name.
    public let fileName: String?
    /// The type of the content, such as `image/png`.
    ///
    /// If `nil`, the type is derived from the extension of the file name. Without a file name, no type is sent.
    public let mimeType: String?

    /// Creates a part; for the effect of `nil`, see ``fileName`` and ``mimeType``.
    public init(provider: RequestBody, name: String, fileName: String? = nil, mimeType: String? = nil) {
        self.provider = provider
        self.name = name
        self.fileName = fileName
        self.mimeType = mimeType
    }

    /// Returns the header lines of the part, including the empty line before the content.
    func head() throws(MoyaError) -> String {
        var fileName = fileName
        if case .file(let url) = provider { fileName = fileName ?? url.lastPathComponent }
        let mimeType = mimeType ?? fileName.map(FileMediaType.ofFile(named:))
        var head = "Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
        if let fileName { head += "; filename=\"\(Self.escaped(fileName))\"" }
        if let mimeType {
            guard !mimeType.hasControls else {
                throw .requestMapping("the type of the part \(name.debugDescription) contains a control character")
            }
            head += "\r\nContent-Type: \(mimeType)"
        }
        return head + "\r\n\r\n"
    }

    /// Escapes a name as browsers do, so that no character of the name ends the quoted string or the header line.
    private static func escaped(_ name: String) -> String { name.escaping { escapes[$0] } }

    private static let escapes: [Unicode.Scalar: String] = ["\"": "%22", "\r": "%0D", "\n": "%0A", "\0": "%00"]
}

extension MultipartFormData {
    func encoded() throws(MoyaError) -> (body: RequestBody, contentType: String) {
        guard !parts.isEmpty else {
            throw .requestMapping("a multipart form has no part, and needs at least one (RFC 2046, section 5.1)")
        }
        let boundary = boundary ?? "moya." + String.unique
        let allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'()+_,-./:=? ".utf8
        guard (1...70).contains(boundary.utf8.count), boundary.last != " ", boundary.utf8.allSatisfy(allowed.contains)
        else {
            throw .requestMapping(
                "\(boundary.debugDescription) is not a valid multipart boundary. Use 1 to 70 letters, digits and '()+_,-./:=? and no space "
                    + "at the end.")
        }
        var pieces: [(body: RequestBody, length: Int64?)] = []
        func append(_ body: RequestBody) throws(MoyaError) { pieces.append((body, try body.checkedLength())) }
        for part in parts {
            try append(.data(Data("--\(boundary)\r\n\(try part.head())".utf8)))
            try append(part.provider)
            try append(.data(Data("\r\n".utf8)))
        }
        try append(.data(Data("--\(boundary)--\r\n".utf8)))
        let length = pieces.reduce(0 as Int64?) { sum, piece in piece.length.flatMap { sum?.adding($0) ?? nil } }
        let body = RequestBody.stream(length: length) { [pieces] resume in
            ConcatenatedBodyReader(parts: pieces[...], resume: resume)
        }
        let value = boundary.isToken ? boundary : "\"\(boundary)\""
        return (body, "multipart/form-data; boundary=\(value)")
    }
}

extension RequestBody {
    func checkedLength() throws(MoyaError) -> Int64? {
        let length: Int64?
        do {
            length = try self.length()
        } catch {
            guard case .file(let url) = self else { throw .underlying(error, nil) }
            // Foundation's errors on Linux begin with a sentence that says nothing.
            let reason = TransportError.unavailable(error).description
                .replacing("The operation could not be completed. ", with: "")
            throw .requestMapping("the file \(url.lastPathComponent.debugDescription) cannot be sent: \(reason)")
        }
        if let length, length < 0 {
            throw .requestMapping("the content cannot be sent: a length of \(length) bytes was declared")
        }
        return length
    }
}

/// Opens each part when the previous part has been read.
private struct ConcatenatedBodyReader: BodyReader {
    /// With the lengths that were declared: a file may have grown since.
    var parts: ArraySlice<(body: RequestBody, length: Int64?)>
    let resume: @Sendable () -> Void
    var current: (any BodyReader)?

    mutating func read(upTo count: Int) throws -> BodyPart {
        while true {
            if var reader = current {
                let part = try reader.read(upTo: count)
                current = reader
                guard case .end = part else { return part }
            }
            guard let (body, length) = parts.popFirst() else { return .end }
            current = try body.open(checking: length, resume: resume)
        }
    }
}

enum FileMediaType {
    static func ofFile(named name: String) -> String {
        let suffix = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last?.lowercased() ?? ""
        return known[suffix] ?? "application/octet-stream"
    }

    private static let known = [
        "avif": "image/avif", "csv": "text/csv", "gif": "image/gif", "gz": "application/gzip", "heic": "image/heic",
        "htm": "text/html", "html": "text/html", "jpeg": "image/jpeg", "jpg": "image/jpeg", "json": "application/json",
        "m4a": "audio/mp4", "md": "text/markdown", "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4",
        "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml", "tar": "application/x-tar",
        "txt": "text/plain", "wav": "audio/wav", "webm": "video/webm", "webp": "image/webp", "xml": "application/xml",
        "zip": "application/zip",
    ]
}
