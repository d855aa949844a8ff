import Foundation
import MoyaHTTP

/// The age of a stored response and the age until which it is fresh, in seconds (RFC 9111, section 4.2).
struct Freshness: Sendable {
    let age: TimeInterval
    let lifetime: TimeInterval

    init(of response: StoredResponse, now: Date, heuristic: Double) {
        // If the clock was set back by a lot, the response is stale: its real age is unknown.
        age = response.initialAge + abs(now.timeIntervalSince(response.responseTime))
        lifetime = response.lifetime.seconds * (response.lifetime.isHeuristic ? max(0, heuristic) : 1)
    }

    var isFresh: Bool { lifetime > age }

    var staleness: TimeInterval { age - lifetime }

    /// Returns the age of a response when its head was received: `corrected_initial_age` (RFC 9111, section 4.2.3).
    static func initialAge(
        _ headers: HTTPHeaders, date: Date, requestTime: Date, responseTime: Date
    ) -> TimeInterval {
        let apparentAge = max(0, responseTime.timeIntervalSince(date))
        let delay = max(0, responseTime.timeIntervalSince(requestTime))
        // The first value of the field `Age` (RFC 9111, section 5.1); 0 if it is invalid or absent.
        let first = headers["Age"]?.split(separator: ",", maxSplits: 1).first
        let age = CacheControl.seconds(first.map { String($0.trimmed) }) ?? 0
        return max(apparentAge, TimeInterval(age) + delay)
    }

    /// Returns the age until which a response is fresh (RFC 9111, section 4.2.1); if `isHeuristic`, the time from
    /// `Last-Modified` to `Date`, to be multiplied by ``CachingPolicy/heuristic``.
    ///
    /// The directive `s-maxage` is ignored, because it applies only to shared caches and this cache is private.
    static func lifetime(
        _ head: ResponseHead, _ directives: CacheControl, date: Date, responseTime: Date
    ) -> (seconds: TimeInterval, isHeuristic: Bool) {
        if let maxAge = directives.maxAge { return (TimeInterval(maxAge), false) }
        if let expires = head.headers["Expires"] {
            // RFC 9111, section 5.3: an invalid date means that the response has already expired.
            return (Date(httpDate: expires, now: responseTime)?.timeIntervalSince(date) ?? 0, false)
        }
        guard StoringRules.heuristicStatusCodes.contains(head.statusCode) || directives.isPublic,
            let text = head.headers["Last-Modified"], let modified = Date(httpDate: text, now: responseTime)
        else { return (0, false) }
        return (max(0, date.timeIntervalSince(modified)), true)
    }
}
