import Foundation
import MoyaHTTP

/// Whether a cache replies to a request, validates a stored response, or forwards the request (RFC 9111, section 4).
enum CacheDecision: Sendable {
    /// Sent unchanged. If the exchange fails or the server responds with an error, `stored` may be delivered instead.
    case forward(CacheStatus.ForwardReason, stored: StoredResponse?)
    /// The stored response satisfies the request; if `revalidates`, it is also validated in the background.
    case reply(StoredResponse, CacheReplyForm, Freshness, revalidates: Bool)
    indirect case validate(StoredResponse, TransportRequest, CacheStatus.ForwardReason)
    /// No stored response satisfies a request that must not be sent.
    ///
    /// For `only-if-cached`, the response is 504 (RFC 9111, section 5.2.1.7). A request with the policy
    /// `returnCacheDataDontLoad` fails.
    case unsatisfiable

    static func make(
        for request: TransportRequest, candidates: [StoredResponse], heuristic: Double, now: Date
    ) -> CacheDecision {
        let policy = request.cachePolicy
        guard request.method == .get || request.method == .head else {
            return request.isForCacheOnly ? .unsatisfiable : .forward(.method, stored: nil)
        }
        var fields = request.headers
        let directives = CacheControl(ofRequest: fields)
        let mustNotSend = directives.onlyIfCached || request.isForCacheOnly
        let miss = mustNotSend ? CacheDecision.unsatisfiable : nil
        // RFC 9111, section 4.3.2: only the origin server evaluates these preconditions.
        let isForOrigin = ["If-Match", "If-Unmodified-Since"].contains { fields[$0] != nil }
        // Content may change the meaning of a request for this server (RFC 9110, section 9.3.1).
        guard !directives.noStore, !isForOrigin, !policy.ignoresStoredResponses, !request.hasContent
        else {
            return miss ?? .forward(.bypass, stored: nil)
        }
        guard let stored = selected(from: candidates, for: request.headers) else {
            return miss ?? .forward(candidates.isEmpty ? .uriMiss : .varyMiss, stored: nil)
        }
        if fields["Range"] != nil, let validator = fields["If-Range"], !stored.hasStrongValidator(validator) {
            // The caller may have a part of a newer version.
            guard policy.reuse == .now else { return miss ?? .forward(.partial, stored: nil) }
            fields["Range"] = nil
        }
        let freshness = Freshness(of: stored, now: now, heuristic: heuristic)
        // An old error is no data to show.
        let isOldError = stored.isError && !freshness.isFresh
        let reuse = (isOldError ? nil : policy.reuse) ?? directives.reuse(of: stored, freshness)
        if reuse != .afterValidation, let reply = CacheReplyForm(to: request.method, fields, from: stored) {
            return .reply(stored, reply, freshness, revalidates: reuse == .whileRevalidating)
        }
        if let miss { return miss }
        let reason: CacheStatus.ForwardReason =
            reuse != .afterValidation ? .partial : freshness.isFresh && directives.restrictsReuse ? .request : .stale
        // After a validation or an error, the complete stored response may be delivered. It does not satisfy a HEAD,
        // conditional or range request, so such a request is sent unchanged, without the stored response as a fallback.
        let isConditional = ["If-None-Match", "If-Modified-Since", "Range"].contains { fields[$0] != nil }
        guard request.method == .get, !isConditional,
            let validating = ValidationRules.request(request, validating: stored)
        else {
            return .forward(reason, stored: isConditional || request.method == .head ? nil : stored)
        }
        return .validate(stored, validating, reason)
    }

    /// Returns the most recent of the stored responses that match the request (RFC 9111, section 4.1).
    private static func selected(from candidates: [StoredResponse], for request: HTTPHeaders) -> StoredResponse? {
        guard candidates.count > 1 else { return candidates.first.flatMap { $0.matches(request) ? $0 : nil } }
        return candidates.matching(request).max { ($0.date, $0.responseTime) < ($1.date, $1.responseTime) }
    }

    /// Returns whether a stale response may replace an error (RFC 5861, section 4; RFC 9111, section 4.2.4).
    static func allowsStaleOnError(
        _ stored: StoredResponse, for request: HTTPHeaders, _ freshness: Freshness, allowance: TimeInterval?
    ) -> Bool {
        let asked = CacheControl(ofRequest: request)
        guard !stored.directives.mustRevalidate, !stored.directives.noCache, !asked.restrictsReuse,
            !stored.isError
        else { return false }
        let limits = [stored.directives.staleIfError, asked.staleIfError].map { $0.map(TimeInterval.init) }
        guard let limit = (limits + [allowance]).compactMap(\.self).max() else { return false }
        return freshness.staleness <= limit
    }
}

extension StoredResponse {
    fileprivate var isError: Bool { statusCode >= 400 }

    /// Returns whether `validator`, of the field `If-Range`, is the response's own (RFC 9110, section 13.1.5).
    fileprivate func hasStrongValidator(_ validator: String) -> Bool {
        if validator == headers["ETag"] { return !validator.isWeakTag }
        guard validator == headers["Last-Modified"], let modified = Date(httpDate: validator, now: responseTime) else {
            return false
        }
        return date.timeIntervalSince(modified) >= 1
    }
}

private enum ReuseTiming {
    case now, whileRevalidating, afterValidation
}

extension URLRequest.CachePolicy {
    fileprivate var ignoresStoredResponses: Bool {
        self == .reloadIgnoringLocalCacheData || self == .reloadIgnoringLocalAndRemoteCacheData
    }

    /// When to reuse a stored response regardless of its age and directives; `nil` if RFC 9111 decides.
    fileprivate var reuse: ReuseTiming? {
        switch self {
        case .returnCacheDataElseLoad, .returnCacheDataDontLoad: .now
        case .reloadRevalidatingCacheData: .afterValidation
        default: nil
        }
    }
}

extension CacheControl {
    fileprivate var restrictsReuse: Bool { noCache || maxAge != nil || minFresh != nil }

    fileprivate func reuse(of stored: StoredResponse, _ freshness: Freshness) -> ReuseTiming {
        guard !noCache, !stored.directives.noCache else { return .afterValidation }
        // Browsers send `max-age=0` to reload a page. It does not cause the validation of an immutable response (RFC
        // 8246, section 2).
        if maxAge == 0 { return freshness.isFresh && stored.directives.isImmutable ? .now : .afterValidation }
        // `max-stale` allows staleness, but no greater age (RFC 9111, sections 5.2.1.1 and 5.2.1.2).
        if let maxAge, freshness.age > TimeInterval(maxAge) { return .afterValidation }
        if freshness.isFresh {
            let staysFresh = minFresh.map { freshness.lifetime - freshness.age >= TimeInterval($0) } ?? true
            return staysFresh ? .now : .afterValidation
        }
        // A stale response does not satisfy `min-fresh`. `must-revalidate` overrides `max-stale` (RFC 9111, 5.2.2.2).
        guard !stored.directives.mustRevalidate, minFresh == nil else { return .afterValidation }
        if let limit = maxStale, freshness.staleness <= TimeInterval(limit) { return .now }
        // RFC 5861, section 3: `stale-while-revalidate` allows a stale response while the cache validates it.
        guard !onlyIfCached, maxAge == nil, let limit = stored.directives.staleWhileRevalidate,
            limit > 0, freshness.staleness <= TimeInterval(limit)
        else { return .afterValidation }
        return .whileRevalidating
    }
}
