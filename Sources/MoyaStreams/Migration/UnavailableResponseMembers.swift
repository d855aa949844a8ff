// The message of each declaration is its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// `try await provider.request(.zen)` compiles with only a warning, but returns a stream, not a `Response`. The stream
// therefore has the members of `Response` as unavailable members, so that a compiler error names the right method.

@available(*, unavailable, message: "a stream is not awaited: use `try await provider.response(_:)`, or subscribeNext")
extension Observable where Element == Response {
    public var statusCode: Int { 0 }
    public var data: Data { Data() }
    public var headers: HTTPHeaders { [:] }
    public func get() throws -> Response { throw CancellationError() }
}

extension Observable where Element == Response {
    @available(*, unavailable, renamed: "filterSuccessfulStatusCodes()")
    public func validate() -> Observable<Response> { self }

    @available(*, unavailable, message: "use map(_:).subscribeNext, or await provider.value(_:as:)")
    public func responseDecodable<Value>(
        of type: Value.Type, completionHandler: @escaping @Sendable (AF.Outcome<Value>) -> Void
    ) {}

    @available(*, unavailable, message: "use mapJSON().subscribeNext")
    public func responseJSON(completionHandler: @escaping @Sendable (AF.Outcome<JSONValue>) -> Void) {}

    @available(*, unavailable, message: "await provider.value(_:as:)")
    public func serializingDecodable<Value: Decodable & Sendable>(_ type: Value.Type) -> AF.Awaited<Value> {
        AF.request("").serializingDecodable(type)
    }

    @available(*, unavailable, message: "a stream is not awaited: use `try await provider.response(_:).mapJSON()`")
    public func mapJSON<Outcome: AwaitedOutcome>(failsOnEmptyData: Bool = true) async throws -> Outcome {
        throw CancellationError()
    }

    @available(*, unavailable, message: "a stream is not awaited: use `try await provider.response(_:).mapString()`")
    public func mapString<Outcome: AwaitedOutcome>(
        atKeyPath keyPath: String? = nil
    ) async throws -> Outcome { throw CancellationError() }

    @available(*, unavailable, message: "a stream is not awaited: use `try await provider.response(_:).map(_:)`")
    public func map<Value: Decodable, Outcome: Decodable>(
        _ type: Value.Type, atKeyPath keyPath: String? = nil, using decoder: JSONDecoder = JSONDecoder(),
        failsOnEmptyData: Bool = true
    ) async throws -> Outcome { throw CancellationError() }

    @available(
        *, unavailable, message: "a stream is not awaited: use `try await provider.response(_:)` and its filter methods"
    )
    public func filterSuccessfulStatusCodes<Outcome: AwaitedOutcome>() async throws -> Outcome {
        throw CancellationError()
    }
}

extension MoyaProvider {
    @available(
        *, unavailable,
        message: "await response(_:) for the response, or value(_:) for the decoded value of a TypedTarget"
    )
    public func request<Outcome: AwaitedOutcome>(
        _ target: Target, callbackQueue: (any Scheduler)? = nil
    ) async throws -> Outcome { throw CancellationError() }

    @available(*, unavailable, message: "import MoyaCombine and use provider.request(_:).publisher()")
    public func requestPublisher(
        _ target: Target, callbackQueue: (any Scheduler)? = nil
    ) -> Observable<Response> { request(target, callbackQueue: callbackQueue) }

    @available(*, unavailable, message: "import MoyaCombine and use provider.requestWithProgress(_:).publisher()")
    public func requestWithProgressPublisher(
        _ target: Target, callbackQueue: (any Scheduler)? = nil
    ) -> Observable<ProgressResponse> { requestWithProgress(target, callbackQueue: callbackQueue) }
}

extension MoyaProvider where Target == MultiTarget {
    @available(
        *, unavailable,
        message: "await response(_:) for the response, or value(_:) for the decoded value of a TypedTarget"
    )
    public func request<Outcome: AwaitedOutcome>(
        _ target: some RelativeTarget, callbackQueue: (any Scheduler)? = nil
    ) async throws -> Outcome { throw CancellationError() }
}

/// What code by habit awaits from `request(_:)`, which is not async, or from a method of its stream.
///
/// The unavailable async methods are generic. If they returned a `Response`, the compiler would report each mistake in
/// a chain of operators as a missing member of `Response`.
public protocol AwaitedOutcome {}

extension Response: AwaitedOutcome {}
extension JSONValue: AwaitedOutcome {}
extension String: AwaitedOutcome {}
extension Result: AwaitedOutcome where Success == Response, Failure == MoyaError {}
