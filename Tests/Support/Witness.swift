package import Moya

#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// A plugin that logs its calls and marks the values that it can change.
package struct Witness: PluginType {
    let name: String
    let log: Log

    package init(name: String, log: Log) {
        self.name = name
        self.log = log
    }

    package func prepare(_ request: URLRequest, target: any RelativeTarget) -> URLRequest {
        log.add("\(name).prepare")
        var request = request
        let trace = request.value(forHTTPHeaderField: "X-Trace") ?? ""
        request.setValue(trace + name, forHTTPHeaderField: "X-Trace")
        return request
    }

    package func willSend(_ request: RequestType, target: any RelativeTarget) {
        log.add("\(name).willSend")
    }

    package func didReceive(_ result: Result<Response, MoyaError>, target: any RelativeTarget) {
        log.add("\(name).didReceive")
    }

    package func process(_ result: Result<Response, MoyaError>, target: any RelativeTarget) -> Result<
        Response, MoyaError
    > {
        log.add("\(name).process")
        return result.map { Response(statusCode: $0.statusCode + 1, data: $0.data, request: $0.request) }
    }
}
