/// The items of the pages of a list, in order; unless prefetched, a page is loaded when its first item is requested.
///
/// ```swift
/// for try await issue in provider.pages(.issues(of: "ash/pokedex"), next: .link).items.deduplicated(by: \.id) {
///     print(issue.title)
/// }
/// ```
public struct PagedItems<Item: Sendable>: AsyncSequence, Sendable {
    /// The type of all errors that the sequence throws.
    public typealias Failure = MoyaError

    /// Begins an iteration; each call of the returned function loads the next page and returns the items of the page.
    let makeNextPage: @Sendable () -> NextPage

    typealias NextPage = @Sendable () async throws(MoyaError) -> [Item]?

    /// Returns the items without repeated items.
    ///
    /// An item is repeated if its identifier has already occurred on the same page, or on one of the `lastPages` pages
    /// before that page. For example, if an item is inserted into the list during the iteration, the last item of a
    /// page moves to the next page. The next page then contains that item again.
    ///
    /// - Parameters:
    ///   - id: returns the identifier of an item.
    ///   - lastPages: the number of earlier pages whose identifiers are compared.
    public func deduplicated<ID: Hashable & Sendable>(
        by id: @escaping @Sendable (Item) -> ID, lastPages: Int = 2
    ) -> PagedItems<Item> {
        PagedItems(makeNextPage: { [makeNextPage] in
            let nextPage = makeNextPage()
            let lastIDs = Locked<[Set<ID>]>([])
            return { () async throws(MoyaError) -> [Item]? in
                guard let items = try await nextPage() else { return nil }
                // `id` is the caller's closure, which must not run while a lock is held.
                let ids = items.map(id)
                let isNew = lastIDs.withLock { pages in
                    var own: Set<ID> = []
                    defer { pages = (pages + [own]).suffix(Swift.max(lastPages, 0)) }
                    return ids.map { id in own.insert(id).inserted && !pages.contains { $0.contains(id) } }
                }
                return zip(items, isNew).compactMap { item, isNew in isNew ? item : nil }
            }
        })
    }

    /// Returns an iterator that begins with the first page.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(nextPage: makeNextPage()) }

    /// Iterates over the items once.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The type of all errors that the iterator throws.
        public typealias Failure = MoyaError

        fileprivate let nextPage: NextPage
        fileprivate var items: ArraySlice<Item> = []

        /// Returns the next item, or `nil` at the end; throws the same errors as an iteration over ``Pages``.
        public mutating func next() async throws(MoyaError) -> Item? {
            while items.isEmpty {
                guard let page = try await nextPage() else { return nil }
                items = page[...]
            }
            return items.popFirst()
        }
    }
}
