import MoyaScheduling
public import MoyaStreams

/// A stream that sends the events of a diagram, and records the subscriptions to the stream.
public final class MarbleStream<Element: Sendable>: Subscribable {
    /// The stream as an observable.
    public let observable: Observable<Element>
    private let log: SubscriptionSpanLog

    fileprivate init(_ time: VirtualTime, _ place: CallSite, _ source: Observable<Element>) {
        let log = SubscriptionSpanLog(tick: time.tick)
        let origin = time.elapsed
        observable = Observable { emitter in
            let index = log.begin(at: time.elapsed - origin)
            let trackedSubscription = time.track(at: place)
            emitter.onTermination { [weak time] in
                if let time { log.end(index, at: time.elapsed - origin) }
                trackedSubscription.close()
            }
            emitter.forward(source)
        }
        self.log = log
    }

    /// The start and the end of each subscription, in order, as times since the creation of the stream.
    ///
    /// ```swift
    /// #expect(source.subscriptions == ["^---!"])
    /// ```
    public var subscriptions: [SubscriptionSpan] { log.spans }
}

extension VirtualTime {
    /// Returns a cold stream that sends the events of a diagram to each subscriber.
    ///
    /// The diagram begins at the time of the subscription. A diagram with a syntax error stops the program with a
    /// message that points at the error.
    ///
    /// - Parameters:
    ///   - marbles: the diagram; the stream sends the names in the diagram, such as `a`, as strings.
    ///   - error: the error that the stream sends for `#`.
    ///   - fileID: the file of the call; ``leftovers`` reports the file and the line.
    ///   - line: the line of the call.
    public func cold(
        _ marbles: String, error: any Error = MarbleFailure(), fileID: String = #fileID, line: UInt = #line
    ) -> MarbleStream<String> {
        cold(marbles, error: error, fileID: fileID, line: line) { $0 }
    }

    /// Returns a cold stream of the events of a diagram; `values` maps each name in the diagram to the value to send.
    ///
    /// A name that is not a key of `values` stops the program.
    public func cold<Element>(
        _ marbles: String, values: [String: Element], error: any Error = MarbleFailure(),
        fileID: String = #fileID, line: UInt = #line
    ) -> MarbleStream<Element> {
        cold(marbles, error: error, fileID: fileID, line: line) { values[$0] }
    }

    /// Returns a cold stream of the events of a diagram; `value` maps each name in the diagram to the value to send.
    ///
    /// The program stops if the closure returns `nil` or throws.
    public func cold<Element>(
        _ marbles: String, error: any Error = MarbleFailure(), fileID: String = #fileID, line: UInt = #line,
        value: (String) throws -> Element?
    ) -> MarbleStream<Element> {
        let place = CallSite(fileID: fileID, line: line)
        let events = ParsedMarbles(checked: marbles, tick: tick).events(error: error, value)
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

    /// Returns a hot stream that sends the events of a diagram from now on, even without subscribers.
    ///
    /// A `^` in the diagram marks the current time; events before the `^` are not sent.
    public func hot(
        _ marbles: String, error: any Error = MarbleFailure(), fileID: String = #fileID, line: UInt = #line
    ) -> MarbleStream<String> {
        hot(marbles, error: error, fileID: fileID, line: line) { $0 }
    }

    /// Returns a hot stream of the events of a diagram; `values` maps each name in the diagram to the value to send.
    ///
    /// A name that is not a key of `values` stops the program.
    public func hot<Element>(
        _ marbles: String, values: [String: Element], error: any Error = MarbleFailure(),
        fileID: String = #fileID, line: UInt = #line
    ) -> MarbleStream<Element> {
        hot(marbles, error: error, fileID: fileID, line: line) { values[$0] }
    }

    /// Returns a hot stream of the events of a diagram; `value` maps each name in the diagram to the value to send.
    ///
    /// The program stops if the closure returns `nil` or throws.
    public func hot<Element>(
        _ marbles: String, error: any Error = MarbleFailure(), fileID: String = #fileID, line: UInt = #line,
        value: (String) throws -> Element?
    ) -> MarbleStream<Element> {
        let place = CallSite(fileID: fileID, line: line)
        let diagram = ParsedMarbles(checked: marbles, tick: tick, kind: .hot)
        let origin = diagram.marks.first { $0.event == .subscribed }?.time ?? .zero
        let (signal, emitter) = Signal<Element>.pipe()
        for (time, events) in instants(of: diagram.events(error: error, value)) where time >= origin {
            enter({ emitter.send(all: events) }, after: time - origin, at: place)
        }
        return MarbleStream(self, place, signal.observable)
    }

    /// Groups the events of a diagram by time.
    ///
    /// One scheduled closure sends a whole group, because a clock with a seed reorders closures that are due together.
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
        for event in events { send(event: event) }
    }
}

private final class SubscriptionSpanLog: Sendable {
    private let tick: Duration
    private let state = Locked<[SubscriptionSpan]>([])

    init(tick: Duration) {
        self.tick = tick
    }

    var spans: [SubscriptionSpan] { state.withLock { $0 } }

    func begin(at time: Duration) -> Int {
        state.withLock { spans in
            spans.append(SubscriptionSpan(start: time, end: nil, tick: tick))
            return spans.count - 1
        }
    }

    func end(_ index: Int, at time: Duration) {
        state.withLock { $0[index] = SubscriptionSpan(start: $0[index].start, end: time, tick: tick) }
    }
}
