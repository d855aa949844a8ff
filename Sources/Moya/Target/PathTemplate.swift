import Foundation

extension RelativeTarget {
    /// The target's URL: its path below its base URL, or, without one, the path alone.
    func url() throws(MoyaError) -> String {
        let path = try encodedPath()
        return (self as? any TargetType)?.baseURL.appending(encodedPath: path) ?? path
    }

    private func encodedPath() throws(MoyaError) -> String {
        var values: [String: Any] = [:]
        let mirror = Mirror(reflecting: self)
        // An enum's path is written out by its author: braces in it are text.
        guard mirror.displayStyle == .struct || mirror.displayStyle == .class, path.contains("{") else {
            return path.percentEncoded(allowing: .path)
        }
        for (label, value) in mirror.children { if let label { values[label] = value } }
        var result = ""
        var rest = path[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            result += rest[..<open].percentEncoded(allowing: .path)
            let name = String(rest[rest.index(after: open)..<close])
            result += try segment(name, values[name])
            rest = rest[rest.index(after: close)...]
        }
        return result + rest.percentEncoded(allowing: .path)
    }

    private func segment(_ name: String, _ value: Any?) throws(MoyaError) -> String {
        let place = "path \(path.debugDescription) needs a value for {\(name)}; \(type(of: self))"
        guard let value else { throw .requestMapping("\(place) has no stored property \(name.debugDescription)") }
        let text: String?
        do throws(ParameterError) {
            text = try ParameterValue(value, at: name).text
        } catch {
            throw .requestMapping("\(place): \(error.description)")
        }
        guard let text else { throw .requestMapping("\(place) has nil or a collection there: use a single value") }
        guard !["", ".", ".."].contains(text) else {
            throw .requestMapping("\(place) has \(text.debugDescription) there, which would name another path")
        }
        return text.percentEncoded(allowing: .segment)
    }
}

extension URL {
    /// This URL with a path below its own: an empty one leaves it as it is, otherwise exactly one slash joins the two, and
    /// a query stays.
    func appending(encodedPath path: String) -> String {
        guard !path.isEmpty else { return absoluteString }
        let whole = absoluteString
        let end = whole.firstIndex { $0 == "?" || $0 == "#" } ?? whole.endIndex
        var start = whole[..<end]
        while start.hasSuffix("/") { start.removeLast() }
        return start + "/" + path.drop { $0 == "/" } + whole[end...]
    }
}
