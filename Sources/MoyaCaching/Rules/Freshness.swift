import Foundation
import MoyaHTTP

/// The age of a stored response and the age until which it is fresh, in seconds (RFC 9111, section 4.2).
struct Freshness: Sendable, Hashable {
    let age: TimeInterval
    let lifetime: TimeInterval

    init(of response: StoredResponse, now: Date, heuristic: Double) {
        // If the clock was set back, the time since the head was received counts as 0 (RFC 9111, section 4.2.3).
        age = response.initialAge + max(0, now.timeIntervalSince(response.responseTime))
        lifetime = response.lifetime.seconds(heuristic: heuristic)
    }

    var isFresh: Bool { lifetime > age }

    var staleness: TimeInterval { age - lifetime }

    /// Returns the age of a response when its head was received: `corrected_initial_age` (RFC 9111, section 4.2.3).
    static func initialAge(
        _ headers: HTTPHeaders, date: Date, requestTime: Date, responseTime: Date
    ) -> TimeInterval {
        let apparentAge = max(0, responseTime.timeIntervalSince(date))
        let delay = max(0, responseTime.timeIntervalSince(requestTime))
        return max(apparentAge, TimeInterval(ageField(headers)) + delay)
    }

    /// Returns the first value of the field `Age` (RFC 9111, section 5.1); 0 if the value is invalid or absent.
    private static func ageField(_ headers: HTTPHeaders) -> Int {
        let first = headers["Age"]?.split(separator: ",", maxSplits: 1).first
        return CacheControl.seconds(first.map { String($0.trimmed) }) ?? 0
    }
}

/// The age until which a response is fresh (RFC 9111, section 4.2.1).
///
/// The directive `s-maxage` is ignored, because it applies only to shared caches and this cache is private.
enum FreshnessLifetime: Sendable, Hashable {
    /// The lifetime from `max-age` or `Expires`, in seconds.
    case explicit(TimeInterval)
    /// The time from `Last-Modified` to `Date` in seconds, to be multiplied by ``CachingPolicy/heuristic``.
    case fraction(of: TimeInterval)

    init(_ head: ResponseHead, _ directives: CacheControl, date: Date, responseTime: Date) {
        if let maxAge = directives.maxAge {
            self = .explicit(TimeInterval(maxAge))
        } else if let expires = head.headers["Expires"] {
            // RFC 9111, section 5.3: an invalid date means that the response has already expired.
            let date = Date(httpDate: expires, now: responseTime).map { $0.timeIntervalSince(date) }
            self = .explicit(date ?? 0)
        } else if StoringRules.heuristicStatusCodes.contains(head.statusCode) || directives.isPublic,
            let text = head.headers["Last-Modified"], let modified = Date(httpDate: text, now: responseTime)
        {
            self = .fraction(of: max(0, date.timeIntervalSince(modified)))
        } else {
            self = .explicit(0)
        }
    }

    func seconds(heuristic: Double) -> TimeInterval {
        switch self {
        case .explicit(let seconds): seconds
        case .fraction(let time): time * max(0, heuristic)
        }
    }
}
