package import Moya

extension TransportError {
    /// The kind that the error has for the caller of a provider.
    package var kind: MoyaError.Kind { MoyaError.underlying(self, nil).kind }
}
