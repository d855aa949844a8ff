import Foundation
import Layer
import OldMoya

enum OldInApp: OldMoya.TargetType {
    case zen

    var baseURL: URL { URL(filePath: "/") }
    var path: String { "/app" }
}

func old() -> String { "\(OldMoya.MoyaProvider<OldInApp>().request(.zen)), \(makeOldProvider().request(.zen))" }
