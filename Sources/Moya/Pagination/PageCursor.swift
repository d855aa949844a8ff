/// The place of a page in a list: a URL or a token from the server.
///
/// A cursor can be stored, for example as JSON. Later, ``Pages/resumed(at:)`` continues with its page. A cursor
/// contains no header fields, and therefore no `Authorization` field. A URL in a cursor is absolute and contains its
/// query.
public struct PageCursor: Sendable, Hashable, Codable {
    enum Locator: Sendable, Hashable, Codable {
        case url(String)
        case token(String)
    }

    let locator: Locator
}
