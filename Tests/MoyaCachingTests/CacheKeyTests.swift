import Foundation
import Moya
import TestSupport
import Testing

@testable import MoyaCaching

@Suite("CacheKey", .queued, .timeLimit(.minutes(10)))
struct CacheKeyTests {
    @Test(
        "URLs of one resource have one key (RFC 9110, section 4.2.3)",
        arguments: [
            ("https://a.test/b?c=D", "https://a.test/b?c=D"),
            ("https://A.Test/B", "https://a.test/B"),
            ("HTTPS://a.test/", "https://a.test/"),
            ("https://a.test", "https://a.test/"),
            ("https://a.test?q=/", "https://a.test/?q=/"),
            ("https://a.test:443/b", "https://a.test/b"),
            ("http://a.test:80/b", "http://a.test/b"),
            ("http://a.test:443/b", "http://a.test:443/b"),
            ("http://127.0.0.1:8080/b:80", "http://127.0.0.1:8080/b:80"),
            ("http://127.0.0.1:/b", "http://127.0.0.1/b"),
            ("http://[::1]:8080/b", "http://[::1]:8080/b"),
            ("http://User@A.test:8080/", "http://a.test:8080/"), ("http://u:p@w@a.test/", "http://a.test/"),
            ("https://a.test/b#c/d", "https://a.test/b"),
        ])
    func normalizes(url: String, expected: String) throws {
        expectEqual(CacheKey.normalized(try #require(URL(string: url))), expected)
    }

    @Test("bytes as hexadecimal digits")
    func hexadecimal() {
        expectEqual([UInt8]([0, 1, 0x0f, 0x10, 0xab, 0xff]).hexadecimal, "00010f10abff")
        #expect(MessageDigest.sha256("".utf8).hexadecimal.hasPrefix("e3b0c44298fc1c14"))
    }
}
