import Foundation

extension RequestType {
    /// Returns the request as a shell command for curl.
    ///
    /// Arguments are quoted for a POSIX shell. If the body is a file, the command contains the path of the file. If the
    /// body is a stream, the command ends with a shell comment in place of the content.
    ///
    /// - Parameter redaction: the values that are hidden. With `.nothing`, curl sends the same request, except for
    ///   streams, and data that is not UTF-8 text or has a NUL: a shell comment replaces both. With other redactions,
    ///   curl may send a different request, because placeholders replace hidden values, and a description may replace
    ///   the content.
    public func cURLDescription(redaction: Redaction = .all) -> String {
        cURLDescription(redaction, longest: .max)
    }

    /// - Parameter longest: the number of characters after which content is cut.
    func cURLDescription(_ redaction: Redaction, longest: Int) -> String {
        var lines = [method == .head ? "curl -v --head" : "curl -v -X \(Self.quoted(method.rawValue))"]
        // The transports send a type of data, and a length if there is no content. curl would send the type of a form.
        var fields = headers.dictionary
        var content: String?
        var remark = ""
        switch body {
        case .data(let data) where !data.isEmpty:
            if headers["Content-Type"] == nil { fields["Content-Type"] = "application/octet-stream" }
            if !redaction.isOff || data.count > longest {
                let type = headers["Content-Type"]
                content = "--data-raw \(Self.quoted(redaction.body(data, contentType: type, longest: longest)))"
            } else if let text = String(validating: data, as: UTF8.self), !text.utf8.contains(0) {
                content = "--data-raw \(Self.quoted(text))"
            } else {
                remark = " # and \(data.count) bytes of content"
            }
        case .none, .data:
            if [.post, .put, .patch].contains(method), headers["Content-Length"] == nil {
                fields["Content-Length"] = "0"
            }
        case .file(let file): content = "--data-binary \(Self.quoted("@\(file.path)"))"
        case .stream: remark = " # and content that is streamed"
        }
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            // To send a field with an empty value, curl requires `name;`. With `name:`, curl would omit the field.
            let field = value.isEmpty ? "\(name);" : "\(name): \(redaction.header(name, value))"
            lines.append("-H \(Self.quoted(field))")
        }
        if let content { lines.append(content) }
        lines.append(Self.quoted(redaction.url(sent.url.absoluteString)))
        return lines.joined(separator: " \\\n    ") + remark
    }

    /// Between single quotes, a shell interprets no character but the single quote itself.
    private static func quoted(_ text: String) -> String {
        "'" + text.escaping { $0 == "'" ? "'\\''" : nil } + "'"
    }
}
