import Foundation

extension ResponseHead {
    init(_ response: HTTPURLResponse) {
        // On Linux, the dictionary may have names that differ only in case.
        let fields = response.allHeaderFields.map { (name: "\($0.key)", value: String("\($0.value)".trimmed)) }
        var headers = HTTPHeaders()
        for (name, value) in fields.sorted(by: { $0.name < $1.name }) { headers.add(name, value) }
        headers.split("Set-Cookie", at: /,\s*(?=[^;,=\s]+=)/)
        headers.split("Location", at: /,\s(?=[A-Za-z][A-Za-z0-9+.\-]*:|\/)/)
        self.init(statusCode: response.statusCode, version: "HTTP/1.1", headers: headers)
    }
}

extension HTTPHeaders {
    // Splits values that Foundation has joined with commas. Values contain commas too, so cookies split only before
    // `name=`, and locations before a scheme or slash. A cookie value such as `a,b=c` is split incorrectly.
    fileprivate mutating func split(_ name: String, at separator: @autoclosure () -> some RegexComponent) {
        guard let joined = self[name] else { return }
        self[name] = nil
        for value in joined.split(separator: separator()) { add(name, String(value)) }
    }
}
