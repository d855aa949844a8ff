import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ResponseHead {
    /// Creates the head from the response of a task.
    init(_ response: HTTPURLResponse) {
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            fields["\(name)"] = "\(value)".trimmingCharacters(in: .whitespaces)
        }
        var headers = HTTPHeaders(fields)
        if let cookies = headers["Set-Cookie"] {
            headers["Set-Cookie"] = nil
            for cookie in cookies.splitCookies { headers.add("Set-Cookie", cookie) }
        }
        self.init(statusCode: response.statusCode, version: "HTTP/1.1", headers: headers)
    }
}

extension String {
    /// The values of the `Set-Cookie` fields that Foundation has joined with commas into this text.
    ///
    /// Cookie values and dates may contain commas, too. Therefore the text is split only at a comma that is followed by
    /// a name and `=`. A cookie value such as `a,b=c` is split incorrectly.
    fileprivate var splitCookies: [String] {
        split(separator: /,\s*(?=[^;,=\s]+=)/).map(String.init)
    }
}
