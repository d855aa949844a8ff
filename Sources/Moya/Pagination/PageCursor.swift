/// The place of a page in a list: a URL or a token from the server.
///
/// It can be stored, encoded as JSON, and used later to continue from there, see ``Pages/resumed(at:)``. It contains no
/// header fields, and so none of their credentials. A URL is absolute and contains its query.
public struct PageCursor: Sendable, Hashable, Codable {
    enum Locator: Sendable, Hashable, Codable {
        case url(String)
        case token(String)
    }

    let locator: Locator
}
