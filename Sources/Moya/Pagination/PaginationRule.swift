public import Foundation

/// A rule that finds the next page from a page and its response.
///
/// ```swift
/// provider.pages(.repositories("ash"), next: .link)
/// provider.pages(.messages(), next: .token(\.nextPageToken) { .messages(pageToken: $0) })
/// ```
public struct PaginationRule<Target: RelativeTarget, Page: Sendable>: Sendable {
    /// Finds the next page, whose URL may be relative, from a page, its response, and the token of its request, if any.
    let next: @Sendable (Page, Response, String?) throws -> PageCursor.Locator?
    /// Returns the target of the page that a token identifies; `nil` if the rule finds pages by URL.
    let target: (@Sendable (String) throws -> Target)?

    /// A rule that follows the link with the relation type `next` in the header field `Link` (RFC 8288).
    ///
    /// The request for the next page has the URL of the link, and the method and header fields of the first request.
    /// It also has the body of the first request, unless the method is safe, such as GET. The query of the URL replaces
    /// the query parameters of the first target. If the URL has another origin than the first request, nothing is sent,
    /// and the iteration throws an error.
    public static var link: Self {
        Self(next: { _, response, _ in response.headers.link(relation: "next").map { .url($0) } }, target: nil)
    }

    /// Returns a rule that follows a URL in the page, absolute or relative; `nil` or an empty string ends the list.
    ///
    /// The request for the next page is created as with ``link``, which also refuses a URL with another origin.
    public static func url(_ url: @escaping @Sendable (Page) throws -> String?) -> Self {
        Self(next: { page, _, _ in try url(page).flatMap { $0.isEmpty ? nil : .url($0) } }, target: nil)
    }

    /// Returns a rule that follows a URL in the page; `nil` ends the list.
    @_disfavoredOverload
    public static func url(_ url: @escaping @Sendable (Page) throws -> URL?) -> Self {
        .url { try url($0)?.absoluteString }
    }

    /// Returns a rule that finds the next page by a token in the page (Google AIP-158).
    ///
    /// A page ends the list if its token is `nil` or empty. A page without items does not end the list.
    ///
    /// - Parameters:
    ///   - token: returns the token of the next page.
    ///   - target: returns the target that requests the page with the given token.
    public static func token(
        _ token: @escaping @Sendable (Page) throws -> String?, _ target: @escaping @Sendable (String) throws -> Target
    ) -> Self {
        Self(next: { page, _, _ in try token(page).flatMap { $0.isEmpty ? nil : .token($0) } }, target: target)
    }

    /// Returns a rule that finds the next page by a token in a header field; a missing or empty field ends the list.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - target: returns the target of the page with the given token.
    public static func header(_ name: String, _ target: @escaping @Sendable (String) throws -> Target) -> Self {
        Self(
            next: { _, response, _ in response.headers[name].flatMap { $0.isEmpty ? nil : .token($0) } },
            target: target)
    }

    /// Returns a rule that finds the next page by a cursor, as in the connections of GraphQL (Relay).
    ///
    /// If `hasNextPage` is `true` and `endCursor` is `nil`, loading the next page fails.
    ///
    /// - Parameters:
    ///   - pageInfo: returns `hasNextPage` and `endCursor`.
    ///   - target: returns the target of the page after the given cursor.
    public static func cursor(
        _ pageInfo: @escaping @Sendable (Page) throws -> (hasNextPage: Bool, endCursor: String?),
        _ target: @escaping @Sendable (String) throws -> Target
    ) -> Self {
        Self(
            next: { page, _, _ in
                let info = try pageInfo(page)
                guard info.hasNextPage else { return nil }
                guard let cursor = info.endCursor else {
                    throw MoyaError.requestMapping("`hasNextPage` is true, but `endCursor` is nil")
                }
                return .token(cursor)
            }, target: target)
    }

    /// Returns a rule that requests pages by consecutive numbers.
    ///
    /// - Parameters:
    ///   - first: the number of the first page, which the first target requests.
    ///   - hasNext: returns whether another page follows the given page.
    ///   - target: returns the target of the page with the given number.
    public static func numbered(
        from first: Int = 1, while hasNext: @escaping @Sendable (Page) throws -> Bool,
        _ target: @escaping @Sendable (Int) throws -> Target
    ) -> Self {
        Self(
            next: { page, _, token in
                guard try hasNext(page) else { return nil }
                return .token(String(try number(token, first: first) + 1))
            }, target: { token in try target(try number(token, first: first)) })
    }

    private static func number(_ token: String?, first: Int) throws(MoyaError) -> Int {
        // The token may be invalid, because it may come from a `PageCursor` that the app has stored in a file.
        guard let number = token.map({ Int($0) }) ?? first, number < .max else {
            throw .requestMapping("the cursor is not a page number, which `numbered(from:)` requires")
        }
        return number
    }
}

extension PaginationRule where Page: Collection {
    /// Returns a rule that requests pages by consecutive numbers, up to the first empty page.
    ///
    /// - Parameters:
    ///   - first: the number of the first page, which the first target requests.
    ///   - target: returns the target of the page with the given number.
    public static func numbered(
        from first: Int = 1, _ target: @escaping @Sendable (Int) throws -> Target
    ) -> Self {
        numbered(from: first, while: { !$0.isEmpty }, target)
    }
}

extension PaginationRule {
    var multiTarget: PaginationRule<MultiTarget, Page> {
        guard let target else { return PaginationRule<MultiTarget, Page>(next: next, target: nil) }
        return PaginationRule<MultiTarget, Page>(next: next, target: { MultiTarget(try target($0)) })
    }
}
