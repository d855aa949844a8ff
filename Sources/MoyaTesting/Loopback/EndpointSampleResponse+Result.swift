import Foundation
import Moya

extension EndpointSampleResponse {
    /// The response, with all chunks at once, or the failure.
    var result: Result<Response, MoyaError> {
        switch self {
        case .networkResponse(let code, let data): .success(Response(statusCode: code, data: data))
        case .response(let head, let data):
            .success(Response(statusCode: head.statusCode, data: data, response: head))
        case .networkError(let error): .failure(.underlying(error, nil))
        case .chunks(let code, let chunks, _):
            .success(Response(statusCode: code, data: chunks.reduce(Data(), +)))
        }
    }
}
