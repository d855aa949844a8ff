import Foundation

/// The age of a stored response and the age until which it is fresh, in seconds (RFC 9111, section 4.2).
struct Freshness: Sendable, Hashable {
    let age: TimeInterval
    let lifetime: TimeInterval

    /// Computes the freshness of a response.
    ///
    /// - Parameter heuristic: the lifetime of a response without an explicit expiration time, as a fraction of the time
    ///   since its last modification.
    init(of response: StoredResponse, now: Date, heuristic: Double) {
        age = Self.age(of: response, now: now)
        lifetime = Self.lifetime(of: response, heuristic: heuristic)
    }

    /// Whether the response is fresh (section 4.2: `response_is_fresh = (freshness_lifetime > current_age)`).
    var isFresh: Bool { lifetime > age }

    /// The time since the response became stale, in seconds; negative if it is fresh.
    var staleness: TimeInterval { age - lifetime }

    /// Returns the current age (section 4.2.3).
    ///
    /// A clock that was set back does not make the age negative.
    private static func age(of response: StoredResponse, now: Date) -> TimeInterval {
        let apparentAge = max(0, response.responseTime.timeIntervalSince(response.date))
        let delay = max(0, response.responseTime.timeIntervalSince(response.requestTime))
        let correctedAge = TimeInterval(ageField(response.headers)) + delay
        return max(apparentAge, correctedAge) + max(0, now.timeIntervalSince(response.responseTime))
    }

    /// Returns the first value of the field `Age` (section 5.1); 0 if it is invalid or absent.
    private static func ageField(_ headers: HTTPHeaders) -> Int {
        let first = headers["Age"]?.split(separator: ",", maxSplits: 1).first
        return CacheControl.seconds(first?.trimmingCharacters(in: .whitespaces)) ?? 0
    }

    /// Returns the lifetime for a private cache (section 4.2.1): that of `max-age`, otherwise of `Expires`, otherwise of the
    /// heuristic.
    private static func lifetime(of response: StoredResponse, heuristic: Double) -> TimeInterval {
        if let maxAge = response.directives.maxAge { return TimeInterval(maxAge) }
        if let expires = response.headers["Expires"] {
            // Section 5.3: an invalid date means that the response has already expired.
            guard let date = Date(httpDate: expires, now: response.responseTime) else { return 0 }
            return date.timeIntervalSince(response.date)
        }
        // Section 4.2.2: the heuristic applies only to some status codes, or with `public`.
        guard heuristic > 0,
            Storability.heuristicStatusCodes.contains(response.statusCode) || response.directives.isPublic,
            let text = response.headers["Last-Modified"],
            let modified = Date(httpDate: text, now: response.responseTime)
        else { return 0 }
        return max(0, response.date.timeIntervalSince(modified)) * heuristic
    }
}
