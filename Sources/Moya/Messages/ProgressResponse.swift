public import Foundation

/// The progress of a request.
///
/// Bytes are counted in one direction only. For a request with content (parameters in the body, JSON, data, a file or
/// a form), the bytes sent are counted. For a request without content, and for every download to a file, the bytes
/// received are counted.
public struct ProgressResponse: Sendable {
    /// The response if this is the last progress value of a successful request; otherwise `nil`.
    public let response: Response?
    /// The number of bytes of content that have been sent or received.
    public let completedUnitCount: Int64
    /// The total number of bytes of content, if known.
    public let totalUnitCount: Int64?

    /// The fraction of the content that has been sent or received; 0 while the total is not known, 1 after a success.
    public var progress: Double {
        if response != nil { return 1 }
        guard let totalUnitCount, totalUnitCount > 0 else { return 0 }
        return min(Double(completedUnitCount) / Double(totalUnitCount), 1)
    }

    /// Whether the request has succeeded.
    public var completed: Bool { response != nil }
}

extension ProgressResponse {
    /// Creates a progress value for a test double; without `progress`, no bytes have been sent or received.
    public init(progress: Progress? = nil, response: Response? = nil) {
        let total = progress.flatMap { $0.totalUnitCount > 0 ? $0.totalUnitCount : nil }
        self.init(
            response: response, completedUnitCount: progress?.completedUnitCount ?? 0, totalUnitCount: total)
    }
}
