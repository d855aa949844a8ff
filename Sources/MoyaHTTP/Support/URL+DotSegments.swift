package import Foundation

extension URL {
    /// The URL without the segments `.` and `..` of its path (RFC 3986, section 5.2.4).
    ///
    /// Some transports remove these segments and others do not, so that a request would have different targets.
    package var withoutDotSegments: URL {
        let text = absoluteString
        guard text.mayHaveDotSegments, let authority = text.range(of: "://")?.upperBound,
            let start = text[authority...].firstIndex(where: { "/?#".contains($0) })
        else { return self }
        let end = text[start...].firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        guard text[start..<end].hasDotSegments else { return self }
        var segments: [Substring] = []
        let all = text[start..<end].split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for segment in all {
            switch segment.dotSegment {
            case ".": break
            case "..": _ = segments.popLast()
            default: segments.append(segment)
            }
        }
        if all.last?.dotSegment != nil { segments.append("") }
        return URL(string: "\(text[..<start])/\(segments.joined(separator: "/"))\(text[end...])") ?? self
    }
}

extension StringProtocol {
    package var hasDotSegments: Bool {
        @_specialize(where Self == String)
        @_specialize(where Self == Substring)
        get { mayHaveDotSegments && split(separator: "/").contains { $0.dotSegment != nil } }
    }

    /// Whether a segment begins with a dot or a percent sign: most URLs have none and need not be split.
    fileprivate var mayHaveDotSegments: Bool {
        var previous = UInt8(ascii: "/")
        for byte in utf8 {
            if previous == UInt8(ascii: "/"), byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%") { return true }
            previous = byte
        }
        return false
    }

    fileprivate var dotSegment: String? {
        guard utf8.count <= 6 else { return nil }
        let decoded = lowercased().replacing("%2e", with: ".")
        return decoded == "." || decoded == ".." ? decoded : nil
    }
}
