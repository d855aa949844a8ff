import Foundation
import Moya

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An interceptor for Foundation's requests that changes none.
struct Unchanged: URLRequestInterceptor {
    var onAdapt: @Sendable () -> Void = {}

    func adapt(
        _ request: URLRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<URLRequest, MoyaError>) -> Void
    ) -> any Cancellable {
        onAdapt()
        done(.success(request))
        return .noOp
    }

    func retry(_ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void) -> any Cancellable {
        Keyed(key: nil).retry(outcome, done)
    }
}
