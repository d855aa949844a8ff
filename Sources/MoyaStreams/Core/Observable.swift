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
    @usableFromInline
    enum Recipe: Sendable {
        /// A value that is there already: it needs neither a closure nor, as an inner stream, a lifetime.
        case just(Element)
        case work(Work)
    }

    /// Subscribes.
    ///
    /// An operator is one such closure around another.
    @usableFromInline
    struct Work: Sendable {
        @usableFromInline let run: @Sendable (Observer<Element>) -> Void
        /// Whether it ends before it returns, on the subscribing thread, and calls no foreign code but the observer's: as an
        /// inner stream it may keep the others waiting from one of its values to the next.
        @usableFromInline let isPrompt: Bool
        #if DEBUG
            /// For the ``Trail``.
            @usableFromInline let name: StaticString
        #endif

        @inlinable
        init(run: @escaping @Sendable (Observer<Element>) -> Void, isPrompt: Bool, name: StaticString) {
            self.run = run
            self.isPrompt = isPrompt
            #if DEBUG
                self.name = name
            #endif
        }
    }

    @usableFromInline let recipe: Recipe

    @inlinable
    init(recipe: Recipe) {
        self.recipe = recipe
    }

    @inlinable
    init(
        isPrompt: Bool = false, name: StaticString = #function, run: @escaping @Sendable (Observer<Element>) -> Void
    ) {
        recipe = .work(Work(run: run, isPrompt: isPrompt, name: name))
    }

    /// Whether it ends before `run` returns.
    @inlinable var isPrompt: Bool {
        switch recipe {
        case .just: true
        case .work(let work): work.isPrompt
        }
    }

    @inlinable
    func run(_ observer: Observer<Element>) {
        if observer.lifetime.isOver { return }
        switch recipe {
        case .just(let element):
            observer.next(element)
            observer.lifetime.finish()
        case .work(let work):
            #if DEBUG
                observer.lifetime.trail.add(work.name)
            #endif
            work.run(observer)
        }
    }

    /// `run`, for stages that pass the lifetime through: those downstream have looked whether it is over, and what a
    /// closure captures is called without being copied.
    @inlinable var runner: @Sendable (Observer<Element>) -> Void {
        #if !DEBUG
            if case .work(let work) = recipe { return work.run }
        #endif
        return run
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

    /// Tells a value, if anybody still listens.
    @inlinable
    func send(_ element: Element) {
        if lifetime.isLiveRoot { next(element) } else { sendIfLive(element) }
    }

    /// Out of line: what has to outlast a question in between would be saved and restored for each value.
    @inlinable
    @inline(never)
    func sendIfLive(_ element: Element) {
        if lifetime.isInnerAndLive() { next(element) }
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
