import Foundation
import OldMoya
import RxMoya

enum RxTarget: OldMoya.TargetType {
    case zen

    var baseURL: URL { URL(filePath: "/") }
    var path: String { "/rx" }
}

/// Sends a request with the old RxMoya.
public func rx() -> String { OldMoya.MoyaProvider<RxTarget>().rx }
