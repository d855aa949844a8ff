import Moya

/// A stream of values that starts anew for each subscriber: a recipe, not a running thing.
///
/// Its events follow the grammar `next* (error | completed)?`; the `StreamContract` article says what else every stream
/// promises. Operators are members of ``Subscribable``, which ``Signal`` has in common with it.
///
/// ```swift
/// Observable.from(1...3).map { $0 * $0 }.subscribeNext { print($0) }    // 1, 4, 9
/// ```
public struct Observable<Element: Sendable>: Sendable {
    /// Subscribes.
    ///
    /// An operator is one such closure around another.
    @usableFromInline let run: @Sendable (Observer<Element>) -> Void

    @inlinable
    init(run: @escaping @Sendable (Observer<Element>) -> Void) {
        self.run = run
    }
}

/// What stands downstream of a stage: where its values go, and the lifetime through which it ends and is cancelled.
///
/// `next` is called by one thread at a time, and not after `lifetime` is over.
@usableFromInline
struct Observer<Element: Sendable>: Sendable {
    @usableFromInline let next: @Sendable (Element) -> Void
    @usableFromInline let lifetime: Lifetime

    @inlinable
    init(_ lifetime: Lifetime, next: @escaping @Sendable (Element) -> Void) {
        self.lifetime = lifetime
        self.next = next
    }
}

/// What can be subscribed: a cold ``Observable`` or a hot ``Signal``.
///
/// Every operator is written once, here.
public protocol Subscribable<Element>: Sendable {
    /// The type of the values.
    associatedtype Element: Sendable

    /// The same stream, as an observable.
    var observable: Observable<Element> { get }
}

extension Observable: Subscribable {
    /// Itself.
    @inlinable public var observable: Observable<Element> { self }
}
