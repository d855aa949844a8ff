import Foundation
import Moya
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An interceptor with a sharing key, whose closure changes the requests.
struct Keyed: RequestInterceptor {
    let key: Box<String>?
    var change: @Sendable (inout TransportRequest) -> Void = { _ in }

    func adapt(
        _ request: TransportRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<TransportRequest, MoyaError>) -> Void
    ) -> any Cancellable {
        var request = request
        change(&request)
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
