package import Foundation
package import Moya

/// A target with a path of its own.
package struct Page: TargetType {
    package var path: String
    package var baseURL: URL
    package var method: HTTPMethod
    package var headers: [String: String]?
    package var options: RequestOptions
    package var sampleData: Data

    package init(
        path: String = "/a", baseURL: URL = URL(string: "https://a.test") ?? URL(filePath: "/"),
        method: HTTPMethod = .get, headers: [String: String]? = nil,
        options: RequestOptions = RequestOptions(), sampleData: Data = Data("sample".utf8)
    ) {
        self.path = path
        self.baseURL = baseURL
        self.method = method
        self.headers = headers
        self.options = options
        self.sampleData = sampleData
    }
}
