/// Cases of Secure cookies, of names with a prefix, and of the order.
extension CookieCase {
    // MARK: Secure cookies

    static let secures: [CookieCase] = [
        .init("5.4: a Secure cookie is sent over https", "a=1; Secure", sends: "a=1"),
        .init("5.4: a Secure cookie does not go over http", "a=1; Secure", sends: nil, to: "http://a.example/"),
        .init("5.4: other cookies go over http", "a=1; Secure", "b=2", sends: "b=2", to: "http://a.example/"),
        .init("5.4: the scheme is compared in lower case", "a=1; Secure", from: "HTTPS://a.example/", sends: "a=1"),
        .init("5.4: the port does not make a request secure", "a=1; Secure", sends: nil, to: "http://a.example:443/"),
        .init("5.4: any port is secure with https", "a=1; Secure", sends: "a=1", to: "https://a.example:8080/"),
        .init(
            "bis 5.7: http cannot set a Secure cookie", "a=1; Secure", from: "http://a.example/", sends: nil,
            to: "https://a.example/"),
        .init(
            "bis 5.7: http cannot set one on localhost", "a=1; Secure", from: "http://localhost/", sends: nil,
            to: "https://localhost/"),
        .init(
            "bis 5.7: a Secure cookie over http leaves the former one", "a=1", "a=2; Secure",
            from: "http://a.example/", sends: "a=1"),
        .init(
            "bis 5.7: a Secure cookie over http removes no cookie", "a=1", "a=2; Secure; Max-Age=0",
            from: "http://a.example/", sends: "a=1"),
        .init(
            "5.3: a cookie becomes Secure with a new value", "a=1", "a=2; Secure", sends: nil, to: "http://a.example/"),
        .init(
            "5.3: https makes a Secure cookie one that is not", "a=1; Secure", "a=2", sends: "a=2",
            to: "http://a.example/"),
    ]

    static let secureValues: [CookieCase] = [
        "=", "=true", "=false", "=0", "=no", " ", " = b", "=Secure", "=\"\"", "=b=c",
    ].map {
        .init("5.2.5: Secure\($0) is secure", "a=1; Secure\($0)", sends: nil, to: "http://a.example/")
    }

    /// The path of a Secure cookie, the path of a cookie of http with the same name, and whether the latter is refused.
    private static let shadowsTable: [(String, String, Bool)] = [
        ("/", "/", true), ("/", "/login", true), ("/", "/login/en", true), ("/login", "/login", true),
        ("/login", "/login/", true), ("/login", "/login/en", true), ("/login", "/", false),
        ("/login", "/loginx", false),
        ("/login", "/log", false), ("/login", "/other", false), ("/login/", "/login", false),
        ("/login/", "/login/en", true), ("/login/en", "/login", false), ("/login", "/LOGIN", false),
    ]

    static let shadows: [CookieCase] = shadowsTable.map { secure, path, isRefused in
        .init(
            "bis 5.7: a Secure cookie at \(secure) protects its name from http at \(path): \(isRefused)",
            [
                ("https://b.com/", "a=1; Secure; Path=\(secure)"), ("http://b.com/", "a=2; Path=\(path)"),
            ], sends: isRefused ? nil : "a=2", to: "http://b.com\(path)")
    }

    /// The host and the attributes of a Secure cookie, those of a cookie of http, the host of a request, and whether
    /// the second cookie is refused.
    private static let shadowsOfDomainsTable: [(String, String, String, String, String, Bool)] = [
        ("b.com", "", "b.com", "; Domain=b.com", "b.com", true),
        ("b.com", "; Domain=b.com", "b.com", "", "b.com", true),
        ("b.com", "; Domain=b.com", "a.b.com", "", "a.b.com", true),
        ("b.com", "; Domain=b.com", "a.b.com", "; Domain=b.com", "b.com", true),
        ("b.com", "; Domain=b.com", "a.b.com", "; Domain=a.b.com", "a.b.com", true),
        ("a.b.com", "", "b.com", "; Domain=b.com", "b.com", true),
        ("a.b.com", "", "c.b.com", "; Domain=b.com", "c.b.com", true),
        ("a.b.com", "; Domain=a.b.com", "b.com", "; Domain=b.com", "b.com", true),
        ("a.b.com", "", "b.com", "", "b.com", true), ("b.com", "", "a.b.com", "", "a.b.com", true),
        ("a.b.com", "", "c.b.com", "", "c.b.com", false), ("a.b.com", "", "ca.b.com", "", "ca.b.com", false),
        ("a.b.com", "; Domain=a.b.com", "c.b.com", "; Domain=c.b.com", "c.b.com", false),
        ("b.com", "; Domain=b.com", "c.com", "", "c.com", false), ("b.com", "", "ab.com", "", "ab.com", false),
        ("127.0.0.1", "", "127.0.0.1", "", "127.0.0.1", true), ("127.0.0.1", "", "127.0.0.2", "", "127.0.0.2", false),
        ("b.com", "", "b.com:8080", "", "b.com", true), ("b.com:8443", "", "b.com", "", "b.com:8080", true),
    ]

    static let shadowsOfDomains: [CookieCase] = shadowsOfDomainsTable.map {
        host, secure, other, field, request, isRefused in
        .init(
            "bis 5.7: \(host)\(secure) protects its name from \(other)\(field) over http: \(isRefused)",
            [
                ("https://\(host)/", "a=1; Secure\(secure)"), ("http://\(other)/", "a=2\(field)"),
            ], sends: isRefused ? nil : "a=2", to: "http://\(request)/")
    }

    static let otherShadows: [CookieCase] = [
        .init(
            "bis 5.7: the Secure cookie that http would replace is preserved",
            [
                ("https://b.com/", "a=1; Secure"), ("http://b.com/", "a=2"),
            ], sends: "a=1", to: "https://b.com/"),
        .init(
            "bis 5.7: the Secure cookie that http would remove is preserved",
            [
                ("https://b.com/", "a=1; Secure"), ("http://b.com/", "a=; Max-Age=0"),
            ], sends: "a=1", to: "https://b.com/"),
        .init(
            "bis 5.7: the Secure cookie that http would shadow by a path is sent alone",
            [
                ("https://b.com/", "a=1; Secure; Path=/"), ("http://b.com/", "a=2; Path=/login"),
            ], sends: "a=1", to: "https://b.com/login"),
        .init(
            "bis 5.7: a cookie of http for more paths is sent after the Secure one",
            [
                ("https://b.com/", "a=1; Secure; Path=/login"), ("http://b.com/", "a=2; Path=/"),
            ], sends: "a=1; a=2", to: "https://b.com/login"),
        .init(
            "bis 5.7: the default path of http counts",
            [
                ("https://b.com/", "a=1; Secure; Path=/"), ("http://b.com/login/en", "a=2"),
            ], sends: nil, to: "http://b.com/login"),
        .init(
            "bis 5.7: another name is free", [("https://b.com/", "a=1; Secure"), ("http://b.com/", "b=2")],
            sends: "a=1; b=2", to: "https://b.com/"),
        .init(
            "bis 5.7: a name in another case is free", [("https://b.com/", "a=1; Secure"), ("http://b.com/", "A=2")],
            sends: "a=1; A=2", to: "https://b.com/"),
        .init(
            "bis 5.7: the empty name is protected, too", [("https://b.com/", "b; Secure"), ("http://b.com/", "c")],
            sends: nil, to: "http://b.com/"),
        .init("bis 5.7: https may replace a Secure cookie", "a=1; Secure", "a=2; Secure", sends: "a=2"),
        .init(
            "bis 5.7: https may shadow a Secure cookie", "a=1; Secure; Path=/", "a=2; Path=/x", sends: "a=2; a=1",
            to: "https://a.example/x"),
        .init("bis 5.7: https may remove a Secure cookie", "a=1; Secure", "a=; Max-Age=0", sends: nil),
        .init(
            "bis 5.7: http may replace a cookie that is not Secure",
            [("https://b.com/", "a=1"), ("http://b.com/", "a=2")],
            sends: "a=2", to: "https://b.com/"),
        .init(
            "bis 5.7: http may set a name after its Secure cookie is removed",
            [
                ("https://b.com/", "a=1; Secure"), ("https://b.com/", "a=; Max-Age=0"), ("http://b.com/", "a=2"),
            ], sends: "a=2", to: "http://b.com/"),
        .init(
            "bis 5.7: http may replace a cookie that https has made one that is not Secure",
            [
                ("https://b.com/", "a=1; Secure"), ("https://b.com/", "a=2"), ("http://b.com/", "a=3"),
            ], sends: "a=3", to: "http://b.com/"),
    ]

    // MARK: Prefixes

    static let prefixes: [CookieCase] = [
        "__Secure-a=1; Secure", "__secure-a=1; Secure", "__SECURE-a=1; Secure", "__Secure-=1; Secure",
        "__Secure-a=1; Secure; Path=/", "__Secure-a=1; Secure=false", "__Secure-a=1; Secure; Domain=a.b.com",
        "__Host-a=1; Secure; Path=/", "__host-a=1; Path=/; Secure", "__HOST-a=1; Secure; Path=/",
        "__Host-=1; Secure; Path=/", "__Host-a=1; Secure; Path=/; Domain=", "__Host-a=1; Secure; Path=/x; Path=/",
        "__Host-a=1; Secure; Path=/; Max-Age=60", "__Secure=1", "__Host=1", "_Secure-a=1", "_Host-a=1", "Secure-a=1",
        "Host-a=1", "a__Host-=1", "a__Secure-=1", "__Hosta-=1", "__Ho\u{17F}t-a=1", "__\u{17F}ecure-a=1", "-__Host-a=1",
        "a=__Host-b", "a=__Secure-b", "__Secure_a=1", "__Host_a=1", "__Http-a=1; Secure; HttpOnly",
        "__http-a=1; HttpOnly; Secure; Path=/; Domain=b.com", "__Host-Http-a=1; Secure; HttpOnly; Path=/",
        "__HOST-HTTP-a=1; Path=/; HttpOnly; Secure", "__Http=1", "__Http_a=1", "a=__Http-b",
        "__Host-Http=1; Secure; Path=/",
    ].map { field in
        .init("bis 5.4: \(field) is stored", field, from: "https://a.b.com/", sends: String(field.prefix { $0 != ";" }))
    }

    static let prefixesRefused: [CookieCase] = [
        "__Secure-a=1", "__secure-a=1", "__SECURE-a=1", "__Secure-=1", "__Secure-a=1; Path=/", "__Secure-a=1; Securely",
        " __Secure-a=1", "__Secure-a=", "__Host-a=1", "__host-a=1", "__HOST-a=1", "__Host-=1", "__hOsT-a=1; Secure",
        "__Host-a=1; Secure", "__Host-a=1; Path=/", "__Host-a=1; Secure; Path=/x",
        "__Host-a=1; Secure; Path=/; Path=/x",
        "__Host-a=1; Secure; Path=/; Domain=a.b.com", "__Host-a=1; Secure; Path=/; Domain=b.com",
        "__Host-a=1; Secure; Path=/; Domain=.a.b.com", "__host-a=1; Secure; Path=/; Domain=a.b.com",
        "__Host-a=1; Domain=a.b.com", "=__Host-a=1", "=__Secure-a=1", "__Host-a", "__Secure-a", "=__host-", "__SECURE-",
        "=__Host-a=1; Secure; Path=/", "=__Secure-a=1; Secure", "__Http-a=1", "__Http-a=1; Secure",
        "__Http-a=1; HttpOnly", "__HTTP-a=1; Secure; Path=/", "__Host-Http-a=1; Secure; Path=/",
        "__Host-Http-a=1; Secure; HttpOnly", "__Host-Http-a=1; HttpOnly; Path=/",
        "__Host-Http-a=1; Secure; HttpOnly; Path=/; Domain=a.b.com", "__host-http-a=1; Secure; Path=/", "__Http-a",
        "=__Http-a=1; Secure; HttpOnly", "=__Host-Http-a=1; Secure; HttpOnly; Path=/",
    ].map { .init("bis 5.4: \($0) is refused", $0, from: "https://a.b.com/", sends: nil) }

    static let otherPrefixes: [CookieCase] = [
        .init(
            "bis 5.4: http cannot set __Secure-", "__Secure-a=1; Secure", from: "http://b.com/", sends: nil,
            to: "https://b.com/"),
        .init(
            "bis 5.4: http cannot set __Host-", "__Host-a=1; Secure; Path=/", from: "http://b.com/", sends: nil,
            to: "https://b.com/"),
        .init(
            "bis 5.4: http cannot set __Http-", "__Http-a=1; Secure; HttpOnly", from: "http://b.com/", sends: nil,
            to: "https://b.com/"),
        .init("bis 5.4: http cannot set __Secure- without Secure", "__Secure-a=1", from: "http://b.com/", sends: nil),
        .init(
            "bis 5.4: the default path does not replace the Path of __Host-", "__Host-a=1; Secure",
            from: "https://b.com/x", sends: nil),
        .init(
            "bis 5.4: __Host- may be set at any path", "__Host-a=1; Secure; Path=/", from: "https://b.com/x/y",
            sends: "__Host-a=1", to: "https://b.com/"),
        .init(
            "bis 5.4: __Host- is for its host only", "__Host-a=1; Secure; Path=/", from: "https://b.com/", sends: nil,
            to: "https://a.b.com/"),
        .init(
            "bis 5.4: __Secure- may be for a domain", "__Secure-a=1; Secure; Domain=b.com", from: "https://a.b.com/",
            sends: "__Secure-a=1", to: "https://b.com/"),
        .init(
            "bis 5.4: a refused prefix leaves the former cookie", "__Secure-a=1; Secure", "__Secure-a=2",
            sends: "__Secure-a=1"),
        .init(
            "bis 5.4: a removal must meet the rules of the prefix", "__Host-a=1; Secure; Path=/",
            "__Host-a=; Max-Age=0",
            sends: "__Host-a=1"),
        .init(
            "bis 5.4: a removal that has it works", "__Host-a=1; Secure; Path=/",
            "__Host-a=; Secure; Path=/; Max-Age=0", sends: nil),
    ]

    // MARK: The order

    static let orders: [CookieCase] = [
        .init(
            "5.4: the longer path is sent first", "a=1; Path=/", "b=2; Path=/x", sends: "b=2; a=1",
            to: "https://a.example/x"),
        .init(
            "5.4: three paths go by length", "b=2; Path=/x", "a=1; Path=/", "c=3; Path=/x/y", sends: "c=3; b=2; a=1",
            to: "https://a.example/x/y/z"),
        .init(
            "5.4: a slash at the end makes a path longer", "a=1; Path=/x", "b=2; Path=/x/", sends: "b=2; a=1",
            to: "https://a.example/x/"),
        .init(
            "5.4: the same name at two paths is sent twice", "a=1; Path=/", "a=2; Path=/x", sends: "a=2; a=1",
            to: "https://a.example/x"),
        .init("5.4: among equal paths the older is sent first", "b=1", "a=2", "c=3", sends: "b=1; a=2; c=3"),
        .init("5.4: the name and the value do not change the order", "z=9", "a", "m=", "A=1", sends: "z=9; a; m=; A=1"),
        .init("5.3: a new value does not change the order", "a=1", "b=2", "a=3", sends: "a=3; b=2"),
        .init("5.3: two new values keep the place", "a=1", "b=2", "c=3", "b=4", "a=5", sends: "a=5; b=4; c=3"),
        .init(
            "5.3: other attributes keep the place", "a=1", "b=2", "a=3; Max-Age=60; Secure; HttpOnly",
            sends: "a=3; b=2"),
        .init("5.3: a rejected field does not change the order", "a=1", "b=2", "a=3; Domain=com", sends: "a=1; b=2"),
        .init(
            "5.3: another path is another place", "a=1; Path=/", "b=2; Path=/", "a=3; Path=/x", sends: "a=3; a=1; b=2",
            to: "https://a.example/x"),
        .init(
            "5.4: the length of the domain does not count", "a=1; Domain=b.com", "b=2", from: "https://a.b.com/",
            sends: "a=1; b=2"),
        .init(
            "5.4: the host that has set a cookie does not count",
            [
                ("https://c.b.com/", "a=1; Domain=b.com"), ("https://a.b.com/", "b=2"),
                ("http://b.com/", "c=3; Domain=b.com"),
            ], sends: "a=1; b=2; c=3", to: "https://a.b.com/"),
        .init(
            "5.4: the path takes precedence over the age for a whole domain",
            [
                ("https://b.com/", "a=1; Domain=b.com; Path=/x"), ("https://a.b.com/", "b=2; Path=/"),
                ("https://a.b.com/", "c=3; Path=/x"),
            ], sends: "a=1; c=3; b=2", to: "https://a.b.com/x"),
        .init(
            "5.4: ten cookies go in the order of their creation", "j=0", "i=1", "h=2", "g=3", "f=4", "e=5", "d=6",
            "c=7",
            "b=8", "a=9", sends: "j=0; i=1; h=2; g=3; f=4; e=5; d=6; c=7; b=8; a=9"),
    ]
}
