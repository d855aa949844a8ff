import MoyaScheduling

struct DueWorkRunner: ~Copyable {
    private enum NextStep {
        case job(Job)
        case work(VirtualTime.QueuedWork)
        case limitExceeded(VirtualTime.QueuedWork)
        /// One more would exceed the limit of events or of real time; what it is stays on the clock.
        case tooManyEvents(String)
        case nothing
    }

    private let time: VirtualTime
    private let start: Duration
    private var events = 0
    private let deadline: (limit: Duration, end: ContinuousClock.Instant)?
    /// Whether the clock waits for the threads of the global executor; false after one of them took too long.
    var awaitsThreads = true

    init(_ time: VirtualTime, realTimeLimit: Duration? = nil) {
        self.time = time
        deadline = realTimeLimit.map { ($0, .now + $0) }
        start = time.state.withLock { state in
            state.wasMoved = true
            return state.now
        }
    }

    /// Runs the next job of async code, or the next scheduled work that is due by `end`.
    ///
    /// - Parameter end: the time to which the clock is moved; `nil` to move the clock up to its time limit.
    /// - Returns: false if no job or work is due by `end`.
    /// - Throws: a ``VirtualTimeError`` at the event limit, or if the next work is due after the time limit.
    mutating func step(until end: Duration?) throws(VirtualTimeError) -> Bool {
        switch next(until: end) {
        case .nothing: return false
        case .job(let job):
            events += 1
            CurrentVirtualClock.run(on: time) { job.run(on: time) }
        case .work(let item):
            events += 1
            CurrentVirtualClock.run(on: time) { item.work.run() }
        case .limitExceeded(let item):
            throw VirtualTimeError(
                description: "virtual time was stopped after \(time.timeLimit), with \(Self.name(item))"
                    + " still to come: end it, or give VirtualTime a larger timeLimit")
        case .tooManyEvents(let next):
            let (limit, name) =
                if isLate, let deadline {
                    ("\(deadline.limit.inSeconds) of real time", "realTimeLimit")
                } else {
                    ("\(time.eventLimit) events", "eventLimit")
                }
            throw VirtualTimeError(
                description: "virtual time was stopped after \(limit), with \(next) still to come:"
                    + " end it, or give VirtualTime a larger \(name)")
        }
        return true
    }

    private static func name(_ item: VirtualTime.QueuedWork) -> String {
        item.place.map { "work scheduled at \($0)" } ?? "a sleeping task"
    }

    private var isLate: Bool { events < time.eventLimit && deadline.map { $0.end < .now } == true }

    private func next(until end: Duration?) -> NextStep {
        let limit = end ?? start + time.timeLimit
        var dropped: [VirtualTime.QueuedWork] = []
        defer { dropped.removeAll() }
        return time.state.withLock { state in
            let mayRun = events < time.eventLimit && !isLate
            if !mayRun, !state.jobs.isEmpty { return .tooManyEvents("async code") }
            if let job = state.jobs.pop(&state.generator) { return .job(job) }
            while let entry = state.heap.next, !entry.item.work.isWaiting {
                dropped.append(entry.item)
                _ = state.heap.pop(dueBy: entry.due)
            }
            guard let first = state.heap.next else { return .nothing }
            guard first.due <= limit else { return end == nil ? .limitExceeded(first.item) : .nothing }
            guard mayRun else { return .tooManyEvents(Self.name(first.item)) }
            state.now = max(state.now, first.due)
            return state.heap.pop(dueBy: first.due).map { .work($0.item) } ?? .nothing
        }
    }
}

extension Optional<SeededGenerator> {
    mutating func choose<Choices: RandomAccessCollection>(_ choices: Choices) -> Choices.Element? {
        guard self != nil, var generator = self else { return choices.first }
        defer { self = generator }
        return choices.randomElement(using: &generator)
    }
}
