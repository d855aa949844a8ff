public import Foundation
public import MoyaStreams

/// The provider protocol of Moya 15, for `extension Reactive where Base: MoyaProviderType`.
public protocol MoyaProviderType<Target>: AnyObject, Sendable {
    /// The type of the targets.
    associatedtype Target: TargetType

    /// Sends a request.
    func request(
        _ target: Target, callbackQueue: DispatchQueue?, progress: ProgressBlock?, completion: @escaping Completion
    ) -> any Cancellable
}

/// A namespace of reactive members, such as RxMoya's methods that send requests with a provider.
public struct Reactive<Base> {
    /// The object that the members belong to.
    public let base: Base

    /// Creates the namespace of an object.
    public init(_ base: Base) { self.base = base }
}

extension Reactive: Sendable where Base: Sendable {}

extension MoyaProviderType {
    /// The methods of RxMoya, which return streams of the responses.
    @available(*, deprecated, message: "use request(_:) of a Moya.MoyaProvider, which is a stream")
    public var rx: Reactive<Self> { Reactive(self) }
}

extension Reactive where Base: MoyaProviderType {
    /// Returns a `Single` of the response to a request.
    public func request(
        _ token: Base.Target, callbackQueue: DispatchQueue? = nil
    ) -> PrimitiveSequence<SingleTrait, Response> {
        Observable.withToken { [base] emitter in
            base.request(token, callbackQueue: callbackQueue, progress: nil) { emitter.end(with: $0) }
        }.sequence()
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

/// A type with a namespace `rx` for reactive members, which extensions of ``Reactive`` declare.
@available(*, deprecated, message: "extend the type itself") public protocol ReactiveCompatible {}

@available(*, deprecated)
extension ReactiveCompatible {
    /// The namespace of reactive members.
    public var rx: Reactive<Self> { Reactive(self) }
    /// The namespace of static reactive members.
    public static var rx: Reactive<Self>.Type { Reactive<Self>.self }
}
