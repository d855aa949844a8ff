import MoyaScheduling
public import MoyaStreams

extension VirtualTime {
    /// Subscribes to a stream and records its events with their times, without moving the clock.
    ///
    /// Tasks that the stream starts while it is subscribed run on this clock, also those of interceptors.
    public func record<Element>(
        _ stream: some Subscribable<Element>, fileID: String = #fileID, line: UInt = #line
    ) -> Recording<Element> {
        let recording = Recording<Element>(on: self)
        // The stream and the clock do not keep the recording, which keeps the clock.
        let trackedSubscription = track(at: CallSite(fileID: fileID, line: line)) { [weak recording] error in
            recording?.abandon(error)
        }
        let trackedStream = stream.handleEvents(onEnd: { trackedSubscription.close() })
        CurrentVirtualClock.run(on: self) {
            recording.store(trackedStream.subscribe { [weak recording] event in recording?.append(event) })
        }
        return recording
    }

    /// Subscribes to a stream, records its events, and moves the clock until no work is pending.
    ///
    /// ```swift
    /// #expect(time.play(time.cold("--a--b|").map { $0.uppercased() }) == "--A--B|")
    /// #expect(time.play(time.cold("--a--b|"), during: "^---!") == "--a")
    /// ```
    /// - Parameters:
    ///   - stream: the stream.
    ///   - span: the times, from now, at which the subscription starts and is cancelled.
    ///   - fileID: the file of the call, which ``leftovers`` reports.
    ///   - line: the line of the call.
    public func play<Element>(
        _ stream: some Subscribable<Element>, during span: SubscriptionSpan = "^", fileID: String = #fileID,
        line: UInt = #line
    ) -> Recording<Element> {
        let recording = record(stream, during: span, fileID: fileID, line: line)
        run()
        if recording.events.isEmpty { report(reasonForNoEffect) }
        return recording
    }

    func record<Element>(
        _ stream: some Subscribable<Element>, during span: SubscriptionSpan, fileID: String, line: UInt
    ) -> Recording<Element> {
        let span = span.onClock(tick: tick)
        guard span != "^" else { return record(stream, fileID: fileID, line: line) }
        let place = CallSite(fileID: fileID, line: line)
        let recording = record(
            Observable { emitter in
                let work = self.enter({ emitter.forward(stream) }, after: span.start, at: place)
                emitter.onTermination { work.cancel() }
            }, fileID: fileID, line: line)
        if let end = span.end { enter({ recording.cancel() }, after: end, at: place) }
        return recording
    }
}

extension Emitter {
    func forward(_ stream: some Subscribable<Element>) {
        let subscription = stream.subscribe { send(event: $0) }
        onTermination { subscription.cancel() }
    }
}

extension MainActorTime {
    /// Subscribes to a stream, records its events, and moves the clock until no work is pending.
    ///
    /// - Parameters:
    ///   - stream: the stream.
    ///   - span: the times, from now, at which the subscription starts and is cancelled.
    ///   - fileID: the file of the call, which ``VirtualTime/leftovers`` reports.
    ///   - line: the line of the call.
    @MainActor
    public func play<Element>(
        _ stream: some Subscribable<Element>, during span: SubscriptionSpan = "^", fileID: String = #fileID,
        line: UInt = #line
    ) async -> Recording<Element> {
        let recording = time.record(stream, during: span, fileID: fileID, line: line)
        await run()
        if recording.events.isEmpty { time.report(time.reasonForNoEffect) }
        return recording
    }
}
