import Moya

extension MoyaProvider {
    /// Sends a request.
    public func requestPublisher(_ target: Target) -> String { "published \(request(target))" }
}
