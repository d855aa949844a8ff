package import Foundation

/// The parts of multipart content (RFC 2046, section 5.1.1).
package struct ParsedMultipart {
    package struct Part {
        /// The lines of the header fields, without the line end of the last line.
        package var head: String
        package var content: Data

        /// The name of the form field that the part contains (RFC 7578, section 4.2).
        package var name: String? { parameter("name") }
        package var isFile: Bool { parameter("filename") != nil }

        /// The media type; `nil` if the part does not declare one.
        package var mimeType: String? {
            for line in head.components(separatedBy: "\r\n") where line.lowercased().hasPrefix("content-type:") {
                return line.dropFirst("content-type:".count).trimmingCharacters(in: .whitespaces)
            }
            return nil
        }

        private func parameter(_ name: String) -> String? {
            guard let start = head.range(of: "; \(name)=", options: .caseInsensitive)?.upperBound else { return nil }
            let value = head[start...]
            return String(
                value.hasPrefix("\"")
                    ? value.dropFirst().prefix { $0 != "\"" } : value.prefix { !"; \r\n".contains($0) })
        }
    }

    package var parts: [Part]
    /// The text that separates the parts.
    package let boundary: String

    /// Parses content; returns `nil` if it is not well-formed multipart content.
    ///
    /// - Parameter type: the media type with its parameter `boundary`.
    package init?(_ data: Data, type: String) {
        guard type.lowercased().hasPrefix("multipart/"),
            let start = type.range(of: "boundary=", options: .caseInsensitive)?.upperBound
        else { return nil }
        boundary = type[start...].prefix { $0 != ";" }.trimmingCharacters(in: CharacterSet(charactersIn: "\" "))
        guard !boundary.isEmpty else { return nil }
        let delimiter = Data("\r\n--\(boundary)".utf8)
        let lineEnd = Data("\r\n".utf8)
        // `delimiter` begins with a line end. So a line end is added to find the delimiter at the start of `data`, too.
        let data = lineEnd + data
        guard var rest = data.range(of: delimiter)?.upperBound else { return nil }
        parts = []
        while !data[rest...].starts(with: Data("--".utf8)) {
            guard data[rest...].starts(with: lineEnd), let next = data.range(of: delimiter, in: rest..<data.endIndex),
                let head = data.range(of: lineEnd + lineEnd, in: rest..<next.lowerBound)
            else { return nil }
            let fields = data[rest..<head.lowerBound].dropFirst(2)
            let content = Data(data[head.upperBound..<next.lowerBound])
            parts.append(Part(head: String(decoding: fields, as: UTF8.self), content: content))
            rest = next.upperBound
        }
    }

    /// Returns the parts as multipart content with the given boundary.
    package func data(boundary: String) -> Data {
        parts.reduce(into: Data()) { data, part in
            data += Data("--\(boundary)\r\n\(part.head)\r\n\r\n".utf8) + part.content + Data("\r\n".utf8)
        } + Data("--\(boundary)--\r\n".utf8)
    }
}
