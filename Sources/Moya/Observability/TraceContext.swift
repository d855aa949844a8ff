/// A position in a distributed trace (W3C Trace Context): the IDs of the trace and of the current operation, and
/// whether the trace is recorded.
///
/// ```swift
/// let incoming = TraceContext(traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
/// let context = incoming ?? .root(isSampled: false)
/// let response = try await TraceContext.$current.withValue(context) { try await provider.response(.zen) }
/// ```
/// A provider captures ``current`` when a call is made. ``TracePropagation`` adds the captured context to requests.
public struct TraceContext: Sendable, Hashable, CustomStringConvertible {
    /// The context of the current task.
    @TaskLocal public static var current: TraceContext?

    /// The ID of the trace, 32 lowercase hexadecimal digits.
    public let traceID: String
    /// The ID of the current operation, which is the parent of later operations: 16 lowercase hexadecimal digits.
    public let parentID: String
    /// Whether the trace is recorded: the flag `sampled` of the field `traceparent`.
    public let isSampled: Bool
    /// The value of the field `tracestate`: additional data of one or more tracing systems; `nil` if there is no data.
    public let tracestate: String?

    /// Returns the context of a new trace, with random IDs.
    public static func root(isSampled: Bool) -> TraceContext {
        TraceContext(traceID: randomID() + randomID(), parentID: randomID(), isSampled: isSampled, tracestate: nil)
    }

    /// Returns the context of a new operation of the same trace.
    ///
    /// The new context differs only in ``parentID``, a random ID of the new operation.
    public func child() -> TraceContext {
        TraceContext(traceID: traceID, parentID: Self.randomID(), isSampled: isSampled, tracestate: tracestate)
    }

    /// The value of the field `traceparent`, in version 00.
    public var traceparent: String { "00-\(traceID)-\(parentID)-\(isSampled ? "01" : "00")" }

    /// The value of the field `traceparent`.
    public var description: String { traceparent }

    private static func randomID() -> String {
        let digits = String(UInt64.random(in: 1 ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

extension TraceContext {
    /// Creates a context from the fields of a request.
    ///
    /// A `traceparent` of version 00 has exactly 55 characters. Of a later version, only the first 55 characters are
    /// read (W3C Trace Context, "Versioning of traceparent").
    ///
    /// - Parameters:
    ///   - traceparent: the value of the field `traceparent`. The initializer returns `nil` for an invalid value: one
    ///     with uppercase digits, with version ff, with an ID that is zero, or with a wrong length.
    ///   - tracestate: the value of the field `tracestate`. An invalid value, such as one with more than 32 members or
    ///     with a repeated key, is ignored.
    public init?(traceparent: String, tracestate: String? = nil) {
        let hexDigits = "0123456789abcdef".utf8
        let parts = traceparent.split(separator: "-", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 4 || parts.count == 5 && parts[0] != "00", parts[0] != "ff",
            zip(parts, [2, 32, 16, 2]).allSatisfy({ $0.utf8.count == $1 && $0.utf8.allSatisfy(hexDigits.contains) }),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" }), let flags = parts[3].last
        else { return nil }
        self.init(
            traceID: String(parts[1]), parentID: String(parts[2]), isSampled: "13579bdf".contains(flags),
            tracestate: tracestate.flatMap(validated))
    }
}

/// Returns a `tracestate` without its empty members (W3C Trace Context, section 3.3); `nil` if it is invalid or empty.
private func validated(tracestate text: String) -> String? {
    let members = text.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
    let keys = members.compactMap {
        $0.wholeMatch(of: /([a-z0-9][a-z0-9_\-*\/@]{0,255})=[\x20-\x3c\x3e-\x7e]{1,256}/)?.1
    }
    // ASCII only, because the expression also matches characters that are canonically equivalent.
    guard text.utf8.allSatisfy({ $0 < 0x7f }), (1...32).contains(members.count), Set(keys).count == members.count
    else { return nil }
    return members.joined(separator: ",")
}
