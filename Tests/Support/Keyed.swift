package import Moya

/// An interceptor with a sharing key, whose closure changes the requests.
package struct Keyed: RequestInterceptor {
    let key: Box<String>?
    let change: @Sendable (inout TransportRequest) -> Void

    package init(key: Box<String>?, change: @escaping @Sendable (inout TransportRequest) -> Void = { _ in }) {
        self.key = key
        self.change = change
    }

    package func adapt(
        _ request: TransportRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<TransportRequest, MoyaError>) -> Void
    ) -> any Cancellable {
        var request = request
        change(&request)
        done(.success(request))
        return .noOp
    }

    package func retry(
        _ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void
    ) -> any Cancellable {
        done(.doNotRetry)
        return .noOp
    }

    package func sharingKey(for target: any RelativeTarget) -> String? { key?.value }
}
