/// Where the page after a page is.
///
/// ```swift
/// provider.pages(.repositories("ash"), next: .link)
/// provider.pages(.messages(), next: .token(\.nextPageToken) { .messages(pageToken: $0) })
/// ```
public struct PaginationRule<Target: RelativeTarget, Page: Sendable>: Sendable {
    /// Finds the next page.
    ///
    /// The last parameter is the token of this page, if it has one.
    let next: @Sendable (Page, Response, String?) throws -> PageStep
    /// The target of the page with a token; `nil` if pages have URLs.
    let target: (@Sendable (String) throws -> Target)?

    /// The link with the relation type `next` in the header field `Link` (RFC 8288).
    ///
    /// The next request has that URL and otherwise the method, header fields and body of the first; parameters of its query are
    /// replaced by those of the URL. A URL of another origin than the first request's is an error, and nothing is sent.
    public static var link: Self {
        Self(
            next: { _, response, _ in
                LinkHeader(response.headers).reference(relation: "next").map { .url($0) } ?? .end
            }, target: nil)
    }

    /// A URL in the page, absolute or relative; `nil` and an empty string are the end.
    ///
    /// It is treated as that of ``link``.
    public static func url(_ url: @escaping @Sendable (Page) throws -> String?) -> Self {
        Self(next: { page, _, _ in try url(page).flatMap { $0.isEmpty ? nil : .url($0) } ?? .end }, target: nil)
    }

    /// A token in the page; `nil` and an empty string are the end, an empty page is not (AIP-158).
    ///
    /// - Parameters:
    ///   - token: returns the token of the next page.
    ///   - target: makes the target of the page with a token.
    public static func token(
        _ token: @escaping @Sendable (Page) throws -> String?, _ target: @escaping @Sendable (String) throws -> Target
    ) -> Self {
        Self(next: { page, _, _ in try token(page).flatMap { $0.isEmpty ? nil : .token($0) } ?? .end }, target: target)
    }

    /// A token in a header field of the response; no field and an empty one are the end.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - target: makes the target of the page with a token.
    public static func header(
        _ name: String, _ target: @escaping @Sendable (String) throws -> Target
    ) -> Self {
        Self(
            next: { _, response, _ in response.headers[name].flatMap { $0.isEmpty ? nil : .token($0) } ?? .end },
            target: target)
    }

    /// A cursor, as GraphQL's connections have it (Relay): whether there is a next page, and the cursor of this page's end.
    ///
    /// A next page without a cursor is an error.
    ///
    /// - Parameters:
    ///   - pageInfo: returns `hasNextPage` and `endCursor`.
    ///   - target: makes the target of the page behind a cursor.
    public static func cursor(
        _ pageInfo: @escaping @Sendable (Page) throws -> (hasNextPage: Bool, endCursor: String?),
        _ target: @escaping @Sendable (String) throws -> Target
    ) -> Self {
        Self(
            next: { page, _, _ in
                let info = try pageInfo(page)
                guard info.hasNextPage else { return .end }
                guard let cursor = info.endCursor else {
                    throw MoyaError.requestMapping("the page says that there is a next one, and has no cursor for it")
                }
                return .token(cursor)
            }, target: target)
    }

    /// Numbers, one after the other.
    ///
    /// - Parameters:
    ///   - first: the number of the first page, which the first target asks for.
    ///   - hasNext: whether another page follows on this one.
    ///   - target: makes the target of the page with a number.
    public static func numbered(
        from first: Int = 1, while hasNext: @escaping @Sendable (Page) throws -> Bool,
        _ target: @escaping @Sendable (Int) throws -> Target
    ) -> Self {
        Self(
            next: { page, _, token in
                guard try hasNext(page) else { return .end }
                return .token(String(try number(token, first: first) + 1))
            }, target: { token in try target(try number(token, first: first)) })
    }

    private static func number(_ token: String?, first: Int) throws(MoyaError) -> Int {
        guard let token else { return first }
        // The cursor may come from a file.
        guard let number = Int(token), number < .max else {
            throw .requestMapping("the cursor of the page is no number, as \(Self.self) needs it")
        }
        return number
    }
}

extension PaginationRule where Page: Collection {
    /// Numbers, one after the other, up to the first empty page.
    ///
    /// - Parameters:
    ///   - first: the number of the first page, which the first target asks for.
    ///   - target: makes the target of the page with a number.
    public static func numbered(
        from first: Int = 1, _ target: @escaping @Sendable (Int) throws -> Target
    ) -> Self {
        numbered(from: first, while: { !$0.isEmpty }, target)
    }
}

/// What follows on a page.
enum PageStep: Sendable {
    case end
    case url(String)
    case token(String)
}

extension PaginationRule {
    /// The same for a provider of ``MultiTarget``.
    var multiTarget: PaginationRule<MultiTarget, Page> {
        guard let target else { return PaginationRule<MultiTarget, Page>(next: next, target: nil) }
        return PaginationRule<MultiTarget, Page>(next: next, target: { MultiTarget(try target($0)) })
    }
}
