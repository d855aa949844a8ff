/// The pages of a list, in order, which are loaded while the iteration advances.
///
/// ```swift
/// for try await page in provider.pages(.repositories("ash"), next: .link) {
///     print(page.value.map(\.name))
///     if enough { break }    // no further page is loaded
/// }
/// ```
/// Each iteration begins with the first page. If a page fails, the pages before it are delivered, then the error is
/// thrown. ``resumed(at:)`` continues with the page that failed.
public struct Pages<Page: Sendable>: AsyncSequence, Sendable {
    /// The type of all errors that an iteration throws.
    public typealias Failure = MoyaError

    /// A page and its response.
    public struct Element: Sendable {
        /// The decoded page.
        public let value: Page
        /// The response that the page was decoded from.
        public let response: Response
        /// The cursor of the next page; `nil` if this page is the last one, or if the next page cannot be determined.
        public let next: PageCursor?
    }

    package struct Position: Sendable {
        var cursor: PageCursor?
        /// The hash values of the locators of the last 1000 pages, for detecting a cycle in the server's pages.
        let history: [Int]
        /// The error that loading this page throws if its cursor could not be determined; otherwise `nil`.
        var failure: MoyaError?
    }

    package struct LoadedPage: Sendable {
        package let element: Element
        package let next: Position?
    }

    /// Loads a page; an awaited page is not delivered on the provider's callback queue.
    package typealias Load =
        @Sendable (
            Position, _ isAwaited: Bool, @escaping @Sendable (Result<LoadedPage, MoyaError>) -> Void
        ) -> any Cancellable

    package let load: Load
    package private(set) var start = Position(history: [])
    var pagesAhead = 0

    /// Returns the same pages, loaded before the iteration requests them.
    ///
    /// After each page, the following pages are loaded in the background, one after the other. Leaving the loop cancels
    /// their requests. The error of a page is thrown when the iteration reaches that page.
    ///
    /// - Parameter count: the maximum number of pages that are loaded ahead; more than 64 count as 64. Without this
    ///   method, no page is loaded ahead.
    public func prefetching(_ count: Int = 1) -> Self {
        var pages = self
        pages.pagesAhead = Swift.min(Swift.max(count, 0), 64)
        return pages
    }

    /// Returns the same pages, beginning with the page at a cursor.
    ///
    /// ```swift
    /// var place: PageCursor?
    /// for try await page in place.map(pages.resumed(at:)) ?? pages { place = page.next }
    /// ```
    /// - Parameter cursor: the ``Element/next`` of a page of the same list.
    public func resumed(at cursor: PageCursor) -> Self {
        var pages = self
        pages.start = Position(cursor: cursor, history: [cursor.locator.hashValue])
        return pages
    }

    /// Returns the items of the pages, in order.
    ///
    /// A page is loaded when its first item is requested.
    ///
    /// - Parameter items: returns the items of a page.
    public func items<Item: Sendable>(_ items: @escaping @Sendable (Page) -> [Item]) -> PagedItems<Item> {
        PagedItems(makeNextPage: {
            let loader = makeLoader()
            return { () async throws(MoyaError) -> [Item]? in try await loader.next().map { items($0.value) } }
        })
    }

    /// Returns an iterator that begins with the first page.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(loader: makeLoader())
    }

    func makeLoader() -> PageLoader<Page> { PageLoader(load: load, start: start, pagesAhead: pagesAhead) }

    /// Iterates over the pages once.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The type of all errors that ``next()`` throws.
        public typealias Failure = MoyaError

        fileprivate let loader: PageLoader<Page>

        /// Returns the next page, or `nil` after the last page.
        ///
        /// - Throws: the errors of the provider's `value(_:)`; after a cancel, an error of the kind `cancelled`. The
        ///   error is `MoyaError.requestMapping` if the next page was already delivered, if its URL has another origin
        ///   than the first page, or if the server announces a next page without a cursor.
        public mutating func next() async throws(MoyaError) -> Element? {
            try await loader.next()
        }
    }
}

extension Pages where Page: Sequence, Page.Element: Sendable {
    /// The elements of the pages, in order.
    public var items: PagedItems<Page.Element> { items { Array($0) } }
}

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
