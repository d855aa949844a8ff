public import MoyaStreams

extension VirtualTime {
    /// Subscribes now, and keeps what comes with its time.
    ///
    /// The clock is not moved.
    public func record<Element>(_ stream: some Subscribable<Element>) -> Recording<Element> {
        let recording = Recording<Element>(tick: tick)
        let start = now
        recording.follow(stream.subscribe { [weak recording] event in recording?.append(event, at: self.now - start) })
        return recording
    }

    /// Subscribes now, and moves the clock until nothing is left to happen.
    ///
    /// ```swift
    /// #expect(time.play(time.cold("--a--b|").map { $0.uppercased() }) == "--A--B|")
    /// ```
    public func play<Element>(_ stream: some Subscribable<Element>) -> Recording<Element> {
        let recording = record(stream)
        run()
        return recording
    }

    /// A stream that plays a diagram for each subscriber from the moment of its subscription on.
    ///
    /// A diagram that is not well formed is a programmer's error and stops the program, with a caret under its place.
    ///
    /// - Parameters:
    ///   - marbles: the diagram.
    ///   - error: what `#` stands for.
    public func cold(_ marbles: String, error: any Error = MarbleFailure()) -> Observable<String> {
        let diagram = Marbles(checked: marbles, tick: tick)
        return Observable { emitter in
            for (time, mark) in diagram.marks {
                let token = self.schedule(after: time) {
                    switch mark {
                    case .value(let text): emitter.send(text)
                    case .completed: emitter.complete()
                    case .error: emitter.fail(error)
                    }
                }
                emitter.onCancel { token.cancel() }
            }
        }
    }
}

/// The error of a diagram in which only `#` says what it is.
public struct MarbleFailure: Error, Hashable {
    /// The error.
    public init() {}
}
