import Foundation
import Moya
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An interceptor that changes nothing and has the given sharing key.
struct Keyed: RequestInterceptor {
    let key: Box<String>?

    func adapt(
        _ request: TransportRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<TransportRequest, MoyaError>) -> Void
    ) -> any Cancellable {
        done(.success(request))
        return .noOp
    }

    func retry(
        _ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void
    ) -> any Cancellable {
        done(.doNotRetry)
        return .noOp
    }

    func sharingKey(for target: any RelativeTarget) -> String? { key?.value }
}
