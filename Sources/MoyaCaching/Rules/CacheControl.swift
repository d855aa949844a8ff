import MoyaHTTP

/// The directives of `Cache-Control` in a request or response (RFC 9111, section 5.2).
///
/// A malformed directive has its most restrictive meaning: an invalid `max-age` counts as 0, an unterminated quoted
/// string counts as `no-store`, and a `no-cache` with an empty list of fields applies to the whole response.
struct CacheControl: Sendable {
    private(set) var maxAge: Int?
    private(set) var sharedMaxAge: Int?
    private(set) var minFresh: Int?
    /// The maximum staleness that a request accepts (RFC 9111, section 5.2.1.2); `Int.max` without a limit.
    private(set) var maxStale: Int?
    private(set) var staleWhileRevalidate: Int?
    private(set) var staleIfError: Int?
    /// Whether `no-cache` applies to the whole response (RFC 9111, section 5.2.2.4).
    private(set) var noCache = false
    private(set) var noCacheFields: [String] = []
    private(set) var noStore = false
    private(set) var onlyIfCached = false
    private(set) var mustRevalidate = false
    private(set) var mustUnderstand = false
    private(set) var isPublic = false
    /// Whether there is a directive `private`, with or without the names of fields.
    private(set) var isPrivate = false
    private(set) var isImmutable = false

    init(_ headers: HTTPHeaders) {
        guard let value = headers["Cache-Control"] else { return }
        let elements = ListFieldValue(value)
        noStore = !elements.isTerminated
        for element in elements.elements { take(element) }
    }

    /// The directives of a request: any `no-cache` applies to the whole response, and so does that of `Pragma`.
    init(ofRequest headers: HTTPHeaders) {
        self.init(headers)
        // RFC 9111, section 5.4: `Pragma` is used only if there is no `Cache-Control`.
        let isPragma =
            headers["Cache-Control"] == nil
            && ListFieldValue(headers["Pragma"] ?? "").elements.contains { $0.lowercased() == "no-cache" }
        noCache = isPragma || noCache || !noCacheFields.isEmpty
    }

    private mutating func take(_ element: Substring) {
        let parts = element.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let argument = parts.count > 1 ? parts[1].unquoted : nil
        switch parts[0].lowercased() {
        // RFC 9111, section 4.2.1: if a directive occurs several times, its first value is used.
        case "max-age": maxAge = maxAge ?? Self.seconds(argument) ?? 0
        case "s-maxage": sharedMaxAge = sharedMaxAge ?? Self.seconds(argument) ?? 0
        case "min-fresh": minFresh = minFresh ?? Self.seconds(argument) ?? Self.largest
        case "max-stale": maxStale = maxStale ?? argument.map { Self.seconds($0) ?? 0 } ?? .max
        // RFC 5861, sections 3 and 4, defines `stale-while-revalidate` and `stale-if-error`.
        case "stale-while-revalidate": staleWhileRevalidate = staleWhileRevalidate ?? Self.seconds(argument) ?? 0
        case "stale-if-error": staleIfError = staleIfError ?? Self.seconds(argument) ?? 0
        case "no-cache":
            let names = argument.map { ListFieldValue($0).elements.map { $0.lowercased() } } ?? []
            if names.isEmpty { noCache = true } else { noCacheFields += names }
        case "no-store": noStore = true
        case "only-if-cached": onlyIfCached = true
        case "must-revalidate": mustRevalidate = true
        case "must-understand": mustUnderstand = true
        case "public": isPublic = true
        case "private": isPrivate = true
        // RFC 8246, section 2: an argument of `immutable` is ignored.
        case "immutable": isImmutable = true
        default: break
        }
    }

    /// The maximum result of ``seconds(_:)`` (RFC 9111, section 1.2.2); `Int.max` on watches whose `Int` has 32 bits.
    static let largest = Int(clamping: 1 << 31 as Int64)

    /// Parses `delta-seconds` (RFC 9111, section 1.2.2); returns `nil` for a text that does not consist of digits.
    static func seconds(_ text: String?) -> Int? {
        guard let text, text.isDigits else { return nil }
        return min(Int(text) ?? largest, largest)
    }
}
