import Foundation
import Moya

extension EndpointSampleResponse {
    /// The response, with all chunks at once, or the failure.
    var result: Result<Response, MoyaError> {
        switch self {
        case .networkResponse(let code, let data): .success(Response(statusCode: code, data: data))
        case .response(let head, let data):
            .success(Response(statusCode: head.statusCode, data: data, response: head))
        case .status(let code, let headers, let data):
            .success(Response(statusCode: code, data: data, headers: headers))
        case .networkError(let error): .failure(error as? MoyaError ?? .underlying(error, nil))
        case .chunks(let code, let chunks, _):
            .success(Response(statusCode: code, data: chunks.reduce(Data(), +)))
        }
    }
}
