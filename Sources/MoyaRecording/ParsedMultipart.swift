package import Foundation
import MoyaHTTP

/// The parts of multipart content (RFC 2046, section 5.1.1).
package struct ParsedMultipart {
    package struct Part {
        /// The lines of the header fields, without the line end of the last line.
        package var head: String
        package var content: Data

        /// The name of the form field that the part contains (RFC 7578, section 4.2).
        package var name: String? { field("Content-Disposition")?.parameter("name") }
        package var isFile: Bool { field("Content-Disposition")?.parameter("filename") != nil }

        package var mimeType: String? { field("Content-Type") }

        private func field(_ name: String) -> String? {
            for line in head.components(separatedBy: "\r\n") {
                guard let colon = line.firstIndex(of: ":"), line[..<colon].trimmed.lowercased() == name.lowercased()
                else { continue }
                return String(line[line.index(after: colon)...].trimmed)
            }
            return nil
        }
    }

    package var parts: [Part]
    package let boundary: String

    package init?(_ data: Data, type: String) {
        guard type.mediaType.hasPrefix("multipart/"), let boundary = type.parameter("boundary"), !boundary.isEmpty
        else {
            return nil
        }
        self.boundary = boundary
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
            // A line may continue the field before it (RFC 822, section 3.1.1).
            let lines = String(decoding: fields, as: UTF8.self)
                .replacing("\r\n ", with: "   ").replacing("\r\n\t", with: "   ")
            parts.append(Part(head: lines, content: content))
            rest = next.upperBound
        }
    }

    package func data(boundary: String) -> Data {
        parts.reduce(into: Data()) { data, part in
            data += Data("--\(boundary)\r\n\(part.head)\r\n\r\n".utf8) + part.content + Data("\r\n".utf8)
        } + Data("--\(boundary)--\r\n".utf8)
    }
}
