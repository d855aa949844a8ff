import Foundation
import Moya
import TestSupport
import Testing

@testable import MoyaHTTP

/// The rules of RFC 6265 and RFC 6265bis, one case at a time.
@Suite(.queued, .timeLimit(.minutes(10))) struct CookieConformanceTests {
    @Test("a jar sends the cookies that the algorithm of the RFC selects", arguments: CookieCase.all)
    func sends(_ row: CookieCase) throws {
        let jar = CookieJar()
        for (origin, field) in row.received {
            let head = ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: ["Set-Cookie": field])
            jar.store(head, from: try #require(URL(string: origin)))
        }
        let sent = jar.field(for: try #require(URL(string: row.request)))?.value
        expectEqual(sent.map { Array($0.utf8) }, row.sent.map { Array($0.utf8) })
    }

    @Test("RFC 6265, 5.1.1: a date is parsed as the algorithm of the RFC requires", arguments: CookieDateCase.all)
    func reads(_ row: CookieDateCase) {
        expectEqual(Date(cookieDate: row.text)?.timeIntervalSince1970, row.seconds.map(Double.init))
    }
}
