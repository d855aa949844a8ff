import Foundation

extension RequestOperation {
    func send(_ request: TransportRequest, attempt number: Int, adapted: [TransportRequest] = []) {
        let download = endpoint.task.download.map {
            // A stub must not change the partial file of an interrupted download.
            DownloadFile($0.destination, partialFile: isStubbed ? nil : $0.partialFile)
        }
        let accumulator = ResponseAccumulator(
            streaming: stream == nil ? nil : validation, limit: stream == nil ? maximumResponseSize : nil)
        var leftovers = Leftovers()
        let reportsProgress = state.withLock {
            $0.begin(number, reportsProgress: isShared, &leftovers, accumulator, download, adapted)
        }
        _ = consume leftovers  // Releases the former attempt before the next one runs.
        guard let wantsProgress = reportsProgress else { return endAbandoned() }
        var request = request
        let timeouts: Timeouts
        let cookies: CookieJar?
        let resumption = download?.resumption()
        do throws(MoyaError) {
            try context.prepare(&request, for: target, options)
            (timeouts, cookies) = try complete(&request, resumption, wantsProgress: wantsProgress)
        } catch {
            return end(.failure(error))
        }
        var credential: URLCredential?
        if !plugins.isEmpty {
            let start = scheduler.now
            guard state.withLock({ $0.prepared(request, start: start) }) else { return endAbandoned() }
            let sent = RequestType(id: id, attempt: number, sent: request, start: start)
            credential = context.credential(for: sent, target)
            for plugin in plugins { plugin.willSend(sent, target: target) }
        }
        let policy = FollowUpPolicy(
            redirects: options.redirects ?? context.configuration.redirects,
            cookies: cookies,
            responder: ChallengeResponder(credential, for: request.url, nonces: context.nonces),
            restartsDownload: resumption == nil ? nil : download?.restarts)
        exchange(request, policy, timeouts, attempt: number)
    }

    // Adds content, default header fields and cookies to the prepared request, and validates it. `resumption` requests
    // the missing range of a partial download.
    private func complete(
        _ request: inout TransportRequest, _ resumption: HTTPHeaders?, wantsProgress: Bool
    ) throws(MoyaError) -> (Timeouts, CookieJar?) {
        let task = endpoint.task
        let timeouts = try (options.timeouts ?? context.configuration.timeouts).merging(
            interval: request.timeoutInterval)
        let cookies = context.cookies(for: request)
        request.apply(request.cachePolicy)
        if request.content?.isEmpty == true { request.body = .none }
        if case .none = request.body {
            if let content = try task.content(for: request.method) {
                request.body = content.body
                if content.contentType.hasPrefix("multipart/") {
                    // This content type replaces any other, because it contains the boundary between the parts.
                    request.headers["Content-Type"] = content.contentType
                } else {
                    request.setIfMissing("Content-Type", content.contentType)
                }
            }
        } else {
            // Content that an interceptor or a plugin has set replaces that of the task. A type is declared, because
            // transports have different defaults.
            request.setIfMissing("Content-Type", "application/octet-stream")
        }
        for field in resumption?.fields ?? [] { request.headers[field.name] = field.value }
        let download = task.download
        if download?.partialFile != nil {
            // If the content were compressed, the missing range of an interrupted download could not be requested.
            request.headers["Accept-Encoding"] = "identity"
            request.decodesUnrequestedCodings = true
        }
        request.headers.addMissing(context.configuration.defaultHeaders)
        if let field = cookies?.field(for: request.url) { request.headers.replace("Cookie", with: field) }
        if let stream { request.headers.forbidStoring(ofAll: stream.isEventStream) }
        request.delivery = delivery(wantsProgress: wantsProgress)
        request.connectTimeout = timeouts.connect
        request.maximumResponseSize = stream == nil && download == nil ? maximumResponseSize : nil
        request.context = callContext
        request.cookieJar = cookies
        do throws(TransportError) { try request.validate() } catch { throw MoyaError(error) }
        return (timeouts, cookies)
    }

    private func delivery(wantsProgress: Bool) -> TransportRequest.Delivery {
        if stream != nil { return .chunks(window: streamWindow) }
        if endpoint.task.download != nil { return .chunks(window: 1 << 20) }
        return isStubbed || wantsProgress ? .chunks(window: nil) : .whole
    }

    private func exchange(
        _ request: TransportRequest, _ policy: FollowUpPolicy, _ timeouts: Timeouts, attempt number: Int
    ) {
        let now = noteActivity()
        var deadlines = AttemptDeadlines()
        deadlines.limit = timeouts.attempt.map { ($0, (now + $0.clamped).nanoseconds) }
        // Tests delay stubs by minutes. A `StubTransport` has the idle deadline.
        if !isStubbed {
            deadlines.idle = timeouts.idle
            if let stream {
                let events = timeouts.eventStreamIdle(unset: stream.eventStreamIdle)
                deadlines.idleOfStream = (timeouts.idle, events)
                if request.acceptsEventStreamOnly { deadlines.idle = events }
            }
        }
        let stub =
            isStubbed
            ? StubExchange(request.delivery, on: context.configuration.scheduler) { [self] in
                handle($0, attempt: number)
            } : nil
        let upload = endpoint.task.download == nil ? ResponseAccumulator.UploadProgress(of: request.body) : nil
        let (departure, due) = state.withLock { state in
            (
                state.beginExchange(request, stub, deadlines, upload: upload),
                state.earliestDeadline(after: now.nanoseconds)
            )
        }
        if let departure { return endAttempt(number, departure) }
        if let watch = context.deadlines {
            if due < .max { watch.watch(due, at: now) }
        } else if deadlines.limit != nil {
            watchDeadlines()
            // A scheduler may run its work at once.
            guard state.withLock({ $0.mayComplete(number) }) else { return }
        }
        if let stub {
            // No further request follows a redirect or a challenge of a stub.
            let delay: Duration? = if case .delayed(let time) = behavior { Duration(clampedSeconds: time) } else { nil }
            stub.schedule(after: delay) { [self] in stub.play(endpoint.sampleResponseClosure()) }
        } else if request.isForCacheOnly, !context.configuration.transport.capabilities.contains(.caching) {
            return finish(.failure(.underlying(URLError.notStored(request.url), nil)), attempt: number)
        } else {
            let receiver = ExchangeReceiver(self, attempt: number, policy)
            context.runOnVirtualClock { receiver.start(request, hop: 0) }
        }
        // An exchange that ends at once, for example with a stored response, needs no timer.
        if context.deadlines == nil { watchDeadlines() }
    }

    func endAttempt(_ number: Int, _ departure: Departure) {
        switch departure {
        case .cancelled: finish(.failure(.cancelled), attempt: number)
        case .timedOut(let total): timeOut(number, Departure.reason(total))
        }
    }
}

extension HTTPHeaders {
    /// Don't store event streams, which would be replayed at each reconnection.
    fileprivate mutating func forbidStoring(ofAll isEventStream: Bool) {
        let mediaTypes = ListFieldValue(self["Accept"] ?? "").elements
        guard isEventStream || mediaTypes.contains(where: { $0.mediaType == "text/event-stream" }),
            !ListFieldValue(self["Cache-Control"] ?? "").elements.contains(where: { $0.lowercased() == "no-store" })
        else { return }
        self["Cache-Control"] = "no-store"
    }

    fileprivate mutating func addMissing(_ other: HTTPHeaders) {
        // Assigning `other` shares its storage instead of copying the fields one by one.
        guard !fields.isEmpty else { return self = other }
        var index = HeaderIndex()
        fields += other.fields.filter { index.firstIndex(of: $0.name, in: fields) == nil }
    }
}
