public import Foundation
import Moya
public import MoyaScheduling

/// Options that determine how a ``ReplayTransport`` finds, delivers and records responses.
public struct ReplayOptions: Sendable {
    /// Determines which response is replayed if a request is sent more often than it was recorded.
    public enum Repeats: Sendable, Hashable {
        /// Each archive entry is replayed once, in order.
        ///
        /// If all entries that equal a request were replayed before, the request counts as not recorded.
        case inOrder
        /// If all entries that equal a request were replayed before, the last of them is replayed again.
        case lastAgain
    }

    /// The times at which responses are delivered.
    public enum Timing: Sendable, Hashable {
        /// Responses are delivered without a delay, before ``ReplayTransport/start(_:receive:)`` returns.
        case none
        /// Responses are delivered with the recorded delays.
        case recorded
        /// Responses are delivered with the recorded delays, multiplied by a factor.
        case scaled(Double)
    }

    /// The treatment of a request whose archive entry is older than ``ReplayOptions/maximumAge``.
    public enum Expiration: Sendable, Hashable {
        /// A request whose archive entry is too old fails.
        case fail
        /// An archive entry that is too old is replayed, and added to ``ReplayTransport/expired``.
        ///
        /// ``ReplayTransport/finish()`` prints a line about each such entry to the standard error.
        case warn
        /// A request whose entry is too old is sent and recorded again; with ``ReplayTransport/Mode/replay``, it fails.
        ///
        /// The new entry follows the others. If a test sends equal requests, record it again as a whole.
        case record
    }

    /// The rules that decide whether a request equals a recorded request.
    public var matching = RequestMatching.default
    /// Determines which values are secret.
    ///
    /// In the archive, placeholders replace the secrets. The comparison of requests ignores the secrets.
    public var redaction = RecordingRedaction.secretNames
    /// Determines which response is replayed if a request is sent more often than it was recorded.
    public var repeats = Repeats.inOrder
    /// The times at which responses are delivered.
    public var timing = Timing.none
    /// The age above which an archive entry is too old; `nil` for no limit.
    public var maximumAge: Duration?
    /// The treatment of a request whose archive entry is older than ``maximumAge``.
    public var onExpiration = Expiration.fail
    /// Whether the failed attempts of retried requests are replayed.
    ///
    /// If `false`, only the last attempt of each request is replayed, as the response to the first attempt in the test.
    public var replaysAttempts = true
    /// Whether ``ReplayTransport/finish()`` throws if an archive entry was not replayed.
    public var requiresAllEntries = true
    /// Whether times are recorded.
    ///
    /// Without times, two recordings of equal exchanges are equal files, if their content arrived in the same chunks.
    public var recordsTimes = true
    /// The maximum size of content in the archive, in bytes; larger content is written to a file next to the archive.
    public var largestEmbeddedContent = 1 << 20
    /// The scheduler that measures recorded durations and delays replayed responses.
    public var scheduler: any Scheduler = .background
    /// Returns the current date, for the dates and ages of recordings; called on the threads that send requests.
    public var now: @Sendable () -> Date = { Date() }

    /// Creates the default options.
    public init() {}
}

/// The error of a replay, for example: a request was not recorded, or a recorded request was not sent.
public struct ReplayError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The reason, such as the first difference from the most similar recorded request, and in most cases the remedy.
    public let description: String

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
