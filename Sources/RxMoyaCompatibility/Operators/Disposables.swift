import MoyaScheduling
public import MoyaStreams

/// An operation that can be cancelled.
@available(*, deprecated, renamed: "Cancellable")
public typealias Disposable = Cancellable

/// Subscriptions that are cancelled together.
@available(*, deprecated, renamed: "SubscriptionBag")
public typealias DisposeBag = SubscriptionBag

/// Creates the cancellation tokens that the closure of `Observable.create(_:)` returns.
@available(*, deprecated, message: "use emitter.onTermination { … }; a stream without a teardown needs nothing")
public enum Disposables {
    /// Returns a token whose `cancel` does nothing.
    public static func create() -> any Cancellable { .noOp }

    /// Returns a token whose `cancel` calls a closure, at most once.
    public static func create(with dispose: @escaping @Sendable () -> Void) -> any Cancellable {
        ScheduledWork(onCancel: dispose) {}
    }

    /// Returns a token whose `cancel` cancels the given tokens.
    public static func create(_ tokens: any Cancellable...) -> any Cancellable {
        create { for token in tokens { token.cancel() } }
    }

    /// Returns a token whose `cancel` cancels the given tokens.
    public static func create(_ tokens: [any Cancellable]) -> any Cancellable {
        create { for token in tokens { token.cancel() } }
    }
}

extension Cancellable {
    /// Cancels the operation.
    @available(*, deprecated, renamed: "cancel()")
    public func dispose() { cancel() }

    /// Adds the operation to a bag; the operation is cancelled when the bag is cancelled or released.
    @available(*, deprecated, renamed: "store(in:)")
    public func disposed(by bag: SubscriptionBag) {
        bag.insert((self as? Subscription) ?? Observable<Never> { $0.onTermination { cancel() } }.subscribe { _ in })
    }
}
