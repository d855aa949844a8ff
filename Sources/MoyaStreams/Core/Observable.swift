/// A cold stream: each subscription runs the source again.
///
/// A subscription delivers any number of values, and then at most one terminal event: completion or an error. The
/// article `StreamContract` lists the other rules of all streams. The protocol ``Subscribable`` declares the operators.
///
/// ```swift
/// Observable.from(1...3).map { $0 * $0 }.subscribeNext { print($0) }    // 1, 4, 9
/// ```
public struct Observable<Element: Sendable>: Sendable {
    @usableFromInline
    enum Source: Sendable {
        /// One value, then completion; `flatMap` reads the value directly instead of subscribing.
        case just(Element)
        case subscribe(Subscribe)
    }

    /// A source as a function that is called for each subscription.
    @usableFromInline
    struct Subscribe: Sendable {
        @usableFromInline let run: @Sendable (Observer<Element>) -> Void
        /// Whether the stream ends before `run` returns, and runs no user code except the observer.
        ///
        /// `flatMap` runs such a stream inside its ``DrainLoop``, which is faster. The stream must not block, because
        /// the events of other threads wait while it runs.
        @usableFromInline let completesSynchronously: Bool
        #if DEBUG
            /// The name of the operator for ``OperatorNames``.
            @usableFromInline let name: StaticString
        #endif

        @inlinable
        init(run: @escaping @Sendable (Observer<Element>) -> Void, completesSynchronously: Bool, name: StaticString) {
            self.run = run
            self.completesSynchronously = completesSynchronously
            #if DEBUG
                self.name = name
            #endif
        }
    }

    @usableFromInline let source: Source

    @inlinable
    init(source: Source) {
        self.source = source
    }

    @inlinable
    init(
        completesSynchronously: Bool = false, name: StaticString = #function,
        run: @escaping @Sendable (Observer<Element>) -> Void
    ) {
        source = .subscribe(Subscribe(run: run, completesSynchronously: completesSynchronously, name: name))
    }

    /// Whether the stream ends before `run` returns; see ``Subscribe/completesSynchronously``.
    @inlinable var completesSynchronously: Bool {
        switch source {
        case .just: true
        case .subscribe(let subscribe): subscribe.completesSynchronously
        }
    }

    @inlinable
    func run(_ observer: Observer<Element>) {
        if observer.lifetime.isOver { return }
        switch source {
        case .just(let element):
            observer.next(element)
            observer.lifetime.finish()
        case .subscribe(let subscribe):
            #if DEBUG
                observer.lifetime.operatorNames.add(subscribe.name)
            #endif
            subscribe.run(observer)
        }
    }

    /// A faster `run`: in release builds, it does not check whether the observer's lifetime has ended.
    ///
    /// Only for operators that pass their own observer's lifetime to the source: that lifetime was already checked.
    @inlinable var subscribeFunction: @Sendable (Observer<Element>) -> Void {
        #if !DEBUG
            if case .subscribe(let subscribe) = source { return subscribe.run }
        #endif
        return run
    }
}

/// The downstream observer of an operator: the lifetime of the subscription, and a function that receives the values.
///
/// `next` is called by one thread at a time, and not after `lifetime` has ended.
@usableFromInline
struct Observer<Element: Sendable>: Sendable {
    @usableFromInline let next: @Sendable (Element) -> Void
    @usableFromInline let lifetime: Lifetime

    @inlinable
    init(_ lifetime: Lifetime, next: @escaping @Sendable (Element) -> Void) {
        self.lifetime = lifetime
        self.next = next
    }

    /// Sends a value, unless the lifetime has ended.
    @inlinable
    func send(_ element: Element) {
        if lifetime.isLiveRoot { next(element) } else { sendIfLive(element) }
    }

    /// The slow path of `send`; not inlined, so that the fast path need not save registers.
    @inlinable
    @inline(never)
    func sendIfLive(_ element: Element) {
        if lifetime.isInnerAndLive() { next(element) }
    }
}

/// A type that can be subscribed to: a cold ``Observable`` or a hot ``Signal``.
///
/// All operators are members of this protocol.
public protocol Subscribable<Element>: Sendable {
    /// The type of the values.
    associatedtype Element: Sendable

    /// The stream as an observable.
    var observable: Observable<Element> { get }
}

extension Observable: Subscribable {
    /// The stream itself.
    @inlinable public var observable: Observable<Element> { self }
}
