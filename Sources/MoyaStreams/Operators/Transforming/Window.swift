public import MoyaScheduling

extension Subscribable {
    /// Streams of `count` values each; each is sent with its first value.
    ///
    /// ```text
    /// source:             a-b-c-d-e|
    /// window(count: 2):   x---y---z|      (x: a-(b|), y: c-(d|), z: e|)
    /// ```
    /// No window is empty. A window completes with its last value, and the last window completes or fails with the source. A
    /// window buffers its values until its first subscriber. A cancel of one window does not concern the others: the source is
    /// cancelled when neither the stream of windows nor any window has a subscriber; a window that is subscribed to later sends
    /// what it has buffered, and nothing more. A count under one means one.
    ///
    /// ```swift
    /// readings.window(count: 100).flatMap { window in window.reduce(0, +) }
    /// ```
    public func window(count: Int) -> Observable<Observable<Element>> {
        Observable(run: { [source = observable] downstream in
            windows(of: source, downstream, count: count, schedule: nil)
        })
    }

    /// Streams of the values that come within a time, or of `count` if that is reached before; each is sent with its first
    /// value.
    ///
    /// ```text
    /// source:                   ab---cdef|
    /// window(for: 3, count: 3): x----y--z|      (x: ab-|, y: cd(e|), z: f|)
    /// ```
    /// The time begins with the first value of each window, and its end is judged by the clock when a value comes, also when the
    /// scheduler runs late. Otherwise as ``window(count:)``. A full window completes where its last value came, others on the
    /// scheduler.
    ///
    /// - Parameters:
    ///   - duration: how long a window is open.
    ///   - count: how many values a window has at most.
    ///   - scheduler: measures the time.
    public func window(
        for duration: Duration, count: Int = .max, on scheduler: any Scheduler
    ) -> Observable<Observable<Element>> {
        Observable(run: { [source = observable] downstream in
            windows(of: source, downstream, count: count, schedule: (duration, scheduler))
        })
    }
}

private func windows<Element: Sendable>(
    of source: Observable<Element>, _ downstream: Observer<Observable<Element>>, count: Int,
    schedule: (duration: Duration, scheduler: any Scheduler)?
) {
    let connection = Lifetime(trace: downstream.lifetime.trace) { downstream.lifetime.end($0) }
    let users = WindowConnection(of: connection)
    users.add(downstream.lifetime)
    let observer = Observer<Observable<Element>>(connection) { downstream.send($0) }
    let coordinator = Coordinator<WindowState<Element>, WindowState<Element>.Input, Observable<Element>>(
        WindowState(), observer
    ) {
        window, input, observer, coordinator in
        switch input {
        case .next(let element, let now):
            if schedule != nil, window.isOver(at: now) { window.close(nil) }
            if !window.isOpen {
                guard !downstream.lifetime.isOver else { break }
                let (stream, emitter) = users.makeStream(of: Element.self, named: "window")
                let number = window.open(emitter, until: now + (schedule?.duration ?? .zero))
                observer.next(stream)
                if let schedule {
                    window.timer = ScopedTimer(
                        schedule.scheduler.schedule(after: schedule.duration) { coordinator.submit(.due(number)) })
                }
            }
            if window.send(element) >= count { window.close(nil) }
        case .due(let number): if number == window.number { window.close(nil) }
        case .end(let error):
            window.close(error)
            return .finish(error)
        }
        return .continue
    }
    let lifetime = Lifetime(in: connection) { coordinator.submit(.end($0)) }
    source.run(Observer(lifetime) { coordinator.submit(.next($0, at: schedule?.scheduler.now ?? .zero)) })
}

/// The window that is open, if one is.
private struct WindowState<Element: Sendable>: Sendable {
    enum Input: Sendable {
        case next(Element, at: Duration)
        case due(Int)
        case end((any Error)?)
    }

    private(set) var number = 0
    var timer: ScopedTimer?
    private var emitter: Emitter<Element>?
    private var count = 0
    private var end = Duration.zero

    var isOpen: Bool { emitter != nil }

    func isOver(at now: Duration) -> Bool { isOpen && end < now }

    mutating func open(_ emitter: Emitter<Element>, until end: Duration) -> Int {
        self.emitter = emitter
        self.end = end
        count = 0
        number += 1
        return number
    }

    /// How many values the window has now.
    mutating func send(_ element: Element) -> Int {
        emitter?.post(element)
        count += 1
        return count
    }

    mutating func close(_ error: (any Error)?) {
        timer = nil
        emitter?.end(error)
        emitter = nil
    }
}
