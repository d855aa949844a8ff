public import MoyaStreams

/// A stream: RxSwift's protocol of observables, subjects, relays and traits.
///
/// Operators that behave differently in MoyaStreams are declared again for this protocol, as RxSwift has them.
public protocol ObservableType<Element>: Subscribable {}

extension Observable: ObservableType {}
extension Signal: ObservableType {}
extension PrimitiveSequence: ObservableType {}

/// A type that can be converted to a stream.
@available(*, deprecated, renamed: "Subscribable")
public typealias ObservableConvertibleType = Subscribable

extension Subscribable {
    /// The same stream with the operators of MoyaStreams only.
    var plain: some Subscribable<Element> { observable }
}

// These operators behave as in MoyaStreams. Because they are `@preconcurrency`, their closures may use state of the
// main actor, in Swift 6 mode with a warning.
extension ObservableType {
    /// Transforms each value.
    @preconcurrency public func map<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Output
    ) -> Observable<Output> { plain.map(transform) }

    /// Transforms each value, and drops those for which the closure returns `nil`.
    @preconcurrency public func compactMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Output?
    ) -> Observable<Output> { plain.compactMap(transform) }

    /// Sends the values for which a condition is true.
    @preconcurrency
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        plain.filter(predicate)
    }

    /// Transforms each value to a stream and sends the values of these streams as they arrive.
    @preconcurrency public func flatMap<Output: Sendable>(
        _ selector: @escaping @Sendable (Element) throws -> Observable<Output>
    ) -> Observable<Output> { plain.flatMap(selector) }

    /// Transforms each value to a stream, and sends the values of the latest stream only.
    @preconcurrency public func flatMapLatest<Output: Sendable>(
        _ selector: @escaping @Sendable (Element) throws -> Observable<Output>
    ) -> Observable<Output> { plain.flatMapLatest(selector) }

    /// Subscribes with a closure for each value; a failure is reported to `UnhandledError`.
    @available(*, deprecated, message: "use subscribe(onMain:) for views and view models, else MoyaStreams alone")
    @preconcurrency @discardableResult public func subscribe(
        onNext: (@Sendable (Element) -> Void)? = nil, onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil, fileID: String = #fileID, line: UInt = #line
    ) -> Subscription {
        CurrentThread.run {
            plain.subscribe(onNext: onNext, onError: onError, onCompleted: onCompleted, fileID: fileID, line: line)
        }
    }

    /// Subscribes with a closure that receives each event.
    @preconcurrency @discardableResult
    public func subscribe(_ on: @escaping @Sendable (Event<Element>) -> Void) -> Subscription {
        CurrentThread.run { plain.subscribe(on) }
    }

    /// Subscribes with a closure for each value; a failure is reported to `UnhandledError`.
    @preconcurrency @discardableResult public func subscribeNext(
        fileID: String = #fileID, line: UInt = #line, _ onNext: @escaping @Sendable (Element) -> Void
    ) -> Subscription { CurrentThread.run { plain.subscribeNext(fileID: fileID, line: line, onNext) } }
}
