/// A target that declares the type of its response, such as a struct for one endpoint.
///
/// ```swift
/// struct ShowUser: DecodableTargetType {
///     typealias Value = User
///     let path = "/users/{id}"
///     let id: Int
/// }
///
/// let provider = MoyaProvider<MultiTarget>(baseURL: api)
/// let user = try await provider.value(ShowUser(id: 7))    // a User
/// ```
/// If the target has its own base URL, declare its conformance to ``TargetType``, too. For an enum whose cases have
/// different response types, use ``TypedTarget``.
public protocol DecodableTargetType: RelativeTarget {
    /// The type that the response is decoded to.
    associatedtype Value: Sendable

    /// The mapping that decodes the response; it has a default if `Value` is `Decodable`, ``Response`` or `Void`.
    var mapping: ResponseMapping<Value> { get }
}

extension DecodableTargetType where Value: Decodable {
    /// The default mapping: the content itself for `String` and `Data`, decoded from JSON for other types.
    public var mapping: ResponseMapping<Value> { .contentOrJSON() }
}

extension DecodableTargetType where Value == Response {
    /// The default mapping: the response itself.
    public var mapping: ResponseMapping<Response> { .response }
}

extension DecodableTargetType where Value == Void {
    /// The default mapping: no value.
    public var mapping: ResponseMapping<Void> { .none }
}

extension DecodableTargetType {
    /// The message for a `Value` that is not `Decodable`, or only on the main actor.
    @available(
        *, unavailable,
        message: """
            declare Value as Decodable, in an app that is isolated to the main actor with 'nonisolated', or declare a \
            mapping
            """
    )
    public var mapping: ResponseMapping<Value> { ResponseMapping { _, _ in throw CancellationError() } }
}
