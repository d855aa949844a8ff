import MoyaScheduling
public import MoyaStreams

/// A stream that plays a diagram, and knows when it was subscribed.
public final class MarbleStream<Element: Sendable>: Subscribable {
    /// The stream.
    public let observable: Observable<Element>
    private let log: SpanLog

    fileprivate init(_ time: VirtualTime, _ place: SourceLocation, _ source: Observable<Element>) {
        let log = SpanLog()
        let origin = time.elapsed
        observable = Observable { emitter in
            let index = log.begin(at: time.elapsed - origin)
            let tracker = time.watch(at: place)
            emitter.onTermination {
                log.end(index, at: time.elapsed - origin)
                tracker.close()
            }
            emitter.forward(source)
        }
        self.log = log
    }

    /// From when to when it has been subscribed, in the order of the subscriptions, counted from its making.
    ///
    /// ```swift
    /// #expect(letters.subscriptions == ["^---!"])
    /// ```
    public var subscriptions: [SubscriptionSpan] { log.spans }
}

extension VirtualTime {
    /// A stream that plays a diagram for each subscriber from the moment of its subscription on.
    ///
    /// A diagram that is not well formed is a programmer's error and stops the program, with a caret under its place.
    ///
    /// - Parameters:
    ///   - marbles: the diagram; the values are its texts.
    ///   - error: what `#` stands for.
    ///   - fileID: where this is called, for ``leftovers``.
    ///   - line: where this is called.
    public func cold(
        _ marbles: String, error: any Error = MarbleFailure(), fileID: String = #fileID, line: UInt = #line
    ) -> MarbleStream<String> {
        cold(marbles, error: error, fileID: fileID, line: line) { $0 }
    }

    /// A stream that plays a diagram for each subscriber, with values looked up by their names.
    public func cold<Element>(
        _ marbles: String, values: [String: Element], error: any Error = MarbleFailure(),
        fileID: String = #fileID, line: UInt = #line
    ) -> MarbleStream<Element> {
        cold(marbles, error: error, fileID: fileID, line: line) { values[$0] }
    }

    /// A stream that plays a diagram for each subscriber, with values made of their names; nil means that a name is
    /// wrong.
    public func cold<Element>(
        _ marbles: String, error: any Error = MarbleFailure(), fileID: String = #fileID, line: UInt = #line,
        value: (String) throws -> Element?
    ) -> MarbleStream<Element> {
        let place = SourceLocation(fileID: fileID, line: line)
        let events = Marbles(checked: marbles, tick: tick).events(error: error, value)
        let instants = self.instants(of: events)
        return MarbleStream(
            self, place,
            Observable { emitter in
                for (delay, events) in instants {
                    let work = self.enter({ emitter.send(all: events) }, after: delay, at: place)
                    emitter.onTermination { work.cancel() }
                }
            })
    }

    /// A stream that plays a diagram from now on, whether anybody listens or not.
    ///
    /// Where the diagram has a `^`, that is now, and what stands before it is past.
    public func hot(
        _ marbles: String, error: any Error = MarbleFailure(), fileID: String = #fileID, line: UInt = #line
    ) -> MarbleStream<String> {
        hot(marbles, error: error, fileID: fileID, line: line) { $0 }
    }

    /// A stream that plays a diagram from now on, with values looked up by their names.
    public func hot<Element>(
        _ marbles: String, values: [String: Element], error: any Error = MarbleFailure(),
        fileID: String = #fileID, line: UInt = #line
    ) -> MarbleStream<Element> {
        hot(marbles, error: error, fileID: fileID, line: line) { values[$0] }
    }

    /// A stream that plays a diagram from now on, with values made of their names; nil means that a name is wrong.
    public func hot<Element>(
        _ marbles: String, error: any Error = MarbleFailure(), fileID: String = #fileID, line: UInt = #line,
        value: (String) throws -> Element?
    ) -> MarbleStream<Element> {
        let place = SourceLocation(fileID: fileID, line: line)
        let diagram = Marbles(checked: marbles, tick: tick, kind: .hot)
        let origin = diagram.marks.first { $0.event == .subscribed }?.time ?? .zero
        let (signal, emitter) = Signal<Element>.pipe()
        for (time, events) in instants(of: diagram.events(error: error, value)) where time >= origin {
            enter({ emitter.send(all: events) }, after: time - origin, at: place)
        }
        return MarbleStream(self, place, signal.observable)
    }

    /// What happens at one instant is one piece of work, so that it keeps its order.
    private func instants<Element>(
        of events: [(time: Duration, event: Event<Element>)]
    ) -> [(time: Duration, events: [Event<Element>])] {
        var instants: [(time: Duration, events: [Event<Element>])] = []
        for (time, event) in events {
            if instants.last?.time == time {
                instants[instants.count - 1].events.append(event)
            } else {
                instants.append((time, [event]))
            }
        }
        return instants
    }
}

extension Emitter {
    fileprivate func send(all events: [Event<Element>]) {
        for event in events {
            switch event {
            case .next(let element): send(element)
            case .error(let error): fail(error)
            case .completed: complete()
            }
        }
    }
}

/// When a stream was subscribed.
private final class SpanLog: Sendable {
    private let state = Locked<[SubscriptionSpan]>([])

    var spans: [SubscriptionSpan] { state.withLock { $0 } }

    func begin(at time: Duration) -> Int {
        state.withLock { spans in
            spans.append(SubscriptionSpan(start: time))
            return spans.count - 1
        }
    }

    func end(_ index: Int, at time: Duration) {
        state.withLock { $0[index] = SubscriptionSpan(start: $0[index].start, end: time) }
    }
}
