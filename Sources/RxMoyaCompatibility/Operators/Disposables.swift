import MoyaScheduling
public import MoyaStreams

/// An operation that can be disposed of; a type of your own implements `dispose()`.
@available(*, deprecated, renamed: "Cancellable")
public protocol Disposable: Cancellable {
    /// Ends the operation.
    func dispose()
}

@available(*, deprecated)
extension Disposable {
    /// Ends the operation, as `dispose()` does.
    public func cancel() { dispose() }
    /// Whether the operation has ended; `false` unless the type implements it.
    public var isCancelled: Bool { false }
}

@available(*, deprecated) extension Subscription: Disposable {}
@available(*, deprecated) extension SubscriptionBag: Disposable {}

/// An operation that says whether it was disposed of.
@available(*, deprecated, renamed: "Cancellable")
public protocol Cancelable: Disposable {
    /// Whether the operation was disposed of.
    var isDisposed: Bool { get }
}

@available(*, deprecated)
extension Cancelable {
    /// Whether the operation was disposed of.
    public var isCancelled: Bool { isDisposed }
}

/// Subscriptions that are cancelled together.
@available(*, deprecated, renamed: "SubscriptionBag")
public typealias DisposeBag = SubscriptionBag

extension SubscriptionBag {
    /// Creates a bag with tokens.
    @available(*, deprecated, message: "use SubscriptionBag() and store(in:)")
    public convenience init(disposing tokens: any Cancellable...) {
        self.init()
        insert(tokens)
    }

    /// Adds tokens.
    @available(*, deprecated, message: "use store(in:) of each token")
    public func insert(_ tokens: any Cancellable...) { insert(tokens) }
    /// Adds tokens.
    @available(*, deprecated, message: "use store(in:) of each token")
    public func insert(_ tokens: [any Cancellable]) { for token in tokens { token.store(in: self) } }
}

/// Creates the tokens that the closure of `Observable.create(_:)` returns.
@available(*, deprecated, message: "use emitter.onTermination { … }; a stream without a teardown needs nothing")
public enum Disposables {
    /// Returns a token whose disposal does nothing.
    public static func create() -> any Disposable { CompositeDisposable() }

    /// Returns a token whose disposal calls a closure, at most once.
    @preconcurrency public static func create(with dispose: @escaping @Sendable () -> Void) -> any Cancelable {
        CompositeDisposable([ScheduledWork(onCancel: dispose) {}])
    }

    /// Returns a token whose disposal disposes of the given tokens.
    public static func create(_ tokens: any Cancellable...) -> any Cancelable { CompositeDisposable(tokens) }
    /// Returns a token whose disposal disposes of the given tokens.
    public static func create(_ tokens: [any Cancellable]) -> any Cancelable { CompositeDisposable(tokens) }
}

/// Tokens that are disposed of together.
@available(*, deprecated, renamed: "SubscriptionBag")
public final class CompositeDisposable: Cancelable {
    /// Identifies a token, to remove it.
    public struct DisposeKey: Sendable, Hashable {
        fileprivate let number: Int
    }

    private let state = Locked<(tokens: [Int: any Cancellable]?, next: Int)>(([:], 0))

    /// Creates a group without tokens.
    public convenience init() { self.init(disposables: []) }
    /// Creates a group of tokens.
    public convenience init(_ tokens: any Cancellable...) { self.init(disposables: tokens) }
    fileprivate convenience init(_ tokens: [any Cancellable]) { self.init(disposables: tokens) }
    /// Creates a group of tokens.
    public init(disposables: [any Cancellable]) { for token in disposables { _ = insert(token) } }
    /// The number of tokens.
    public var count: Int { state.withLock { $0.tokens?.count ?? 0 } }
    /// Whether the group was disposed of.
    public var isDisposed: Bool { state.withLock { $0.tokens == nil } }

    /// Adds a token; disposes of it and returns `nil` if the group was disposed of.
    public func insert(_ token: any Cancellable) -> DisposeKey? {
        let key: DisposeKey? = state.withLock { state in
            guard state.tokens != nil else { return nil }
            state.next += 1
            state.tokens?[state.next] = token
            return DisposeKey(number: state.next)
        }
        if key == nil { token.cancel() }
        return key
    }

    /// Removes a token and disposes of it.
    public func remove(for key: DisposeKey) { state.withLock { $0.tokens?.removeValue(forKey: key.number) }?.cancel() }

    /// Disposes of all tokens, in the order in which they were added.
    public func dispose() {
        for token in (state.withLock { $0.tokens.take() } ?? [:]).sorted(by: { $0.key < $1.key }) {
            token.value.cancel()
        }
    }
}

/// A token that can be replaced; the replaced one is disposed of.
@available(*, deprecated, message: "keep the Subscription in a variable, and cancel the previous one")
public final class SerialDisposable: Cancelable {
    private let state = Locked<(token: (any Cancellable)?, isOver: Bool)>((nil, false))

    /// Creates an empty token.
    public init() {}
    /// Whether the token was disposed of.
    public var isDisposed: Bool { state.withLock(\.isOver) }

    /// The current token; setting it disposes of the previous one.
    public var disposable: any Cancellable {
        get { state.withLock(\.token) ?? .noOp }
        set {
            let obsolete: (any Cancellable)? = state.withLock { state in
                guard !state.isOver else { return newValue }
                defer { state.token = newValue }
                return state.token
            }
            obsolete?.cancel()
        }
    }

    /// Disposes of the current token, and of those that follow.
    public func dispose() {
        let token: (any Cancellable)? = state.withLock { state in
            state.isOver = true
            return state.token.take()
        }
        token?.cancel()
    }
}

/// A token that is set once.
@available(*, deprecated, message: "keep the Subscription in a variable")
public typealias SingleAssignmentDisposable = SerialDisposable

@available(*, deprecated)
extension SerialDisposable {
    /// Sets the token; disposes of it if this one was disposed of.
    public func setDisposable(_ disposable: any Cancellable) { self.disposable = disposable }
}

/// A token that is disposed of together with its last dependent one.
@available(*, deprecated, message: "use share(replay:scope:), which counts subscribers")
public final class RefCountDisposable: Cancelable {
    private let token: any Cancellable
    // The token itself counts as one until it is disposed of.
    private let state = Locked((count: 1, isOver: false))

    /// Creates a token around another one.
    public init(disposable: any Cancellable) { token = disposable }
    /// Whether the token itself was disposed of.
    public var isDisposed: Bool { state.withLock(\.isOver) }

    /// Returns a token that keeps the inner one from being disposed of.
    public func retain() -> any Disposable {
        state.withLock { $0.count += 1 }
        return Disposables.create(with: release)
    }

    /// Disposes of the inner token as soon as no dependent one is left.
    public func dispose() { if !state.withLock({ exchange(&$0.isOver, with: true) }) { release() } }

    private func release() {
        let count = state.withLock { state in
            state.count -= 1
            return state.count
        }
        if count == 0 { token.cancel() }
    }
}

/// A token that remembers whether it was disposed of.
@available(*, deprecated, message: "use isCancelled of a Subscription")
public typealias BooleanDisposable = CompositeDisposable

@available(*, deprecated)
extension CompositeDisposable {
    /// Creates a token that may already be disposed of.
    public convenience init(isDisposed: Bool) {
        self.init(disposables: [])
        if isDisposed { dispose() }
    }
}

/// A token that is disposed of on a scheduler.
@available(*, deprecated, message: "cancel the Subscription in scheduler.schedule { }")
public final class ScheduledDisposable: Cancelable {
    /// The scheduler.
    public let scheduler: any Scheduler
    private let token = SerialDisposable()

    /// Creates a token around another one.
    public init(scheduler: any Scheduler, disposable: any Cancellable) {
        self.scheduler = scheduler
        token.setDisposable(disposable)
    }

    /// Whether the token was disposed of.
    public var isDisposed: Bool { token.isDisposed }
    /// Disposes of the token on the scheduler.
    public func dispose() { scheduler.schedule { [token] in token.dispose() } }
}

extension Cancellable {
    /// Cancels the operation.
    @available(*, deprecated, renamed: "cancel()") public func dispose() { cancel() }
    /// Adds the operation to a bag; the operation is cancelled when the bag is cancelled or released.
    @available(*, deprecated, renamed: "store(in:)") public func disposed(by bag: SubscriptionBag) { store(in: bag) }
}
