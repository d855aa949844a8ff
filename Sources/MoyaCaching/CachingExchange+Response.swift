import Foundation
import MoyaHTTP

extension CachingExchange {
    /// Updates the cache, decides whether to deliver and store the response, and returns the head to deliver, if any.
    func received(_ head: ResponseHead) -> ResponseHead? {
        let responseTime = owner.now()
        let former = state.withLock { state in
            state.hasHead = true
            return state
        }
        cache.invalidate(request.urlsInvalidated(by: head))
        if request.method == .head, head.statusCode == 200 { compare(head, former.requestTime, responseTime) }
        if let replacement = replacement(for: head, former, responseTime) {
            // The head is not delivered to the layers above, which would otherwise store its cookies.
            request.cookieJar?.store(head, from: request.url)
            state.withLock { $0.phase = .draining(replacement) }
            if head.statusCode != 304 { limitDraining() }
            return nil
        }
        let isStorable = StoringRules.isStorable(head, for: request)
        let length = head.headers["Content-Length"].flatMap { Int($0) } ?? 0
        let maximumLength = min(owner.policy.largestContent, cache.store.maximumLength)
        let fits = length <= maximumLength && cache.store.maximumLength > 0
        if isStorable {
            // A response that does not fit is not stored, but those that it should have replaced are removed.
            let writer = cache.store.writer()
            if !fits { writer.abandon() }
            // For GET, `send` has called `beginWrite`. For POST, `beginWrite` must follow the invalidation above,
            // which discards all earlier write IDs of the URL.
            let writeID = former.writeID ?? cache.beginWrite(of: keys.own)
            let stored = ResponseHead(
                statusCode: head.statusCode, version: head.version, headers: StoringRules.storedFields(head.headers))
            state.withLock { state in
                state.writeID = writeID
                state.pending = PendingWrite(head: stored, responseTime: responseTime, writer: writer)
            }
        }
        // A full response shows that the stored one is outdated, even if it is not stored (RFC 9111, section 4.3.3).
        if !isStorable, (200..<300).contains(head.statusCode) || [404, 410].contains(head.statusCode) {
            if let validated = former.validated ?? former.fallback {
                cache.store.apply(.remove, to: validated)
            } else if former.reason == .bypass, isForWholeContent {
                cache.store.revise(keys, for: request.headers) { _ in .remove }
            }
        }
        let status = CacheStatus(forwardReason: former.reason, isStored: isStorable && fits)
        var delivered = head
        delivered.headers.add("Cache-Status", status.description)
        delivered.origin = .server(status)
        return delivered
    }

    /// Whether the request is a GET for the complete content, whatever is stored, that does not forbid storing.
    private var isForWholeContent: Bool {
        request.method == .get && !request.hasContent && !CacheControl(request.headers).noStore
            && ["If-Match", "If-Unmodified-Since", "If-None-Match", "If-Modified-Since", "Range"].allSatisfy {
                request.headers[$0] == nil
            }
    }

    /// Returns the action to take instead of delivering the server's response, if any (RFC 9111, section 4.3.3).
    private func replacement(for head: ResponseHead, _ former: State, _ responseTime: Date) -> ActionAfterDraining? {
        if head.statusCode == 304, let validated = former.validated {
            guard ValidationRules.confirms(head, validated) else {
                cache.store.apply(.remove, to: validated)
                return .send
            }
            let (updated, change) = validated.updated(
                by: head, for: keys, request.headers, former.requestTime, responseTime)
            cache.store.apply(change, to: validated)
            let isStored = if case .update = change { true } else { false }
            let status = CacheStatus(forwardReason: former.reason, forwardStatusCode: 304, isStored: isStored)
            return .reply(updated, status)
        }
        // RFC 5861, section 4: a stale response may replace an error of the server.
        if head.mayBeReplaced, let stored = former.fallback, allowsStale(stored) {
            let status = CacheStatus(forwardReason: former.reason, forwardStatusCode: head.statusCode)
            return .reply(stored, status)
        }
        // A 304 response to the caller's own precondition is delivered, and also updates the stored responses.
        if head.statusCode == 304, request.method == .get { confirm(head, former.requestTime, responseTime) }
        return nil
    }

    /// Updates the stored responses that have the same strong entity tag as a 304 response (RFC 9111, section 4.3.4).
    private func confirm(_ head: ResponseHead, _ requestTime: Date, _ responseTime: Date) {
        guard let tag = head.headers["ETag"], !tag.isWeakTag else { return }
        cache.store.revise(keys, for: request.headers) { [keys, request] stored in
            guard stored.headers["ETag"] == tag else { return nil }
            return stored.updated(by: head, for: keys, request.headers, requestTime, responseTime).change
        }
    }

    /// Updates or removes stored responses to GET after a response to HEAD (RFC 9111, section 4.3.5).
    private func compare(_ head: ResponseHead, _ requestTime: Date, _ responseTime: Date) {
        cache.store.revise(keys, for: request.headers) { [keys, request] stored in
            guard stored.statusCode == 200 else { return nil }
            guard ValidationRules.agrees(head, with: stored) else { return .remove }
            return stored.updated(by: head, for: keys, request.headers, requestTime, responseTime).change
        }
    }

    func store(_ chunks: [Data]) {
        guard !chunks.isEmpty else { return }
        let length = chunks.reduce(0) { $0 + $1.count }
        let (writer, bytes) = state.withLock { state in
            state.pending?.bytes += length
            return (state.pending?.writer, state.pending?.bytes ?? 0)
        }
        guard let writer, bytes - length <= owner.policy.largestContent else { return }
        if bytes > owner.policy.largestContent { writer.abandon() } else { writer.append(chunks) }
    }

    /// Stores a complete response unless its URL was invalidated during the write (RFC 9111, sections 3.3 and 4.4).
    func finishWrite(_ pending: PendingWrite?, _ outcome: TransportOutcome, _ former: State) {
        guard let id = former.writeID else { return }
        guard let pending, outcome.failure == nil, !former.isCancelled,
            StoringRules.isComplete(pending.bytes, pending.head.headers)
        else {
            pending?.writer.abandon()
            _ = cache.endWrite(id, of: keys.own)
            return
        }
        let response = StoredResponse(
            id: id, key: keys.own, head: pending.head, trailers: outcome.trailers, content: .empty,
            nominated: pending.head.headers.nominated(in: request.headers),
            requestTime: former.requestTime, responseTime: pending.responseTime)
        let key = (response.isShareable ? keys.shared : nil) ?? keys.own
        // The new response replaces the outdated one only under the same key.
        if let outdated = former.validated ?? former.fallback, outdated.key != key {
            cache.store.apply(.remove, to: outdated)
        }
        let committed = key == keys.own ? response : StoredResponse(response, key: key)
        pending.writer.commit(committed, for: request.headers) { [cache] in cache.endWrite(id, of: key) }
    }

    /// Validates a stored response in the background, unless it is already being validated (RFC 5861, section 3).
    func revalidate(_ stored: StoredResponse) {
        var request = request
        // No preconditions or range of the caller, and no flow control, because no receiver acknowledges the content.
        for name in ["If-None-Match", "If-Modified-Since", "Range"] { request.headers[name] = nil }
        (request.method, request.body, request.delivery) = (.get, .none, .chunks(window: nil))
        let timer = SingleAssignmentCancellable()
        let exchange = CachingExchange(request, keys, on: owner, replyForm: .head) { [cache, request] batch in
            if let head = batch.head, !head.isReused { request.cookieJar?.store(head, from: request.url) }
            guard batch.outcome != nil else { return }
            timer.cancel()
            cache.endRevalidation(of: stored)
        }
        guard cache.beginRevalidation(of: stored, by: exchange) else { return }
        timer.store(owner.scheduler.schedule(after: .seconds(60)) { exchange.cancel() })
        let validating = ValidationRules.request(request, validating: stored)
        exchange.send(validating ?? request, .stale, validating: stored)
    }
}

extension StoredResponse {
    // Removes a shared response that must no longer be shared. Returns the updated one, even if it's no longer stored.
    // A new `Vary` names fields of `request`, to which `head` responds.
    fileprivate func updated(
        by head: ResponseHead, for keys: RequestCacheKeys, _ request: HTTPHeaders, _ requestTime: Date,
        _ responseTime: Date
    ) -> (response: StoredResponse, change: StoreChange) {
        let headers = ValidationRules.updated(headers, by: head.headers)
        let updated = StoredResponse(
            id: .random(in: .min ... .max), key: key,
            head: ResponseHead(statusCode: statusCode, version: self.head.version, headers: headers),
            trailers: trailers,
            content: content, diskFiles: diskFiles,
            nominated: head.headers["Vary"] == nil ? nominated : headers.nominated(in: request),
            requestTime: requestTime, responseTime: responseTime)
        let isStorable =
            headers.variedFields != nil && (!updated.directives.noStore || updated.directives.mustUnderstand)
        let isKept = isStorable && (key == keys.own || updated.isShareable)
        return (updated, isKept ? .update(updated) : .remove)
    }
}
