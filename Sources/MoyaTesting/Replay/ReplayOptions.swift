public import Foundation
public import Moya
public import MoyaScheduling

/// How a ``ReplayTransport`` finds, delivers and records responses.
public struct ReplayOptions: Sendable {
    /// The response to a request that was sent more often than it was recorded.
    public enum Repeats: Sendable, Hashable {
        /// An error; each entry is replayed once, and equal entries are replayed in their order.
        case inOrder
        /// The response of the last equal entry, again.
        case lastAgain
    }

    /// The times at which responses are delivered.
    public enum Timing: Sendable, Hashable {
        /// Immediately, before the call that sends the request returns.
        case none
        /// With the recorded pauses.
        case recorded
        /// With the recorded pauses, multiplied.
        case scaled(Double)
    }

    /// The effect of an entry that is too old.
    public enum Expiration: Sendable, Hashable {
        /// The request fails.
        case fail
        /// The entry is replayed. ``ReplayTransport/expired`` returns it, and ``ReplayTransport/finish()`` prints a
        /// line about it to the standard error.
        case warn
        /// The request is sent and recorded again in the mode ``ReplayTransport/Mode/recordMissing``; otherwise it
        /// fails.
        case record
    }

    /// The rules by which a request equals a recorded request.
    public var matching = RequestMatching.default
    /// The values that placeholders replace in the file, and that are not compared.
    public var redaction = RecordingRedaction.secretNames
    /// The response to a request that was sent more often than it was recorded.
    public var repeats = Repeats.inOrder
    /// The times at which responses are delivered.
    public var timing = Timing.none
    /// The age from which an entry is too old; `nil` if no entry ever is.
    public var maximumAge: Duration?
    /// The effect of an entry that is too old.
    public var onExpiration = Expiration.fail
    /// Whether the failed attempts of retried requests are replayed.
    ///
    /// If `false`, only the last attempt is replayed, so that the first request receives its response.
    public var replaysAttempts = true
    /// Whether ``ReplayTransport/finish()`` throws if an entry was not replayed.
    public var requiresAllEntries = true
    /// Whether times are recorded; if not, two recordings of equal exchanges are equal files.
    public var recordsTimes = true
    /// The number of bytes above which content is written to a file next to the archive.
    public var largestEmbeddedContent = 1 << 20
    /// The clock of ``timing`` and of recorded durations.
    public var scheduler: any Scheduler = .background
    /// The time of day; called on the threads that send requests.
    public var now: @Sendable () -> Date = { Date() }

    /// The defaults.
    public init() {}
}

/// The error of a replay: a request was not recorded, or an entry was not requested.
public struct ReplayError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The request, the nearest entry, the first difference and the remedy.
    public let description: String

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
