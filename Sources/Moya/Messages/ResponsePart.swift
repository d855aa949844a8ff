public import Foundation

/// A part of a response that is delivered as it arrives.
public enum ResponsePart: Sendable {
    /// The response head, which is delivered first.
    case head(ResponseHead)
    /// The next bytes of the content.
    case chunk(Data)
}
