import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ResponseHead {
    init(_ response: HTTPURLResponse) {
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            fields["\(name)"] = String("\(value)".trimmed)
        }
        var headers = HTTPHeaders(fields)
        headers.split("Set-Cookie", at: /,\s*(?=[^;,=\s]+=)/)
        headers.split("Location", at: /,\s(?=[A-Za-z][A-Za-z0-9+.\-]*:|\/)/)
        self.init(statusCode: response.statusCode, version: "HTTP/1.1", headers: headers)
    }
}

extension HTTPHeaders {
    /// Splits the values of a field that Foundation has joined with commas.
    ///
    /// A value may contain commas, too. Therefore cookies are split only at a comma that is followed by a name and `=`,
    /// and locations at a comma and a space that are followed by a scheme or a slash. A cookie value such as `a,b=c` is
    /// split incorrectly.
    fileprivate mutating func split(_ name: String, at separator: @autoclosure () -> some RegexComponent) {
        guard let joined = self[name] else { return }
        self[name] = nil
        for value in joined.split(separator: separator()) { add(name, String(value)) }
    }
}
