public import Foundation
public import MoyaStreams

/// The provider protocol of Moya 15.
///
/// Extensions of ``Reactive`` use the protocol as a constraint: `extension Reactive where Base: MoyaProviderType`.
public protocol MoyaProviderType<Target>: AnyObject, Sendable {
    /// The type of the targets.
    associatedtype Target: TargetType

    /// Sends a request.
    func request(
        _ target: Target, callbackQueue: DispatchQueue?, progress: ProgressBlock?, completion: @escaping Completion
    ) -> any Cancellable
}

/// The methods of RxMoya that send requests with a provider and return streams of the responses.
public struct Reactive<Base: Sendable>: Sendable {
    /// The provider.
    public let base: Base

    /// Creates the value that ``MoyaProviderType/rx`` returns for a provider.
    public init(_ base: Base) {
        self.base = base
    }
}

extension MoyaProviderType {
    /// The methods of RxMoya, which return streams of the responses.
    @available(*, deprecated, message: "use request(_:) of a Moya.MoyaProvider, which is a stream")
    public var rx: Reactive<Self> { Reactive(self) }
}

extension Reactive where Base: MoyaProviderType {
    /// Returns a `Single` of the response to a request.
    ///
    /// Each subscription sends a request. Cancelling the subscription cancels the request. The stream retains the
    /// provider.
    public func request(
        _ token: Base.Target, callbackQueue: DispatchQueue? = nil
    ) -> PrimitiveSequence<SingleTrait, Response> {
        PrimitiveSequence(
            .withToken { [base] emitter in
                base.request(token, callbackQueue: callbackQueue, progress: nil) { emitter.end(with: $0) }
            })
    }

    /// Returns a stream of the progress of a request; the last value contains the response, and completion follows.
    public func requestWithProgress(
        _ token: Base.Target, callbackQueue: DispatchQueue? = nil
    ) -> Observable<ProgressResponse> {
        .withToken { [base] emitter in
            base.request(token, callbackQueue: callbackQueue, progress: { emitter.send($0) }) { result in
                switch result {
                case .success: emitter.complete()
                case .failure(let error): emitter.fail(error)
                }
            }
        }
    }
}
