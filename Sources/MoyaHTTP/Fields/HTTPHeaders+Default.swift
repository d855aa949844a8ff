import Foundation

extension HTTPHeaders {
    /// The fields that a provider adds to every request that does not have them: `User-Agent` and `Accept-Language`.
    ///
    /// `User-Agent` (RFC 9110, section 10.1.5) names the application, this package and the operating system, as in
    /// `Shop/2.1 Moya/1.0 (Linux; x86_64)`. The version of the application is omitted if its bundle has none.
    /// `Accept-Language` (RFC 9110, section 12.5.4) has up to six of the user's preferred languages, as in
    /// `de-AT, en;q=0.9`. The fields are the same for all transports.
    ///
    /// A field of the target takes precedence over the default field of the same name. Pass other default fields to a
    /// provider, or no fields:
    ///
    /// ```swift
    /// let provider = MoyaProvider<GitHub>(defaultHeaders: ["User-Agent": "shop-server/2.1"])
    /// let silent = MoyaProvider<GitHub>(defaultHeaders: [:])
    /// ```
    public static let `default`: HTTPHeaders = [
        "User-Agent": userAgent, "Accept-Language": acceptLanguage(Locale.preferredLanguages),
    ]

    private static var userAgent: String {
        let info = Bundle.main.infoDictionary
        let name = (info?["CFBundleName"] as? String ?? ProcessInfo.processInfo.processName).asToken
        let version = (info?["CFBundleShortVersionString"] as? String)?.asToken ?? ""
        let products = [name.isEmpty ? "" : version.isEmpty ? name : "\(name)/\(version)", "Moya/1.0", system]
        return products.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static var system: String {
        #if os(Linux)
            let name = "Linux"
        #elseif os(macOS)
            let name = "macOS"
        #elseif os(iOS)
            let name = "iOS"
        #elseif os(tvOS)
            let name = "tvOS"
        #elseif os(watchOS)
            let name = "watchOS"
        #elseif os(visionOS)
            let name = "visionOS"
        #else
            let name = "unknown"
        #endif
        #if arch(x86_64)
            return "(\(name); x86_64)"
        #elseif arch(arm64)
            return "(\(name); arm64)"
        #else
            return "(\(name))"
        #endif
    }

    static func acceptLanguage(_ languages: [String]) -> String {
        let tags = languages.map { $0.replacing("_", with: "-") }.filter { !$0.isEmpty && $0.isToken }.prefix(6)
        guard !tags.isEmpty else { return "*" }
        return tags.enumerated().map { index, tag in index == 0 ? tag : "\(tag);q=0.\(10 - index)" }
            .joined(separator: ", ")
    }
}

extension String {
    /// The text without the characters that a token cannot have (RFC 9110, section 5.6.2).
    fileprivate var asToken: String { filter { String($0).isToken } }
}
