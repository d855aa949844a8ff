import Foundation
public import OldMoya

/// A target of the old Moya.
public enum OldTarget: OldMoya.TargetType {
    case zen

    /// The base URL.
    public var baseURL: URL { URL(filePath: "/") }
    /// The path.
    public var path: String { "/layer" }
}

/// Returns a provider of the old Moya.
public func makeOldProvider() -> OldMoya.MoyaProvider<OldTarget> { OldMoya.MoyaProvider() }
