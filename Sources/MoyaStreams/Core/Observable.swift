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
        case just(Element)
        /// `depth` is how many concatenations are nested in one another.
        case iterate(Iteration, depth: Int = 0)
        case subscribe(@Sendable (Observer<Element>) -> Void)
    }

    // Calls `body` until it returns false; returns true if it never did. Only for values that are ready, with no user
    // code in between: operators with several inputs take them without a lifetime for their stream.
    @usableFromInline typealias Iteration = @Sendable (_ body: (Element) -> Bool) throws -> Bool

    @usableFromInline let source: Source

    @inlinable
    init(source: Source) {
        self.source = source
    }

    @inlinable
    init(run: @escaping @Sendable (Observer<Element>) -> Void) {
        source = .subscribe(run)
    }

    @inlinable
    func run(_ observer: Observer<Element>) {
        let lifetime = observer.lifetime
        if lifetime.isOver { return }
        switch source {
        case .just(let element):
            observer.next(element)
            lifetime.finish()
        case .iterate(let iterate, _):
            do {
                let isComplete = try iterate { element in
                    observer.next(element)
                    return !lifetime.isOver
                }
                if isComplete { lifetime.finish() }
            } catch { lifetime.fail(error) }
        case .subscribe(let run): run(observer)
        }
    }

    /// `run` without its check, for operators that pass their own observer's lifetime, which was checked.
    @inlinable var subscribeFunction: @Sendable (Observer<Element>) -> Void {
        if case .subscribe(let run) = source { run } else { run }
    }

    @inlinable var iteration: Iteration? {
        switch source {
        case .just(let element): { body in body(element) }
        case .iterate(let iterate, _): iterate
        case .subscribe: nil
        }
    }
}

// A downstream observer. `next` is called by one thread at a time, and not after `lifetime` has ended.
@usableFromInline
struct Observer<Element: Sendable>: Sendable {
    @usableFromInline let next: @Sendable (Element) -> Void
    @usableFromInline let lifetime: Lifetime

    @inlinable
    init(_ lifetime: Lifetime, next: @escaping @Sendable (Element) -> Void) {
        self.lifetime = lifetime
        self.next = next
    }

    @inlinable
    func send(_ element: Element) {
        if lifetime.isLiveRoot { next(element) } else { sendIfLive(element) }
    }

    /// The slow path of `send`; not inlined, so that the fast path need not save registers.
    @inlinable
    @inline(never)
    func sendIfLive(_ element: Element) {
        if lifetime.isLiveStage() { next(element) }
    }

    @inlinable
    func send(event: Event<Element>) {
        switch event {
        case .next(let element): send(element)
        case .error(let error): lifetime.fail(error)
        case .completed: lifetime.finish()
        }
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
