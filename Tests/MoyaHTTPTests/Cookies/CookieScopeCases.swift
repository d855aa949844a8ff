/// Cases of paths, of hosts and of expiration.
extension CookieCase {
    // MARK: Paths

    private static let defaultPathsTable: [(String, String, Bool)] = [
        ("", "/", true), ("", "/docs", true), ("/", "/docs", true), ("/docs", "/", true), ("/docs", "/docs", true),
        ("/docs/", "/docs", true), ("/docs/", "/docs/web", true), ("/docs/", "/", false), ("/docs/", "/docsets", false),
        ("/docs/web", "/docs", true), ("/docs/web", "/docs/", true), ("/docs/web", "/docs/css", true),
        ("/docs/web", "/", false), ("/docs/web/", "/docs/web", true), ("/docs/web/", "/docs", false),
        ("/docs/web/http", "/docs/web", true), ("/docs/web/http", "/docs", false), ("?x=/y/z", "/", true),
        ("/docs?x=/y/z", "/", true), ("/docs/web?x=/y/z", "/docs", true), ("/docs/web?x=/y/z", "/", false),
        ("/docs/web#/y/z", "/docs", true), ("/docs;v=1/web", "/docs;v=1", true), ("/docs;v=1/web", "/docs", false),
        ("/docs/a%2Fb", "/docs/c", true), ("/a%2Fb", "/", true), ("/docs//web", "/docs/", true),
        ("/docs//web", "/docs", false), ("/Docs/web", "/docs", false), ("/%64ocs/web", "/docs", false),
    ]

    static let defaultPaths: [CookieCase] = defaultPathsTable.map { path, request, isSent in
        .init(
            "5.1.4: a response of \"\(path)\" sets a cookie for \(request): \(isSent)", "a=1",
            from: "https://a.example\(path)", sends: isSent ? "a=1" : nil, to: "https://a.example\(request)")
    }

    private static let pathMatchesTable: [(String, String, Bool)] = [
        ("/", "", true), ("/", "/", true), ("/", "/docs/web", true), ("/docs", "/docs", true),
        ("/docs", "/docs/", true),
        ("/docs", "/docs/web", true), ("/docs", "/docs?x=1", true), ("/docs", "/docs#x", true), ("/docs", "/", false),
        ("/docs", "", false), ("/docs", "/docsets", false), ("/docs", "/docs.html", false),
        ("/docs", "/docs;v=1", false),
        ("/docs", "/docs%2Fweb", false), ("/docs", "/web/docs", false), ("/docs", "/Docs", false),
        ("/docs", "/doc", false),
        ("/docs", "/?x=/docs", false), ("/docs/", "/docs/", true), ("/docs/", "/docs/web", true),
        ("/docs/", "/docs", false),
        ("/docs/web", "/docs", false), ("/docs/web", "/docs/web/http", true), ("/~ash", "/%7Eash", false),
        ("/%7Eash", "/%7Eash", true), ("/%7Eash", "/%7eash", false), ("/caf%C3%A9", "/caf%C3%A9", true),
        ("/caf\u{E9}", "/caf%C3%A9", false), ("/docs?x", "/docs?x", false), ("/docs#x", "/docs#x", false),
        ("/b c", "/b%20c", false), ("/docs/..", "/", false), ("/a,b", "/a,b", true), ("/a,b", "/a", false),
        ("/docs/*", "/docs/web", false),
    ]

    static let pathMatches: [CookieCase] = pathMatchesTable.map { path, request, isSent in
        .init(
            "5.1.4: Path=\(path) is for \"\(request)\": \(isSent)", "a=1; Path=\(path)", sends: isSent ? "a=1" : nil,
            to: "https://a.example\(request)")
    }

    /// Paths that are set from `/docs/web`; a path without a leading slash is replaced by the default path.
    static let paths: [CookieCase] = ["", "=", "=docs", "=x/docs", "=\"/\"", "=.", "=?/", "=%2F", "=\\"].flatMap {
        path -> [CookieCase] in
        [
            .init(
                "5.2.4: Path\(path) is the default path", "a=1; Path\(path)", from: "https://a.example/docs/web",
                sends: "a=1", to: "https://a.example/docs"),
            .init(
                "5.2.4: Path\(path) is not the root", "a=1; Path\(path)", from: "https://a.example/docs/web",
                sends: nil, to: "https://a.example/"),
        ]
    }

    static let otherPaths: [CookieCase] = [
        .init(
            "5.3: a server may name any path", "a=1; Path=/other", from: "https://a.example/docs/web", sends: "a=1",
            to: "https://a.example/other"),
        .init(
            "5.3: a cookie need not match the path of its own response", "a=1; Path=/other",
            from: "https://a.example/docs/web", sends: nil),
    ]

    // MARK: Domains

    private static let domainMatchesTable: [(String, String, String, Bool)] = [
        ("b.com", "b.com", "b.com", true), ("b.com", "b.com", "a.b.com", true), ("b.com", "b.com", "c.a.b.com", true),
        ("a.b.com", "b.com", "a.b.com", true), ("a.b.com", "b.com", "b.com", true),
        ("a.b.com", "b.com", "c.b.com", true),
        ("c.a.b.com", "b.com", "b.com", true), ("a.b.com", "b.com", "ab.com", false), ("b.com", "b.com", "com", false),
        ("a.b.com", "b.com", "b.com.c.net", false), ("a.b.com", "b.com", "bb.com", false),
        ("a.b.com", ".b.com", "c.b.com", true), ("a.b.com", ".b.com", "b.com", true),
        ("b.com", ".b.com", "b.com", true),
        ("a.b.com", "..b.com", "a.b.com", false), ("a.b.com", "B.COM", "c.b.com", true),
        ("A.B.com", "b.com", "b.com", true),
        ("a.b.com", "b.com", "C.B.COM", true), ("a.b.com", "a.b.com", "a.b.com", true),
        ("a.b.com", "a.b.com", "b.com", false),
        ("a.b.com", "a.b.com", "c.a.b.com", true), ("b.com", "a.b.com", "a.b.com", false),
        ("b.com", "a.b.com", "b.com", false),
        ("a.b.com", "c.b.com", "c.b.com", false), ("a.b.com", "c.b.com", "a.b.com", false),
        ("a.b.com", "other.com", "other.com", false), ("a.b.com", "other.com", "a.b.com", false),
        ("ab.com", "b.com", "b.com", false), ("ab.com", "b.com", "ab.com", false),
        ("a.b.com", "b.com.", "a.b.com", false),
        ("a.b.com", "b.com:443", "a.b.com", false), ("a.b.com", "https://b.com", "a.b.com", false),
        ("a.b.com", "\"b.com\"", "a.b.com", false), ("a.b.com", "*.b.com", "a.b.com", false),
        ("a.b.com", "b.com/", "a.b.com", false), ("a.b.com", "b.com, c.com", "a.b.com", false),
        ("a.b.com", "b", "a.b.com", false),
        ("a.b.com", "com", "a.b.com", false), ("a.b.com", "com", "c.com", false), ("a.b.com", ".com", "a.b.com", false),
        ("a.b.com", "COM", "a.b.com", false), ("b.com", "com", "b.com", false), ("com", "com", "com", true),
        ("localhost", "localhost", "localhost", true), ("localhost", ".localhost", "localhost", true),
        ("localhost", "localhost", "a.localhost", false), ("a.localhost", "localhost", "a.localhost", false),
        ("localhost", "local", "localhost", false), ("b.co.uk", "co.uk", "c.co.uk", true),
        ("1.2.3.4.b.com", "4.b.com", "4.b.com", true),
        ("xn--bcher-kva.example", "xn--bcher-kva.example", "a.xn--bcher-kva.example", true),
        ("xn--bcher-kva.example", "b\u{FC}cher.example", "xn--bcher-kva.example", false),
        ("kb.com", "\u{212A}b.com", "kb.com", false),
    ]

    static let domainMatches: [CookieCase] = domainMatchesTable.map { host, domain, request, isSent in
        .init(
            "5.1.3: a cookie of \(host) with Domain=\(domain) is for \(request): \(isSent)", "a=1; Domain=\(domain)",
            from: "https://\(host)/", sends: isSent ? "a=1" : nil, to: "https://\(request)/")
    }

    private static let domainsTable: [(String, String, Bool)] = [
        ("a=1", "a.b.com", true), ("a=1", "A.B.COM", true), ("a=1", "c.a.b.com", false), ("a=1", "b.com", false),
        ("a=1", "c.b.com", false), ("a=1", "xa.b.com", false), ("a=1", "a.b.com:8443", true),
        ("a=1", "ash:pw@a.b.com", true),
        ("a=1; Domain", "a.b.com", true), ("a=1; Domain", "c.a.b.com", false), ("a=1; Domain=", "a.b.com", true),
        ("a=1; Domain=", "c.a.b.com", false), ("a=1; Domain= ", "b.com", false), ("a=1; Domain=.", "a.b.com", true),
        ("a=1; Domain=.", "c.a.b.com", false),
    ]

    static let domains: [CookieCase] = domainsTable.map { field, request, isSent in
        .init(
            "5.3: \"\(field)\" of a.b.com is for that host only, for \(request): \(isSent)", field,
            from: "https://a.b.com/",
            sends: isSent ? "a=1" : nil, to: "https://\(request)/")
    }

    static let ports: [CookieCase] = [
        .init(
            "8.5: cookies are not separated by port", "a=1", from: "https://b.com:8443/", sends: "a=1",
            to: "https://b.com/"),
        .init(
            "8.5: cookies are not separated by scheme", "a=1", from: "http://b.com/", sends: "a=1",
            to: "https://b.com/"),
        .init(
            "5.3: a refused Domain leaves the former cookie", "a=1", "a=2; Domain=other.com", from: "https://b.com/",
            sends: "a=1"),
        .init(
            "bis 5.7: a cookie of the host and one of the domain are two", "a=1", "a=2; Domain=b.com",
            from: "https://b.com/", sends: "a=1; a=2"),
        .init(
            "bis 5.7: only the domain's cookie is sent to subdomains", "a=1", "a=2; Domain=b.com",
            from: "https://b.com/",
            sends: "a=2", to: "https://a.b.com/"),
        .init(
            "bis 5.7: the domain's cookie is removed, the host's is not", "a=1", "a=2; Domain=b.com",
            "a=; Domain=b.com; Max-Age=0", from: "https://b.com/", sends: "a=1"),
        .init(
            "bis 5.7: a suffix that names its own host is for that host only", "a=1", "a=2; Domain=localhost",
            from: "http://localhost/", sends: "a=2"),
        .init(
            "5.3: hosts of one domain share a cookie",
            [
                ("https://a.b.com/", "a=1; Domain=b.com"), ("https://c.b.com/", "a=2; Domain=.B.com"),
            ], sends: "a=2", to: "https://b.com/"),
        .init(
            "5.3: the same name at two hosts is two cookies", [("https://a.b.com/", "a=1"), ("https://b.com/", "a=2")],
            sends: "a=1", to: "https://a.b.com/"),
    ]

    private static let addressesTable: [(String, String, String, Bool)] = [
        ("127.0.0.1", "a=1", "127.0.0.1", true), ("127.0.0.1", "a=1", "127.0.0.1:8080", true),
        ("127.0.0.1", "a=1", "127.0.0.2", false), ("127.0.0.1", "a=1; Domain=127.0.0.1", "127.0.0.1", true),
        ("127.0.0.1", "a=1; Domain=.127.0.0.1", "127.0.0.1", true),
        ("127.0.0.1", "a=1; Domain=0.0.1", "127.0.0.1", false),
        ("127.0.0.1", "a=1; Domain=.0.0.1", "127.0.0.1", false), ("127.0.0.1", "a=1; Domain=0.1", "127.0.0.1", false),
        ("127.0.0.1", "a=1; Domain=1", "127.0.0.1", false), ("127.0.0.1", "a=1; Domain=127.0.0.2", "127.0.0.1", false),
        ("127.0.0.1", "a=1; Domain=localhost", "127.0.0.1", false), ("127.0.0.1", "a=1", "localhost", false),
        ("127.0.0.1", "a=1; Domain=", "127.0.0.1", true), ("27.0.0.1", "a=1; Domain=27.0.0.1", "127.0.0.1", false),
        ("7.0.0.1", "a=1", "127.7.0.0.1", false), ("[::1]", "a=1", "[::1]", true), ("[::1]", "a=1", "[::1]:8080", true),
        ("[::1]", "a=1", "[::2]", false), ("[::1]", "a=1; Domain=1", "[::1]", false),
        ("[::1]", "a=1; Domain=[::1]", "[::1]", true), ("[::1]", "a=1; Domain=::1", "[::1]", true),
        ("[::1]", "a=1; Domain=[::2]", "[::1]", false), ("[::1]", "a=1; Domain=[::1", "[::1]", false),
        ("[FD00::A]", "a=1; Domain=[fd00::a]", "[fd00::A]", true),
        ("[::ffff:127.0.0.1]", "a=1; Domain=0.0.1", "[::ffff:127.0.0.1]", false),
        ("[::ffff:127.0.0.1]", "a=1; Domain=[::ffff:127.0.0.1]", "[::ffff:127.0.0.1]", true),
    ]

    static let addresses: [CookieCase] = addressesTable.map { host, field, request, isSent in
        .init(
            "5.1.3: \"\(field)\" of the address \(host) is for \(request): \(isSent)", field, from: "http://\(host)/",
            sends: isSent ? "a=1" : nil, to: "http://\(request)/")
    }

    // MARK: Lifetimes

    static let past = "Sun, 06 Nov 1994 08:49:37 GMT"
    static let future = "Fri, 06 Nov 2099 08:49:37 GMT"

    static let aliveMaxAges: [CookieCase] = [
        "60", "3600", "007", "2147483647", "2147483648", "9223372036854775808", "99999999999999999999999999",
    ].flatMap { age -> [CookieCase] in
        [
            .init("5.2.2: Max-Age=\(age) stores a cookie", "a=1; Max-Age=\(age)", sends: "a=1"),
            .init(
                "5.3: Max-Age=\(age) takes precedence over Expires", "a=1; Max-Age=\(age); Expires=\(past)",
                sends: "a=1"),
        ]
    }

    static let overMaxAges: [CookieCase] = ["0", "00", "-0", "-1", "-60", "-99999999999999999999999999"].flatMap {
        age -> [CookieCase] in
        [
            .init("5.2.2: Max-Age=\(age) stores no cookie", "a=1; Max-Age=\(age)", sends: nil),
            .init(
                "5.3: Max-Age=\(age) takes precedence over Expires", "a=1; Expires=\(future); Max-Age=\(age)",
                sends: nil),
            .init("5.3: Max-Age=\(age) removes a cookie", "a=1", "a=2; Max-Age=\(age)", sends: nil),
        ]
    }

    static let invalidMaxAges: [CookieCase] = [
        "", "b", "+60", "+0", "0.5", "0s", "0 0", "0x0", "0,0", "--0", "-b", "-0b", "0-", "1e0", "\"0\"", "\u{660}",
        "\u{FF10}", "0\u{301}", "-\u{660}", ".0", "\u{2212}1",
    ].flatMap { age -> [CookieCase] in
        [
            .init("5.2.2: Max-Age=\(age) is ignored", "a=1; Max-Age=\(age)", sends: "a=1"),
            .init("5.2.2: Max-Age=\(age) does not hide Expires", "a=1; Expires=\(past); Max-Age=\(age)", sends: nil),
        ]
    }

    static let lifetimes: [CookieCase] = [
        .init("5.2.2: the attribute Max-Age without a value is ignored", "a=1; Max-Age", sends: "a=1"),
        .init("5.2.1: the attribute Expires without a value is ignored", "a=1; Expires", sends: "a=1"),
        .init("5.3: the last Max-Age counts", "a=1; Max-Age=0; Max-Age=60", sends: "a=1"),
        .init("5.3: the last Max-Age counts, if it is over", "a=1; Max-Age=60; Max-Age=0", sends: nil),
        .init("5.3: the last valid Max-Age counts", "a=1; Max-Age=0; Max-Age=b", sends: nil),
        .init("5.3: the last valid Max-Age applies", "a=1; Max-Age=60; Max-Age=b", sends: "a=1"),
        .init("5.3: the last Expires counts", "a=1; Expires=\(past); Expires=\(future)", sends: "a=1"),
        .init("5.3: the last Expires counts, if it is over", "a=1; Expires=\(future); Expires=\(past)", sends: nil),
        .init("5.3: the last valid Expires counts", "a=1; Expires=\(past); Expires=b", sends: nil),
        .init(
            "5.3: Max-Age between two Expires counts", "a=1; Expires=\(past); Max-Age=60; Expires=\(past)", sends: "a=1"
        ),
    ]

    static let aliveDates: [CookieCase] = [
        future, "Friday, 06-Nov-2099 08:49:37 GMT", "Fri Nov  6 08:49:37 2099", "06 Nov 2099 08:49:37",
        "06-Nov-68 08:49:37",
        "Sun, 06 Nov 69 08:49:37 GMT", "2099 Nov 6 08:49:37", "Nov/6/2099/08:49:37", "Fri, 31 Dec 9999 23:59:59 GMT",
        "\"\(future)\"", "  \(future)  ", "Nov,06,2099,08:49:37", "Fri, 06 Nov 2099 08:49:37 -1200",
    ].map { .init("5.2.1: Expires=\($0) stores a cookie", "a=1", "a=2; Expires=\($0)", sends: "a=2") }

    static let pastDates: [CookieCase] = [
        past, "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "06 Nov 1994 08:49:37",
        "06-Nov-70 08:49:37",
        "06-Nov-99 08:49:37", "06-Nov-00 08:49:37", "1994 Nov 6 08:49:37", "Thu, 01 Jan 1970 00:00:00 GMT",
        "Thu, 01-Jan-1970 00:00:01 GMT", "Mon, 01 Jan 1601 00:00:00 GMT", "\"\(past)\"", "Sun, 06 Nov 1994 08:49:37",
    ].map { .init("5.2.1: Expires=\($0) removes a cookie", "a=1", "a=2; Expires=\($0)", sends: nil) }

    static let invalidDates: [CookieCase] = [
        "", "0", "-1", "never", "784111777", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994",
        "Sun, 32 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1600 08:49:37 GMT",
        "Wed, 30 Feb 1994 08:49:37 GMT", "06Nov1994 08:49:37", "Sun%2C%2006%20Nov%201994%2008:49:37",
    ].map { .init("5.2.1: Expires=\($0) is ignored", "a=1", "a=2; Expires=\($0)", sends: "a=2") }

    static let removals: [CookieCase] = [
        .init("5.3: a removal needs no value", "a=1", "a=; Max-Age=0", sends: nil),
        .init("5.3: a removal concerns its name only", "a=1", "b=2", "a=; Max-Age=0", sends: "b=2"),
        .init("5.3: a removal concerns the name in its case only", "a=1", "A=; Max-Age=0", sends: "a=1"),
        .init("5.3: a removal concerns its path only", "a=1; Path=/", "a=; Path=/x; Max-Age=0", sends: "a=1"),
        .init(
            "5.3: a slash at the end is another path", "a=1; Path=/x", "a=; Path=/x/; Max-Age=0", sends: "a=1",
            to: "https://a.example/x/"),
        .init(
            "5.3: a removal concerns its host only",
            [("https://b.com/", "a=1"), ("https://a.b.com/", "a=; Max-Age=0")],
            sends: "a=1", to: "https://b.com/"),
        .init(
            "5.3: a host below removes a cookie of the domain",
            [
                ("https://b.com/", "a=1; Domain=b.com"), ("https://a.b.com/", "a=; Domain=b.com; Max-Age=0"),
            ], sends: nil, to: "https://b.com/"),
        .init("5.3: a removed cookie can be set again", "a=1", "a=; Max-Age=0", "a=2", sends: "a=2"),
        .init(
            "5.3: a removed cookie that is set again is the newest", "a=1", "b=2", "a=; Max-Age=0", "a=3",
            sends: "b=2; a=3"),
        .init("5.3: removing an unknown cookie has no effect", "a=; Max-Age=0", sends: nil),
        .init("5.3: a new value resets the expiry date of a cookie", "a=1; Max-Age=60", "a=2", sends: "a=2"),
    ]
}
