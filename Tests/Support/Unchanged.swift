package import Moya

#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// An interceptor for Foundation's requests that changes none.
package struct Unchanged: URLRequestInterceptor {
    let onAdapt: @Sendable () -> Void

    package init(onAdapt: @escaping @Sendable () -> Void = {}) {
        self.onAdapt = onAdapt
    }

    package func adapt(
        _ request: URLRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<URLRequest, MoyaError>) -> Void
    ) -> any Cancellable {
        onAdapt()
        done(.success(request))
        return .noOp
    }

    package func retry(_ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void)
        -> any Cancellable
    {
        Keyed(key: nil).retry(outcome, done)
    }
}
