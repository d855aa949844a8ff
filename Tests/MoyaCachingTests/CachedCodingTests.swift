import Foundation
import Moya
import MoyaCaching
import MoyaTesting
import TestSupport
import Testing

/// Content codings and the cache: transports decode content only if they requested the coding themselves.
@Suite(.queued, .timeLimit(.minutes(10))) struct CachedCodingTests {
    private static let url = "https://a.test/x"

    /// A server that ignores `Range`, behind a transport that decodes content only if it added `Accept-Encoding`.
    private func fixture(_ coding: String, isOnDisk: Bool, _ directory: TemporaryDirectory) throws -> CacheFixture {
        CacheFixture(isOnDisk ? try directory.cache() : HTTPCache()) { request, _ in
            let isDecoded = request.headers["Accept-Encoding"] == nil && request.headers["Range"] == nil
            return (
                200, ["Cache-Control": "max-age=60", "Content-Encoding": coding],
                isDecoded || coding == "identity" ? "decoded" : "raw"
            )
        }
    }

    @Test("content that was not decoded does not satisfy a request for decoded content", arguments: [false, true])
    func separatesCodings(isOnDisk: Bool) throws {
        let directory = try TemporaryDirectory()
        let fixture = try fixture("gzip", isOnDisk: isOnDisk, directory)
        for _ in 0..<2 {
            for (headers, content) in [
                (["Accept-Encoding": "gzip"], "raw"), ([:], "decoded"), (["Accept-Encoding": "br"], "raw"),
            ] as [(HTTPHeaders, String)] {
                try expectEqual(fixture.send(.get, Self.url, headers).text, content)
            }
        }
        expectEqual(fixture.arrivals, 3)
    }

    @Test("complete content in reply to a range request does not satisfy other requests", arguments: [false, true])
    func separatesRanges(isOnDisk: Bool) throws {
        let directory = try TemporaryDirectory()
        let fixture = try fixture("gzip", isOnDisk: isOnDisk, directory)
        for (headers, content) in [(["Range": "bytes=0-"], "raw"), ([:], "decoded")] as [(HTTPHeaders, String)] {
            for _ in 0..<2 { try expectEqual(fixture.send(.get, Self.url, headers).text, content) }
        }
        try expectEqual(fixture.send(.get, Self.url, ["Range": "bytes=0-"]).text, "raw")
        try expectEqual(fixture.send().text, "decoded")
    }

    @Test("content without a coding satisfies both")
    func sharesUncoded() throws {
        let directory = try TemporaryDirectory()
        for first in [["Accept-Encoding": "gzip"], ["Range": "bytes=0-"], [:]] as [HTTPHeaders] {
            let fixture = try fixture("identity", isOnDisk: false, directory)
            for headers in [first, [:], ["Accept-Encoding": "br"]] as [HTTPHeaders] {
                try expectEqual(fixture.send(.get, Self.url, headers).text, "decoded")
            }
            expectEqual(fixture.arrivals, 1)
        }
    }
}
