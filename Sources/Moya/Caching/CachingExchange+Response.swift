import Foundation

extension CachingExchange {
    /// Applies a head to the cache and decides about the rest of the response; returns the head to deliver, or `nil` if the
    /// response is left out.
    func received(_ head: ResponseHead) -> ResponseHead? {
        let responseTime = owner.now()
        let former = state.withLock { state in
            state.hasHead = true
            return state
        }
        cache.invalidate(Invalidation.urls(request, head))
        if request.method == .head, head.statusCode == 200 { compare(head, former.requestTime, responseTime) }
        if let successor = successor(of: head, former, responseTime) {
            state.withLock { $0.phase = .draining(successor, bytes: 0) }
            return nil
        }
        let isStored = Storability.isStorable(head, for: request)
        if isStored {
            // The request itself invalidated the responses for the URL, if it is not a GET request.
            let writeID = former.writeID ?? cache.beginWrite(of: key)
            let stored = ResponseHead(
                statusCode: head.statusCode, version: head.version, headers: Storability.storedFields(head.headers))
            state.withLock { state in
                state.writeID = writeID
                state.pending = PendingResponse(head: stored, responseTime: responseTime)
            }
        }
        var headers = head.headers
        headers.add("Cache-Status", CacheStatus(forwardReason: former.reason, isStored: isStored).description)
        return ResponseHead(statusCode: head.statusCode, version: head.version, headers: headers)
    }

    /// What takes the place of the response, if anything does (RFC 9111, section 4.3.3).
    private func successor(of head: ResponseHead, _ former: State, _ responseTime: Date) -> Successor? {
        if head.statusCode == 304, let validated = former.validated {
            guard Validation.confirms(head, validated) else {
                cache.remove(validated)
                return .send
            }
            let updated = cache.update(
                validated, by: head, requestTime: former.requestTime, responseTime: responseTime)
            let status = CacheStatus(forwardReason: former.reason, forwardStatusCode: 304, isStored: true)
            return .reply(updated, status, isReused: head.headers["Set-Cookie"] == nil)
        }
        // RFC 5861, section 4.
        if [500, 502, 503, 504].contains(head.statusCode), let stored = former.fallback, allowsStale(stored) {
            let status = CacheStatus(forwardReason: former.reason, forwardStatusCode: head.statusCode)
            return .reply(stored, status, isReused: true)
        }
        // The caller's own precondition: the caller receives the 304.
        if head.statusCode == 304, request.method == .get { confirm(head, former.requestTime, responseTime) }
        return nil
    }

    /// Updates the stored response that a 304 response to the caller's own precondition is about (RFC 9111, section 4.3.4).
    private func confirm(_ head: ResponseHead, _ requestTime: Date, _ responseTime: Date) {
        guard let tag = head.headers["ETag"], !EntityTag.isWeak(tag) else { return }
        for stored in cache.candidates(for: key) where stored.matches(request.headers) && stored.headers["ETag"] == tag
        {
            _ = cache.update(stored, by: head, requestTime: requestTime, responseTime: responseTime)
        }
    }

    /// Updates or removes the stored responses to GET that a response to HEAD is about (RFC 9111, section 4.3.5).
    private func compare(_ head: ResponseHead, _ requestTime: Date, _ responseTime: Date) {
        for stored in cache.candidates(for: key) where stored.matches(request.headers) && stored.statusCode == 200 {
            if Validation.agrees(head, with: stored) {
                _ = cache.update(stored, by: head, requestTime: requestTime, responseTime: responseTime)
            } else {
                cache.remove(stored)
            }
        }
    }

    /// Keeps content for the cache, up to the largest length that is stored.
    func store(_ chunks: [Data]) {
        guard !chunks.isEmpty else { return }
        let limit = owner.policy.largestContent
        let excess = state.withLock { state -> PendingResponse? in
            guard state.pending != nil else { return nil }
            state.pending?.bytes += chunks.reduce(0) { $0 + $1.count }
            guard let bytes = state.pending?.bytes, bytes <= limit else { return state.pending.take() }
            state.pending?.chunks += chunks
            return nil
        }
        withExtendedLifetime(excess) {}
    }

    /// Stores a response that is complete (RFC 9111, section 3.3).
    func finishWrite(_ pending: PendingResponse?, _ outcome: TransportOutcome, _ former: State) {
        guard let id = former.writeID else { return }
        guard let pending, outcome.failure == nil, !former.isCancelled,
            Storability.isComplete(pending.bytes, pending.head.headers)
        else { return cache.endWrite(id, of: key) }
        var content = Data(capacity: pending.bytes)
        for chunk in pending.chunks { content.append(chunk) }
        let response = StoredResponse(
            id: id, key: key, head: pending.head, trailers: outcome.trailers, content: content,
            nominated: Vary(pending.head.headers).nominated(in: request.headers), requestTime: former.requestTime,
            responseTime: pending.responseTime)
        cache.endWrite(id, of: key, storing: response, for: request.headers)
    }

    /// Validates a stored response in the background, unless that is running (RFC 5861, section 3).
    ///
    /// It outlives this exchange; an error leaves the stored response as it is.
    func revalidate(_ stored: StoredResponse) {
        guard let request = request.inBackground, cache.beginRevalidation(of: stored) else { return }
        let timer = SingleAssignmentCancellable()
        let exchange = CachingExchange(request, on: owner) { [cache] batch in
            guard batch.outcome != nil else { return }
            timer.cancel()
            cache.endRevalidation(of: stored)
        }
        timer.store(owner.scheduler.schedule(after: .seconds(60)) { exchange.cancel() })
        let validating = Validation.request(request, validating: stored)
        exchange.send(validating ?? request, .stale, validating: validating == nil ? nil : stored)
    }
}

extension TransportRequest {
    /// A GET request without the caller's preconditions and range, and without a window.
    fileprivate var inBackground: TransportRequest? {
        var fields = headers
        for name in ["If-None-Match", "If-Modified-Since", "Range"] { fields[name] = nil }
        return try? replacing(method: .get, headers: fields, body: RequestBody.none, delivery: .chunks(window: nil))
    }
}
