/// The pages of a list, in order, each loaded when it is asked for.
///
/// ```swift
/// for try await page in provider.pages(.repositories("ash"), next: .link) {
///     print(page.value.map(\.name))
///     if enough { break }    // no further page is loaded
/// }
/// ```
/// Each iteration begins with the first page. An error ends it; the pages before the error have been delivered, and
/// ``resumed(at:)`` continues with the page that failed.
public struct Pages<Page: Sendable>: AsyncSequence, Sendable {
    /// The type of all errors.
    public typealias Failure = MoyaError

    /// A page and its response.
    public struct Element: Sendable {
        /// The page.
        public let value: Page
        /// The response that it was made of.
        public let response: Response
        /// The place of the next page, or `nil` if this is the last one.
        public let next: PageCursor?
    }

    /// Where an iteration is.
    package struct Position: Sendable {
        var cursor: PageCursor?
        let history: PageHistory
        /// Why there is no page, although the one before has a next one.
        var failure: MoyaError?
    }

    /// A page, and the position of the next one, if there is one.
    package struct Loaded: Sendable {
        package let element: Element
        package let next: Position?
    }

    package typealias Load =
        @Sendable (
            Position, @escaping @Sendable (Result<Loaded, MoyaError>) -> Void
        ) -> any Cancellable

    /// Loads the page at a position.
    package let load: Load
    /// The place of the first page, if it is not the first target.
    private var first: PageCursor?
    private var pagesAhead = 0

    init(load: @escaping Load) {
        self.load = load
    }

    /// Returns the same pages, with further ones loaded before they are asked for.
    ///
    /// When a page is taken, the next ones begin to load. Leaving the loop cancels them. Their errors are thrown when they are
    /// reached.
    ///
    /// - Parameter count: how many pages may be loaded ahead, one after the other. Defaults to 0 without this method.
    public func prefetching(_ count: Int = 1) -> Self {
        var pages = self
        pages.pagesAhead = Swift.max(count, 0)
        return pages
    }

    /// Returns the pages from a place on.
    ///
    /// ```swift
    /// var place: PageCursor?
    /// for try await page in place.map(pages.resumed(at:)) ?? pages { place = page.next }
    /// ```
    /// - Parameter cursor: the ``Element/next`` of the page before, of the same list.
    public func resumed(at cursor: PageCursor) -> Self {
        var pages = self
        pages.first = cursor
        return pages
    }

    /// Returns the items of the pages, in order.
    ///
    /// A page is loaded when its first item is asked for.
    ///
    /// - Parameter items: returns the items of a page.
    public func items<Item: Sendable>(_ items: @escaping @Sendable (Page) -> [Item]) -> PagedItems<Item> {
        PagedItems(self, items)
    }

    /// Returns an iterator that begins with the first page.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(loader: makeLoader())
    }

    /// The position of the first page, for a new iteration.
    package var start: Position {
        let history = PageHistory()
        if let first { _ = history.insert(first.locator) }
        return Position(cursor: first, history: history)
    }

    func makeLoader() -> PageLoader<Page> { PageLoader(load: load, start: start, pagesAhead: pagesAhead) }

    /// Iterates over the pages once.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The type of all errors.
        public typealias Failure = MoyaError

        fileprivate let loader: PageLoader<Page>

        /// Returns the next page, or `nil` at the end.
        ///
        /// - Throws: what the typed call reports as a failure; `MoyaError.requestMapping` for a next page at another origin, for
        ///   one that was delivered before, and for a next page without a cursor; an error of the kind `cancelled` when the
        ///   task is cancelled.
        public mutating func next() async throws(MoyaError) -> Element? {
            try await loader.next()
        }
    }
}

extension Pages where Page: Sequence, Page.Element: Sendable {
    /// The elements of the pages, in order.
    public var items: PagedItems<Page.Element> { items { Array($0) } }
}
