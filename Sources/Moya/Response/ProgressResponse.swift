/// How far a request has come.
public struct ProgressResponse: Sendable {
    /// The answer, in the last event of a request that was answered; nil before.
    public let response: Response?
    /// The bytes of content received so far.
    public let completedUnitCount: Int64
    /// The bytes of content to come in all, if the server said so.
    public let totalUnitCount: Int64?

    init(response: Response? = nil, completed: Int64, total: Int64?) {
        self.response = response
        completedUnitCount = completed
        totalUnitCount = total
    }

    /// From 0 to 1; 0 as long as the total is not known.
    public var progress: Double {
        if response != nil { return 1 }
        guard let totalUnitCount, totalUnitCount > 0 else { return 0 }
        return min(Double(completedUnitCount) / Double(totalUnitCount), 1)
    }

    /// Whether the answer is here.
    public var completed: Bool { response != nil }
}
