/// An asynchronous sequence of the values that a server sends one by one in a response.
///
/// Each iteration sends its own request. If values are consumed slowly, reading from the server pauses while 256 KiB
/// are buffered. Cancelling the task, or releasing the iterator, cancels the request.
public struct ValueSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// The type of all errors that the sequence throws.
    public typealias Failure = MoyaError

    fileprivate typealias Open = @Sendable () async throws(MoyaError) -> ParsedSequence<Element>

    private let open: Open

    init(_ open: @escaping @Sendable () async throws(MoyaError) -> ParsedSequence<Element>) {
        self.open = open
    }

    /// Returns an iterator that sends the request when its `next()` is first called.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(state: .ready(open)) }

    /// Iterates over the values once.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The type of all errors that the iterator throws.
        public typealias Failure = MoyaError

        fileprivate enum State {
            case ready(Open)
            case open(ParsedSequence<Element>.AsyncIterator)
            case finished
        }

        fileprivate var state: State

        /// Returns the next value, or `nil` at the end.
        ///
        /// - Throws: a `MoyaError`. Its kind is `http` if the status code is not accepted, and `decoding` if a value
        ///   cannot be decoded. All other errors come from sending the request or from parsing the response.
        public mutating func next() async throws(MoyaError) -> Element? {
            do {
                if case .ready(let open) = state { state = .open(try await open().makeAsyncIterator()) }
                guard case .open(var iterator) = state else { return nil }
                let value = try await iterator.next()
                state = value == nil ? .finished : .open(iterator)
                return value
            } catch {
                state = .finished
                throw MoyaError(ending: error)
            }
        }
    }
}

extension MoyaError {
    package init(ending error: any Error) {
        self =
            switch error {
            case let error as MoyaError: error
            case is CancellationError: .cancelled
            default: .underlying(error, nil)
            }
    }
}
