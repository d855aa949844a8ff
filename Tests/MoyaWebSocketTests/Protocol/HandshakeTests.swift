import Foundation
import Moya
import TestSupport
import Testing

@testable import MoyaWebSocket

@Suite struct HandshakeTests {
    @Test(
        "RFC 9110, 7.2: the field Host has the port, and brackets around an IPv6 address",
        arguments: [
            ("ws://a.example/", "a.example"), ("ws://a.example:81/", "a.example:81"), ("ws://[::1]:81/", "[::1]:81"),
        ])
    func host(_ url: String, _ host: String) throws {
        let request = try TransportRequest(
            method: .get, url: #require(URL(string: url.replacingOccurrences(of: "ws:", with: "http:"))))
        let bytes = Handshake(request, subprotocols: []).bytes
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
        #expect(lines.contains("Host: \(host)"))
    }
}
