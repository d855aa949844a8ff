import Foundation
import Moya
import TestSupport
import Testing

@Suite struct MoyaErrorTests {
    private static let response = Response(statusCode: 400, data: Data())
    private static let all: [(MoyaError, MoyaError.Kind, Bool, Bool)] = [
        (.imageMapping(response), .decoding, true, false), (.jsonMapping(response), .decoding, true, false),
        (.stringMapping(response), .decoding, true, false),
        (.objectMapping(Failure(), response), .decoding, true, true),
        (.encodableMapping(Failure()), .request, false, true), (.statusCode(response), .http, true, false),
        (.underlying(Failure(), response), .other, true, true), (.requestMapping("x"), .request, false, false),
        (.parameterEncoding(Failure()), .request, false, true),
    ]

    @Test("each case has its kind, response, underlying error and description", arguments: 0..<9)
    func cases(_ index: Int) {
        let (error, kind, hasResponse, hasUnderlying) = Self.all[index]
        #expect(error.kind == kind)
        #expect((error.response != nil) == hasResponse)
        #expect((error.underlyingError != nil) == hasUnderlying)
        #expect(error.errorUserInfo[NSLocalizedDescriptionKey] as? String == error.errorDescription)
        #expect((error.errorUserInfo[NSUnderlyingErrorKey] != nil) == hasUnderlying)
        #expect(error.errorDescription?.isEmpty == false)
    }

    @Test(
        "the codes of the system have their kinds",
        arguments: [
            (.cancelled, .cancelled), (.timedOut, .timeout), (.notConnectedToInternet, .offline),
            (.cannotFindHost, .unreachable), (.cannotConnectToHost, .unreachable),
            (.networkConnectionLost, .connectionLost),
            (.secureConnectionFailed, .tls), (.serverCertificateUntrusted, .tls), (.badServerResponse, .badResponse),
            (.cannotDecodeContentData, .badResponse), (.badURL, .request), (.unknown, .other),
        ] as [(URLError.Code, MoyaError.Kind)])
    func kinds(_ code: URLError.Code, _ kind: MoyaError.Kind) {
        #expect(MoyaError.underlying(URLError(code), nil).kind == kind)
        #expect(MoyaError.underlying(MoyaError.underlying(URLError(code), nil), nil).kind == kind)
    }

    @Test func aCancelledTaskIsACancelledRequest() {
        #expect(MoyaError.underlying(CancellationError(), nil).kind == .cancelled)
    }
}
