import Foundation
import Moya
import TerminalSupport

/// Shows the request that the command waits for, and whether it is a repetition.
struct ProgressPlugin: PluginType {
    func willSend(_ request: RequestType, target: any RelativeTarget) {
        let attempt = request.attempt > 1 ? ", attempt \(request.attempt)" : ""
        Terminal.error.showProgress("\(request.method) \(request.url?.path() ?? "")\(attempt) …")
    }

    func didReceive(_ result: Result<Response, MoyaError>, target: any RelativeTarget) {
        Terminal.error.clearProgress()
    }
}
