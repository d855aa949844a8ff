/// The place of a page in a list: the URL or the token of the page.
///
/// A cursor can be stored, for example as JSON, and passed to ``Pages/resumed(at:)`` later. A cursor contains no header
/// fields, and therefore no `Authorization` field. If a cursor contains a URL, the URL is absolute and includes the
/// query.
public struct PageCursor: Sendable, Hashable, Codable {
    enum Locator: Sendable, Hashable, Codable {
        case url(String)
        case token(String)
    }

    let locator: Locator
}
