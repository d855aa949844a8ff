// The message of each declaration is its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
public import MoyaStreams

// What code that moves to `Moya.MoyaProvider` writes for this provider, and names of Moya 15. The compiler's error
// messages name the replacements.

@available(*, deprecated)
extension MoyaProvider {
    @available(*, unavailable, message: "await underlyingProvider.response(_:)")
    public func response(_ target: Target, progress: ProgressBlock? = nil) async throws -> Response {
        throw CancellationError()
    }

    @available(*, unavailable, message: "await underlyingProvider.value(_:as:)")
    public func value<Value: Decodable>(_ target: Target, as type: Value.Type) async throws -> Value {
        throw CancellationError()
    }

    @available(*, unavailable, message: "await underlyingProvider.response(_:), or use rx.request(_:)")
    public func request(_ target: Target, callbackQueue: DispatchQueue? = nil) async throws -> Response {
        throw CancellationError()
    }

    @available(*, unavailable, renamed: "underlyingProvider.cancelAll()")
    public func cancelAll() {}

    @available(*, unavailable, message: "there is no Session; underlyingProvider.cancelAll() cancels its requests")
    public var session: Session { Session() }

    @available(*, unavailable, message: "there is no Session: leave it out, or pass transport: and interceptors:")
    public static func defaultAlamofireSession() -> Session { Session() }

    @available(*, unavailable, message: "pass trackInflights: true; a CallObserver sees the running requests")
    public var inflightRequests: [Endpoint: [Completion]] { [:] }

    @available(*, unavailable, message: "import MoyaCombine and use underlyingProvider.request(_:).publisher()")
    public func requestPublisher(_ target: Target, callbackQueue: DispatchQueue? = nil) -> Observable<Response> {
        .empty()
    }
}
