import Moya

extension MoyaProvider {
    /// The reactive members.
    public var rx: String { "rx" }
}
