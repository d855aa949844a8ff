// The message of each declaration is its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A typed call requires a typed target. For an untyped target, the compiler selects one of these unavailable
// declarations, and prints its message. Without them, the compiler's error would not name the reason.
@available(
    *, unavailable,
    message: """
        this target has no response type, or no response of this type: declare a static function with its name in an \
        extension of TypedTarget, as in \
        'extension TypedTarget<API, User> { static func user() -> Self { Self(.user) } }', make a struct conform to \
        DecodableTargetType, name the type, as in value(target, as: User.self), or use response(_:) for the untyped response
        """
)
extension MoyaProvider {
    public func value(_ target: Target) async throws(MoyaError) -> Never { throw .cancelled }

    @_disfavoredOverload
    public func value<Value>(_ target: Target) async throws(MoyaError) -> Value { throw .cancelled }

    public func valueAndResponse(_ target: Target) async throws(MoyaError) -> Never { throw .cancelled }

    @discardableResult
    public func requestValue(
        _ target: Target, callbackQueue: (any Scheduler)? = nil,
        completion: @escaping @Sendable (Result<Never, MoyaError>) -> Void
    ) -> any Cancellable { ScheduledWork {} }

    public func pages(_ first: Target, next: PaginationRule<Target, Never>) -> Pages<Never> {
        Pages { _, _, _ in ScheduledWork {} }
    }
}

extension MoyaProvider where Target == MultiTarget {
    @available(
        *, unavailable,
        message: """
            this target has no response type: make it conform to DecodableTargetType, pass a TypedTarget's multiTarget, or use \
            response(_:) for the untyped response
            """
    )
    @_disfavoredOverload
    public func value(_ target: some RelativeTarget) async throws(MoyaError) -> Never { throw .cancelled }
}

extension MoyaProvider {
    @available(*, unavailable, message: "await response(_:), and call filterSuccessfulStatusCodes()")
    public func value(_ target: Target, as type: Void.Type) async throws(MoyaError) { throw .cancelled }

    @available(*, unavailable, renamed: "response(_:)")
    public func value(_ target: Target, as type: Response.Type) async throws(MoyaError) -> Response { throw .cancelled }

    @available(*, unavailable, message: "pass a typed target, as in pages(TypedTarget<API, [User]>(t), next: .link)")
    public func pages<Page>(
        _ first: Target, as type: Page.Type, next: PaginationRule<Target, Page>
    ) -> Pages<Page> { Pages { _, _, _ in ScheduledWork {} } }
}

extension PaginationRule {
    @available(*, unavailable, message: "pass while:, which returns whether another page follows the given page")
    @_disfavoredOverload
    public static func numbered(
        from first: Int = 1, _ target: @escaping @Sendable (Int) throws -> Target
    ) -> Self { Self(next: { _, _, _ in nil }, target: nil) }
}
