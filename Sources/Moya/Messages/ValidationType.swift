/// The status codes that count as success; with any other status code, the request fails.
public enum ValidationType: Sendable, Hashable {
    /// No validation: every status code counts as success.
    case none
    /// 200 to 299.
    case successCodes
    /// 200 to 399.
    case successAndRedirectCodes
    /// The given status codes; all status codes if the list is empty.
    case customCodes([Int])

    func accepts(_ statusCode: Int) -> Bool {
        switch self {
        case .none: true
        case .successCodes: (200..<300).contains(statusCode)
        case .successAndRedirectCodes: (200..<400).contains(statusCode)
        case .customCodes(let codes): codes.isEmpty || codes.contains(statusCode)
        }
    }
}
