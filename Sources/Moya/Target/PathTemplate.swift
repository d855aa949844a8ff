import Foundation

extension StringProtocol where SubSequence == Substring {
    /// The texts of a path such as `/users/{id}`, each with the placeholder that follows it; the last text has none.
    var templateParts: [(text: Substring, placeholder: String?)] {
        var parts: [(Substring, String?)] = []
        var rest = self[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            parts.append((rest[..<open], String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        return parts + [(rest, nil)]
    }
}

extension RelativeTarget {
    func url() throws(MoyaError) -> (text: String, isRelative: Bool) {
        let path = try encodedPath()
        guard let baseURL = ownBaseURL else { return (path, true) }
        return (baseURL.appending(encodedPath: path), false)
    }

    private var ownBaseURL: URL? {
        // A cast to the concrete type does not allocate memory, unlike a cast to `any TargetType`.
        func baseURL<Absolute: TargetType>(as _: Absolute.Type) -> URL? { (self as? Absolute)?.baseURL }
        return (Self.self as? any TargetType.Type).flatMap { baseURL(as: $0) }
    }

    private func encodedPath() throws(MoyaError) -> String {
        let mode = options.pathMode
        guard mode == .allowingQuery, let mark = path.firstIndex(of: "?") else {
            return try checked(filledIn(path, mode))
        }
        let query = path[path.index(after: mark)...].percentEncoded(allowing: .wholeQuery, keepingEscapes: true)
        return "\(try checked(filledIn(String(path[..<mark]), .literal)))?\(query)"
    }

    /// How errors name the path: without a query, which may contain secrets.
    private var pathName: String { "path \(path.withoutQuery.debugDescription)" }

    private func checked(_ encoded: String) throws(MoyaError) -> String {
        guard encoded.hasDotSegments else { return encoded }
        throw .requestMapping(
            "\(pathName) of \(type(of: self)) has a segment . or .., which would name another path. Write the path without "
                + "it.")
    }

    /// An enum has no stored properties, so braces in its path are plain text.
    private func filledIn(_ path: String, _ mode: RequestOptions.PathMode) throws(MoyaError) -> String {
        guard path.utf8.contains(UInt8(ascii: "{")),
            [.struct, .class].contains(Mirror(reflecting: self).displayStyle)
        else { return try encoded(path[...], mode) }
        let values = storedProperties(of: self)
        var result = ""
        for (text, placeholder) in path.templateParts {
            result += try encoded(text, mode)
            if let placeholder { result += try segment(placeholder, values[placeholder]) }
        }
        return result
    }

    private func encoded(_ text: Substring, _ mode: RequestOptions.PathMode) throws(MoyaError) -> String {
        guard mode == .preEncoded else { return text.percentEncoded(allowing: .path) }
        let encoded = text.percentEncoded(allowing: .path, keepingEscapes: true)
        guard encoded == text else {
            throw .requestMapping(
                "\(pathName) of \(type(of: self)) is not percent-encoded, as its pathMode says. Encode it, or use the mode "
                    + "literal.")
        }
        return encoded
    }

    private func segment(_ name: String, _ value: Any?) throws(MoyaError) -> String {
        let place = "\(pathName) needs a value for {\(name)}, but \(type(of: self))"
        guard let value else { throw .requestMapping("\(place) has no stored property \(name.debugDescription)") }
        let text: String?
        do throws(ParameterError) {
            text = try ParameterValue(value, at: name).text
        } catch {
            throw .requestMapping("\(place): \(error.description)")
        }
        guard let text else { throw .requestMapping("\(place) has nil or a collection there. Use a single value.") }
        guard !["", ".", ".."].contains(text) else {
            throw .requestMapping("\(place) has \(text.debugDescription) there, which would name another path")
        }
        return text.percentEncoded(allowing: .segment)
    }
}

extension URL {
    // Puts one slash between the paths; an empty path changes nothing. The URL's query precedes the path's.
    func appending(encodedPath path: String) -> String {
        guard !path.isEmpty else { return absoluteString }
        let whole = absoluteString
        let end = whole.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? whole.endIndex
        let fragment = whole[end...].utf8.firstIndex(of: UInt8(ascii: "#")) ?? whole.endIndex
        var start = whole.utf8[..<end]
        let queryMark = path.utf8.firstIndex(of: UInt8(ascii: "?")) ?? path.endIndex
        let hasPath = queryMark > path.startIndex
        while hasPath, start.last == UInt8(ascii: "/") { start.removeLast() }
        var joined = ""
        joined.reserveCapacity(whole.utf8.count + path.utf8.count + 1)
        joined += Substring(start)
        if hasPath { joined += "/" }
        joined += Substring(path[..<queryMark].utf8.drop { $0 == UInt8(ascii: "/") })
        joined += whole[end..<fragment]
        if queryMark < path.endIndex {
            let hasEmptyQuery = end < fragment && whole.utf8.index(after: end) == fragment
            joined += hasEmptyQuery ? "" : end < fragment ? "&" : "?"
            joined += path[queryMark...].dropFirst()
        }
        joined += whole[fragment...]
        return joined
    }
}
