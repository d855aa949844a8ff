import Foundation

/// A target and the type of its response.
///
/// For an enum, declare a static function or property for each case, which gives the case its response type:
///
/// ```swift
/// extension TypedTarget<GitHub, User> {
///     static func user(_ name: String) -> Self { Self(.user(name)) }
/// }
/// extension TypedTarget<GitHub, String> {
///     static var zen: Self { Self(.zen, .text) }
/// }
///
/// let user = try await provider.value(.user("ash"))    // a User
/// ```
/// A target that is a struct can declare the type of its response itself, see ``DecodableTargetType``.
public struct TypedTarget<Target: RelativeTarget, Value: Sendable>: Sendable {
    /// The target.
    public let target: Target
    /// The mapping that decodes the response.
    public let mapping: ResponseMapping<Value>

    /// Creates a typed target with a mapping.
    public init(_ target: Target, _ mapping: ResponseMapping<Value>) {
        self.target = target
        self.mapping = mapping
    }

    /// This typed target, wrapped for a provider of ``MultiTarget``.
    public var multiTarget: TypedTarget<MultiTarget, Value> {
        TypedTarget<MultiTarget, Value>(MultiTarget(target), mapping)
    }
}

extension TypedTarget where Value: Decodable {
    /// Creates a typed target whose response is decoded from JSON, see ``ResponseMapping/json(at:)``.
    ///
    /// For the types `String` and `Data`, the value is the content itself, unless there is a key path. For a JSON
    /// string, use the mapping `.json()`.
    public init(_ target: Target, at keyPath: String? = nil) {
        self.init(target, .contentOrJSON(at: keyPath))
    }
}

extension TypedTarget {
    /// Not available: the type of the response is not `Decodable`.
    @available(
        *, unavailable,
        message: "the type of the response is not Decodable: make it Decodable, or give a mapping"
    )
    public init(_ target: Target, at keyPath: String? = nil) {
        self.init(target, ResponseMapping { response, _ in throw MoyaError.jsonMapping(response) })
    }
}

extension TypedTarget where Value == Response {
    /// Creates a typed target whose value is the response.
    public init(_ target: Target) {
        self.init(target, .response)
    }
}

extension TypedTarget where Value == Void {
    /// Creates a typed target without a value.
    public init(_ target: Target) {
        self.init(target, .none)
    }
}

extension DecodableTargetType {
    package var typed: TypedTarget<Self, Value> { TypedTarget(self, mapping) }
}
