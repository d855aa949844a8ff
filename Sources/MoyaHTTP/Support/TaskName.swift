/// Not available: what Moya 15 calls `Moya.Task` is `RequestTask`.
///
/// In this module, the name leads on from `Moya.Task`. In the module Moya, a public `Task` would hide Swift's own.
@available(*, unavailable, renamed: "RequestTask")
public enum Task: Sendable {}
