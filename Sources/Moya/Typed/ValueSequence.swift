/// An asynchronous sequence of the values that a server sends one by one in a response.
///
/// Each iteration sends its own request. If values are consumed slowly, reading from the server pauses while 256 KiB
/// are buffered. Cancelling the task, or releasing the iterator, cancels the request.
public struct ValueSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// The type of all errors that the sequence throws.
    public typealias Failure = MoyaError

    let open: @Sendable () async throws(MoyaError) -> ParsedSequence<Element>

    /// Returns an iterator that sends the request when its `next()` is first called.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(open: open) }

    /// Iterates over the values once.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The type of all errors that the iterator throws.
        public typealias Failure = MoyaError

        /// Sends the request; `nil` after it was called.
        fileprivate var open: (@Sendable () async throws(MoyaError) -> ParsedSequence<Element>)?
        fileprivate var values: ParsedSequence<Element>.AsyncIterator?

        /// Returns the next value, or `nil` at the end.
        ///
        /// - Throws: a `MoyaError`. Its kind is `http` if the status code is not accepted, and `decoding` if a value
        ///   cannot be decoded. All other errors come from sending the request or from parsing the response.
        public mutating func next() async throws(MoyaError) -> Element? {
            do {
                if let open = open.take() { values = try await open().makeAsyncIterator() }
                if let value = try await values?.next() { return value }
                values = nil
                return nil
            } catch {
                values = nil
                throw MoyaError(wrapping: error)
            }
        }
    }
}
