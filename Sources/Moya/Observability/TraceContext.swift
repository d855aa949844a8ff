/// A position in a distributed trace (W3C Trace Context): the IDs of the trace and of the current operation, and
/// whether the trace is recorded.
///
/// ```swift
/// let incoming = TraceContext(traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
/// let context = incoming ?? .root(isSampled: false)
/// let response = try await TraceContext.$current.withValue(context) { try await provider.response(.zen) }
/// ```
/// A provider captures ``current`` when a call is made. ``TracePropagation`` adds the captured context to requests.
public struct TraceContext: Sendable, Hashable {
    /// The context of the current task.
    @TaskLocal public static var current: TraceContext?

    private let traceHigh: UInt64
    private let traceLow: UInt64
    private let parent: UInt64
    /// Whether the trace is recorded: the flag `sampled` of the field `traceparent`.
    public let isSampled: Bool
    /// The value of the field `tracestate`: additional data of one or more tracing systems; `nil` if there is no data.
    public let tracestate: String?

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
        let bytes = Array(traceparent.utf8)
        guard bytes.count >= 55, [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
            let version = UInt64(lowercaseHex: bytes[0..<2]), version != 0xff,
            bytes.count == 55 || version != 0 && bytes[55] == UInt8(ascii: "-"),
            let high = UInt64(lowercaseHex: bytes[3..<19]), let low = UInt64(lowercaseHex: bytes[19..<35]),
            let parent = UInt64(lowercaseHex: bytes[36..<52]), let flags = UInt64(lowercaseHex: bytes[53..<55]),
            high != 0 || low != 0, parent != 0
        else { return nil }
        self.init(
            traceHigh: high, traceLow: low, parent: parent, isSampled: flags & 1 == 1,
            tracestate: tracestate.flatMap(TraceStateGrammar.validated))
    }

    private init(traceHigh: UInt64, traceLow: UInt64, parent: UInt64, isSampled: Bool, tracestate: String?) {
        self.traceHigh = traceHigh
        self.traceLow = traceLow
        self.parent = parent
        self.isSampled = isSampled
        self.tracestate = tracestate
    }

    /// Returns the context of a new trace, with random IDs.
    public static func root(isSampled: Bool) -> TraceContext {
        TraceContext(
            traceHigh: .random(in: 0 ... .max), traceLow: .random(in: 1 ... .max), parent: .random(in: 1 ... .max),
            isSampled: isSampled, tracestate: nil)
    }

    /// Returns the context of a new operation of the same trace.
    ///
    /// The new context differs only in ``parentID``, a random ID of the new operation.
    public func child() -> TraceContext {
        TraceContext(
            traceHigh: traceHigh, traceLow: traceLow, parent: .random(in: 1 ... .max), isSampled: isSampled,
            tracestate: tracestate)
    }

    /// The ID of the trace, 32 lowercase hexadecimal digits.
    public var traceID: String { traceHigh.lowercaseHex + traceLow.lowercaseHex }

    /// The ID of the current operation, which is the parent of later operations: 16 lowercase hexadecimal digits.
    public var parentID: String { parent.lowercaseHex }

    /// The value of the field `traceparent`, in version 00.
    public var traceparent: String { "00-\(traceID)-\(parentID)-\(isSampled ? "01" : "00")" }
}

extension TraceContext: CustomStringConvertible {
    /// The value of the field `traceparent`.
    public var description: String { traceparent }
}

extension UInt64 {
    fileprivate init?(lowercaseHex digits: ArraySlice<UInt8>) {
        self = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): self = self << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): self = self << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
    }

    fileprivate var lowercaseHex: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

/// The grammar of the field `tracestate` (W3C Trace Context, section 3.3).
private enum TraceStateGrammar {
    private static let maximumMembers = 32
    private static let maximumLength = 256

    /// Returns a `tracestate` value without its empty members; `nil` if it is invalid or all members are empty.
    static func validated(_ text: String) -> String? {
        var keys: Set<Substring> = []
        var members: [Substring] = []
        for part in text.split(separator: ",") {
            let member = part.trimmed
            guard !member.isEmpty else { continue }
            let pair = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, isKey(pair[0]), isValue(pair[1]), keys.insert(pair[0]).inserted else { return nil }
            members.append(member)
        }
        guard !members.isEmpty, members.count <= maximumMembers else { return nil }
        return members.joined(separator: ",")
    }

    private static func isKey(_ key: Substring) -> Bool {
        guard let first = key.utf8.first, key.utf8.count <= maximumLength, isLetterOrDigit(first) else { return false }
        return key.utf8.allSatisfy { isLetterOrDigit($0) || "_-*/@".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isValue(_ value: Substring) -> Bool {
        !value.isEmpty && value.utf8.count <= maximumLength
            && value.utf8.allSatisfy { (0x20...0x7e).contains($0) && $0 != UInt8(ascii: "=") }
    }
}
