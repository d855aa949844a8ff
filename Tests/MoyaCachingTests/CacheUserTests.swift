import Foundation
import Moya
import MoyaCaching
import MoyaTesting
import TestSupport
import Testing

/// Several users of one cache.
@Suite(.queued, .timeLimit(.minutes(10))) struct CacheUserTests {
    private static let fresh: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
    private static let url = "https://a.test/x"

    @Test(
        "users who differ in any credential do not share responses",
        arguments: [
            "Cookie", "Authorization", "Proxy-Authorization", "X-Api-Key", "x-auth-token", "Session-Id", "X-CSRF-Token",
        ], [false, true])
    func separatesUsers(name: String, isOnDisk: Bool) throws {
        let directory = try TemporaryDirectory()
        let fixture = CacheFixture(isOnDisk ? try directory.cache() : HTTPCache()) { request, _ in
            (200, Self.fresh, request.headers[name] ?? "none")
        }
        for user in ["a=1", "b=2", "a=1", "b=2"] {
            try expectEqual(fixture.send(.get, Self.url, [name: user]).text, user)
        }
        try expectEqual(fixture.send().text, "none")
        expectEqual(fixture.arrivals, 3)
    }

    @Test("two providers with cookie jars of their own do not share responses")
    func separatesJars() async throws {
        let fixture = CacheFixture { request, _ in
            guard request.url.path == "/a" else {
                return (204, ["Set-Cookie": "sid=\(request.url.lastPathComponent); Path=/"], "")
            }
            return (200, Self.fresh, request.headers["Cookie"] ?? "none")
        }
        let users = ["alice", "bob"].map {
            ($0, MoyaProvider<Page>(transport: fixture.transport, cookies: CookieJar()))
        }
        for (name, provider) in users { _ = try await provider.response(Page(path: "/login/\(name)")) }
        for _ in 0..<2 {
            for (name, provider) in users {
                try await expectEqual(provider.response(Page()).mapString(), "sid=\(name)")
            }
        }
        expectEqual(fixture.arrivals, 4)
    }

    @Test(
        "RFC 9111, 3.5: a response that is declared public is shared by users who differ in `Authorization` only",
        arguments: [
            (["Cache-Control": "public, max-age=60"], true), (["Cache-Control": "max-age=60, s-maxage=60"], true),
            (["Cache-Control": "max-age=60, s-maxage=59"], false),
            (["Cache-Control": "public, s-maxage=0, max-age=9"], false),
            (["Cache-Control": "max-age=60"], false), (["Cache-Control": "max-age=60, must-revalidate"], false),
            (["Cache-Control": "public, private, max-age=60"], false),
            (["Cache-Control": "public, private=\"x\", max-age=60"], false),
            (["Cache-Control": "public, max-age=60", "Set-Cookie": "a=b"], false),
            (["Cache-Control": "public, max-age=60", "Vary": "Accept"], false),
        ] as [(HTTPHeaders, Bool)], [false, true])
    func sharesPublic(_ stored: (headers: HTTPHeaders, isShared: Bool), isOnDisk: Bool) throws {
        let directory = try TemporaryDirectory()
        let fixture = CacheFixture(isOnDisk ? try directory.cache() : HTTPCache()) { request, _ in
            (200, stored.headers, request.headers["Authorization"] ?? "none")
        }
        _ = try fixture.send(.get, Self.url, ["Authorization": "a"])
        try expectEqual(fixture.send(.get, Self.url, ["Authorization": "b"]).text, stored.isShared ? "a" : "b")
        try expectEqual(fixture.send().text, stored.isShared ? "a" : "none")
        try expectEqual(fixture.send(.get, Self.url, ["Authorization": "b", "Cookie": "c=d"]).text, "b")
        try expectEqual(fixture.send(.get, Self.url, ["Authorization": "a"]).text, "a")
        expectEqual(fixture.arrivals, stored.isShared ? 2 : 4)
    }

    @Test("a response without credentials that is not public does not satisfy a request with `Authorization`")
    func separatesAnonymous() throws {
        let fixture = CacheFixture { request, _ in (200, Self.fresh, request.headers["Authorization"] ?? "none") }
        try expectEqual(fixture.send().text, "none")
        try expectEqual(fixture.send(.get, Self.url, ["Authorization": "a"]).text, "a")
    }

    @Test(
        "a shared response is no longer shared after a confirmation that is private or sets a cookie",
        arguments: [["Cache-Control": "private, max-age=60"], ["Set-Cookie": "sid=alice"]] as [HTTPHeaders],
        [false, true])
    func endsSharing(_ confirmation: HTTPHeaders, isOnDisk: Bool) throws {
        let directory = try TemporaryDirectory()
        let fixture = CacheFixture(isOnDisk ? try directory.cache() : HTTPCache()) { request, number in
            let headers: HTTPHeaders = ["Cache-Control": "public, max-age=60", "ETag": "\"1\""]
            return request.headers["If-None-Match"] == nil
                ? (200, headers, "\(number)") : (304, headers.merging(confirmation), "")
        }
        _ = try fixture.send(.get, Self.url, ["Authorization": "a"])
        fixture.time.advance(by: .seconds(60))
        try expectEqual(fixture.send(.get, Self.url, ["Authorization": "a"]).text, "1")
        for headers in [["Authorization": "b"], [:]] as [HTTPHeaders] {
            let other = try fixture.send(.get, Self.url, headers)
            #expect(other.text == "3" && other.headers["Set-Cookie"] == nil)
        }
    }

    @Test("successful requests with other methods invalidate the responses of all users", arguments: [false, true])
    func invalidatesAllUsers(isOnDisk: Bool) throws {
        let directory = try TemporaryDirectory()
        let fixture = CacheFixture(isOnDisk ? try directory.cache() : HTTPCache()) { _, number in
            (200, Self.fresh, "\(number)")
        }
        for user in ["a", "b"] {
            for name in ["Cookie", "Authorization", "X-Api-Key"] { _ = try fixture.send(.get, Self.url, [name: user]) }
        }
        expectEqual(fixture.cache.statistics.responses, 6)
        _ = try fixture.send(.put, Self.url, ["Cookie": "a"])
        expectEqual(fixture.cache.statistics.responses, 0)
    }

    @Test("fields that the policy names separate users, too")
    func separatesByOtherFields() throws {
        var policy = CachingPolicy()
        policy.credentialFields = ["X-Tenant"]
        let fixture = CacheFixture(policy: policy) { request, _ in (200, Self.fresh, request.headers["X-Tenant"] ?? "")
        }
        for tenant in ["a", "b", "a"] {
            try expectEqual(fixture.send(.get, Self.url, ["x-tenant": tenant, "X-Trace": tenant]).text, tenant)
        }
        expectEqual(fixture.arrivals, 2)
    }

    @Test("a partition of one's own takes the place of the credentials")
    func setsPartition() throws {
        var policy = CachingPolicy()
        policy.partition = { $0.headers["User-Id"] }
        let fixture = CacheFixture(policy: policy) { request, number in
            (200, ["Cache-Control": "public, max-age=60"], "\(number)")
        }
        /// Sends a request of a user with a rolling cookie; returns the content of the response.
        func send(_ user: String, _ cookie: String) throws -> String {
            try fixture.send(.get, Self.url, ["User-Id": user, "Cookie": cookie, "Authorization": cookie]).text
        }
        #expect(try send("a", "1") == "1" && send("a", "2") == "1")
        #expect(try send("b", "3") == "2" && send("b", "4") == "2")
    }

    // MARK: Cookies of responses

    @Test("cookies that the server sets are kept if a stored response replaces its response", arguments: [304, 503])
    func keepsCookies(statusCode: Int) async throws {
        let fixture = CacheFixture { _, number in
            let directives: HTTPHeaders = ["Cache-Control": "max-age=1, stale-if-error=60", "ETag": "\"1\""]
            return number == 1
                ? (200, directives.merging(["Set-Cookie": "old=1; Path=/login"]), "abc")
                : (statusCode, ["Cache-Control": "max-age=1, no-cache=\"set-cookie\"", "Set-Cookie": "new=2"], "")
        }
        let jar = CookieJar()
        let provider = MoyaProvider<Page>(transport: fixture.transport, cookies: jar)
        _ = try await provider.response(Page())
        jar.removeAll()
        fixture.time.advance(by: .seconds(5))
        try await expectEqual(provider.response(Page()).mapString(), "abc")
        #expect(jar.cookies.map(\.name) == ["new"] && fixture.arrivals == 2)
    }

    @Test("a validation in the background keeps the cookies that the server sets", arguments: [200, 304, 503])
    func keepsCookiesOfBackground(statusCode: Int) async throws {
        let fixture = CacheFixture { _, number in
            number == 1
                ? (200, ["Cache-Control": "max-age=1, stale-while-revalidate=60", "ETag": "\"1\""], "abc")
                : (statusCode, ["Set-Cookie": "sid=2"], "")
        }
        let jar = CookieJar()
        let provider = MoyaProvider<Page>(transport: fixture.transport, cookies: jar)
        _ = try await provider.response(Page())
        fixture.time.advance(by: .seconds(5))
        try await expectEqual(provider.response(Page()).mapString(), "abc")
        #expect(fixture.arrivals == 2 && jar.cookies.map(\.value) == ["2"])
    }

    // MARK: On disk

    @Test("a cache on disk finds a user's responses again, and contains only salted hashes of credentials")
    func hashesCredentials() async throws {
        let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        var names: [Set<String>] = []
        for directory in directories {
            for arrivals in [1, 0] {
                let cache = try HTTPCache(directory: URL(filePath: directory.path))
                let origin = ScriptedOrigin { _, _ in (200, Self.fresh, "abc") }
                let provider = MoyaProvider<Page>(transport: origin.caching(in: cache))
                _ = try await provider.response(Page(headers: ["Authorization": "Bearer abc"]))
                expectEqual(origin.requests.count, arrivals)
                if arrivals == 1 { try await until { cache.statistics.writes == 1 } }
            }
            for file in directory.files() {
                let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
                // The hash of the credential without salt.
                #expect(!text.contains("Bearer") && !text.contains("c355dce96c1612880d11940ffdd9014d"))
            }
            names.append(
                Set(directory.metadata.map { URL(filePath: $0).deletingLastPathComponent().lastPathComponent }))
        }
        #expect(names[0].count == 1 && names[0] != names[1])
    }
}
