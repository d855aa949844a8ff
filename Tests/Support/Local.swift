package import Foundation
package import Moya
package import MoyaTesting

/// A target on the loopback server.
package struct Local: TargetType {
    package let baseURL: URL
    package let path: String
    package var method = HTTPMethod.get
    package var task = RequestTask.requestPlain
    package var headers: [String: String]?

    package init(
        _ server: LoopbackServer, _ path: String = "/", method: HTTPMethod = .get, task: RequestTask = .requestPlain,
        headers: [String: String]? = nil
    ) {
        baseURL = server.url
        self.path = path
        self.method = method
        self.task = task
        self.headers = headers
    }
}
