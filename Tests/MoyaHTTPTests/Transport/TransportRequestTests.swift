import Foundation
import Moya
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct TransportRequestTests {
    private func reason(
        _ method: HTTPMethod = .get, _ url: String = "http://a.example/", _ headers: HTTPHeaders = [:],
        _ body: RequestBody = .none
    ) throws -> String? {
        let url = try #require(URL(string: url))
        do throws(TransportError) {
            _ = try TransportRequest(method: method, url: url, headers: headers, body: body)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func whatATransportCannotSendIsRefused() throws {
        #expect(try reason() == nil)
        #expect(try reason(.connect)?.contains("CONNECT") == true)
        #expect(try reason(.head, "http://a.example/", [:], .data(Data()))?.contains("no content") == true)
        #expect(try reason(.trace, "http://a.example/", [:], .data(Data()))?.contains("no content") == true)
        #expect(try reason("G T")?.contains("is not a method") == true)
        #expect(try reason(.get, "ws://a.example/")?.contains("is not an absolute") == true)
        #expect(try reason(.get, "http:///path")?.contains("is not an absolute") == true)
        #expect(
            try reason(.get, "http://a.example/", ["Content-length": "3"])?.contains("set by the transport") == true)
    }

    @Test("an excessive duration does not crash", arguments: [Int64.max, Int64.min, -10_000_000_000, 0])
    func durations(_ seconds: Int64) {
        let nanoseconds = Duration.seconds(seconds).nanoseconds
        expectEqual(nanoseconds > 0, seconds > 0)
        expectEqual(nanoseconds < 0, seconds < 0)
    }
}
