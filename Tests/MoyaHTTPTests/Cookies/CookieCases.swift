import Testing

/// Cases for `CookieJar`, from RFC 6265 and RFC 6265bis.
struct CookieCase: Sendable, CustomTestStringConvertible {
    /// The claim of the case, with the section of the RFC.
    let claim: String
    /// Values of `Set-Cookie`, in order, each with the URL that sends it.
    let received: [(from: String, field: String)]
    /// The URL of the request.
    let request: String
    /// The value of `Cookie`, or nil for none.
    let sent: String?
    var testDescription: String { claim }

    /// Creates a case whose fields are all received from one URL; the request is to that URL unless another one is
    /// given.
    init(
        _ claim: String, _ fields: String..., from origin: String = "https://a.example/", sends sent: String?,
        to request: String? = nil
    ) {
        self.claim = claim
        self.received = fields.map { (origin, $0) }
        self.request = request ?? origin
        self.sent = sent
    }

    /// Creates a case whose fields are received from several URLs.
    init(_ claim: String, _ received: [(String, String)], sends sent: String?, to request: String) {
        self.claim = claim
        self.received = received.map { ($0.0, $0.1) }
        self.request = request
        self.sent = sent
    }
}

extension CookieCase {
    static let all: [CookieCase] = [
        pairs, keptValues, commas, nameless, emptyPairs, controls, controlsInPlaces, refusals, sizes, longAttributes,
        unknownAttributes, spelledAttributes, attributes, defaultPaths, pathMatches, paths, otherPaths, domainMatches,
        domains, ports, addresses, aliveMaxAges, overMaxAges, invalidMaxAges, lifetimes, aliveDates, pastDates,
        invalidDates, removals, secures, secureValues, shadows, shadowsOfDomains, otherShadows, prefixes,
        prefixesRefused,
        otherPrefixes, orders,
    ].flatMap(\.self)

    // MARK: Names and values

    static let pairs: [CookieCase] = [
        .init("5.2: a field without attributes is a name and a value", "a=1", sends: "a=1"),
        .init("5.2: the pair ends at the first semicolon", "a=1;b=2", sends: "a=1"),
        .init("5.2: a semicolon at the end has no effect", "a=1;", sends: "a=1"),
        .init("5.2: a quote does not protect a semicolon", "a=\"b; c\"", sends: "a=\"b"),
        .init("5.2: a backslash does not protect a semicolon", "a=b\\;c", sends: "a=b\\"),
        .init("5.2: spaces around name and value are removed", "  a  =  b  ", sends: "a=b"),
        .init("5.2: tabs around name and value are removed", "\ta\t=\t b \t", sends: "a=b"),
        .init("5.2: a space before the semicolon is removed", "a=b ; Path=/", sends: "a=b"),
        .init("5.2: a value of spaces is empty", "a=   ", sends: "a="),
        .init("5.2: names differ in case", "a=1", "A=2", sends: "a=1; A=2"),
        .init(
            "5.3: names are compared by octets, not by canonical equivalence", "\u{E9}=1", "e\u{301}=2",
            sends: "\u{E9}=1; e\u{301}=2"),
        .init("5.3: a later field with the same name has the last word", "a=1", "a=2", sends: "a=2"),
        .init("5.4: cookies are joined by a semicolon and a space", "a=1", "b=2", "c=3", sends: "a=1; b=2; c=3"),
        .init("5.4: attributes are not sent", "a=1; Path=/; Secure; HttpOnly; Max-Age=60", sends: "a=1"),
        .init("5.4: without cookies there is no field", [], sends: nil, to: "https://a.example/"),
        .init("5.2: a combining mark after the equals sign is part of the value", "a=\u{301}b", sends: "a=\u{301}b"),
        .init("5.2: a combining mark after the semicolon is part of the attribute", "a=1;\u{301}b", sends: "a=1"),
        .init("5.2: a combining mark after a space does not keep the space", "a=1; \u{301}Path=/x", sends: "a=1"),
    ]

    private static let keptValuesTable: [String] = [
        "a=", "a==", "a=b=c", "a=b==", "a=\"b\"", "a=\"b", "a=\" b \"", "a=\"\"", "a='b'", "a=b c", "a b=c", "a=b\tc",
        "a=b  c", "a=%20%3B", "a=b+c", "a=b\\c", "a=<b>", "a={\"b\":1}", "a=[1]", "a=b:c@d/e?f#g", "a&b=c", "a[b]=c",
        "\"a\"=b", "a/b=c", "$Version=1", "$Path=/", "a=$b", "a=\u{E9}", "\u{43A}=\u{437}", "a=\u{1F36A}",
        "a=\u{A0}b\u{A0}",
        "\u{A0}a=b", "a=\u{3000}", "a=b\u{85}", "a=\u{2028}b", "a=\u{FEFF}b", "a=\u{200B}", "Path=/docs",
        "Domain=other.com", "Expires=0", "Max-Age=0", "HttpOnly=1", "SameSite=Strict", "Secure=1", "Secure=",
    ]

    /// Pairs that are sent exactly as they were received.
    static let keptValues: [CookieCase] = keptValuesTable.map {
        .init("5.2: the pair \($0.debugDescription) is stored unchanged", $0, sends: $0)
    }

    static let commas: [CookieCase] = [
        "a=1,b=2", "a=1, b=2", "a=,", "a=1,", ",a=1", "a=1, b=2, c=3", "a=Sun, 06 Nov 1994 08:49:37 GMT", "a,b=1",
    ].flatMap { pair -> [CookieCase] in
        [
            .init("5.2: the comma in \(pair) does not end a cookie", pair, sends: pair),
            .init("5.2: the comma in \(pair) does not hide an attribute", "\(pair); Path=/x", sends: nil),
        ]
    }

    static let nameless: [CookieCase] = [
        .init("bis 5.6: a pair without an equals sign is a value without a name", "b", sends: "b"),
        .init("bis 5.6: a pair that starts with an equals sign is a value without a name", "=b", sends: "b"),
        .init("bis 5.6: only the first equals sign ends the empty name", "=b=c", sends: "b=c"),
        .init("bis 5.6: two equals signs leave a value of one", "==", sends: "="),
        .init("bis 5.6: spaces before the equals sign are no name", "  =b", sends: "b"),
        .init("bis 5.6: spaces in a value without a name are preserved inside", " b c ", sends: "b c"),
        .init("bis 5.6: the value Secure is not the attribute", "Secure", from: "http://a.example/", sends: "Secure"),
        .init("bis 5.6: a value without a name has attributes", "b; Path=/docs", sends: nil),
        .init("bis 5.7: two values without a name are one cookie", "b", "=c", sends: "c"),
        .init("bis 5.7: a value without a name is removed by an empty name", "b", "=x; Max-Age=0", sends: nil),
        .init("bis 5.8: a value without a name is sent among others", "a=1", "b", "c=2", sends: "a=1; b; c=2"),
        .init("bis 5.7: a value without a name does not replace a cookie of that name", "a=1", "a", sends: "a=1; a"),
        .init("bis 5.7: an empty pair removes no cookie", "b", "; Max-Age=0", sends: "b"),
    ]

    static let emptyPairs: [CookieCase] = [
        "", "=", " ", " = ", "\t=\t", ";", "; Path=/", "=; Path=/", ";a=1", "; a=1; Secure",
    ].map {
        .init("bis 5.7: neither name nor value is left in \($0.debugDescription)", $0, sends: nil)
    }

    // MARK: Ignored fields

    /// All control characters except the tab.
    static let controlCodes: [UInt8] = Array(0...8) + Array(10...31) + [127]

    static let controls: [CookieCase] = controlCodes.flatMap { code -> [CookieCase] in
        let control = Character(UnicodeScalar(code))
        return [
            .init("bis 5.6: control character \(code) in a name", "a\(control)b=1", sends: nil),
            .init("bis 5.6: control character \(code) in a value", "a=b\(control)c", sends: nil),
            .init("bis 5.6: control character \(code) in an attribute", "a=1; Path=/\(control)", sends: nil),
        ]
    }

    static let controlsInPlaces: [CookieCase] = [
        "\na=1", "a=1\n", "a=1\r", "a=1\u{0}", "\u{0}", "a=1\r\n", "a=b\r\nc", "a\r\n=1", "a=1; Path=/\r\n",
        "a=1; \u{B}",
        "a=1; x=\u{7F}", "a=1; Secure\u{0}", "a=1;\u{1F}", "\u{C}a=1", "b\u{0}c",
    ].map {
        .init("bis 5.6: a control character anywhere in \($0.debugDescription) refuses the cookie", $0, sends: nil)
    }

    static let refusals: [CookieCase] = [
        .init("bis 5.6: a refused field leaves the former cookie", "a=1", "a=2\u{0}", sends: "a=1"),
        .init("bis 5.6: a rejected field removes no cookie", "a=1", "a=2\u{1}; Max-Age=0", sends: "a=1"),
        .init("bis 5.6: a tab in an attribute is accepted", "a=1; x=b\tc", sends: "a=1"),
    ]

    static func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    static let sizes: [CookieCase] = [
        .init("bis 5.6: 4096 octets are stored", "a=\(many("b", 4095))", sends: "a=\(many("b", 4095))"),
        .init("bis 5.6: 4097 octets are ignored", "a=\(many("b", 4096))", sends: nil),
        .init("bis 5.6: the name counts", "\(many("a", 4096))=b", sends: nil),
        .init("bis 5.6: a name may have 4096 octets", "\(many("a", 4096))=", sends: "\(many("a", 4096))="),
        .init("bis 5.6: name and value count together", "\(many("a", 2048))=\(many("b", 2049))", sends: nil),
        .init("bis 5.6: a value without a name may have 4096 octets", many("b", 4096), sends: many("b", 4096)),
        .init("bis 5.6: a value without a name of 4097 octets is ignored", many("b", 4097), sends: nil),
        .init("bis 5.6: octets of the name count", "\(many("\u{E9}", 2048))=b", sends: nil),
        .init("bis 5.6: octets count, not characters", "a=\(many("\u{E9}", 2048))", sends: nil),
        .init(
            "bis 5.6: 4095 octets of wide characters are stored", "a=\(many("\u{E9}", 2047))",
            sends: "a=\(many("\u{E9}", 2047))"),
        .init("bis 5.6: removed spaces do not count", "a= \(many(" ", 4096))b", sends: "a=b"),
        .init(
            "bis 5.6: attributes do not count", "a=\(many("b", 4095)); x=\(many("c", 1024)); y=\(many("c", 1024))",
            sends: "a=\(many("b", 4095))"),
        .init(
            "bis 5.6: a field that is too long leaves the former cookie", "a=1", "a=\(many("b", 4096))", sends: "a=1"),
        .init(
            "bis 5.6: a field that is too long removes no cookie", "a=1", "a=\(many("b", 4096)); Max-Age=0",
            sends: "a=1"),
    ]

    static let longAttributes: [CookieCase] = [
        .init("bis 5.6: an unknown attribute of 1025 octets is ignored", "a=1; x=\(many("c", 1025))", sends: "a=1"),
        .init("bis 5.6: an unknown attribute of 9999 octets is ignored", "a=1; x=\(many("c", 9999))", sends: "a=1"),
        .init("bis 5.6: a Path of 1024 octets counts", "a=1; Path=/\(many("p", 1023))", sends: nil),
        .init(
            "bis 5.6: a Path of 1024 octets matches", "a=1; Path=/\(many("p", 1023))", sends: "a=1",
            to: "https://a.example/\(many("p", 1023))"),
        .init("bis 5.6: a Path of 1025 octets is ignored", "a=1; Path=/\(many("p", 1024))", sends: "a=1"),
        .init("bis 5.6: an ignored Path leaves a former one", "a=1; Path=/x; Path=/\(many("p", 1024))", sends: nil),
        .init("bis 5.6: octets of a Path count, not characters", "a=1; Path=/\(many("\u{E9}", 512))", sends: "a=1"),
        .init("bis 5.6: a Domain of 1025 octets is ignored", "a=1; Domain=\(many("d", 1025))", sends: "a=1"),
        .init("bis 5.6: a Domain of 1024 octets counts", "a=1; Domain=\(many("d", 1024))", sends: nil),
        .init("bis 5.6: a Max-Age of 1025 octets is ignored", "a=1; Max-Age=\(many("0", 1025))", sends: "a=1"),
        .init("bis 5.6: a Max-Age of 1024 octets counts", "a=1; Max-Age=\(many("0", 1024))", sends: nil),
        .init("bis 5.6: a Max-Age of 1024 nines is long", "a=1; Max-Age=\(many("9", 1024))", sends: "a=1"),
        .init("bis 5.6: an Expires of 1025 octets is ignored", "a=1; Expires=\(past)\(many("x", 996))", sends: "a=1"),
        .init("bis 5.6: an Expires of 1024 octets counts", "a=1; Expires=\(past)\(many("x", 995))", sends: nil),
        .init(
            "bis 5.6: a Secure with 1025 octets is ignored", "a=1; Secure=\(many("x", 1025))", sends: "a=1",
            to: "http://a.example/"),
        .init(
            "bis 5.6: a Secure with 1024 octets counts", "a=1; Secure=\(many("x", 1024))", sends: nil,
            to: "http://a.example/"),
        .init("bis 5.6: removed spaces of an attribute do not count", "a=1; Path=\(many(" ", 1024))/x", sends: nil),
    ]

    // MARK: Attributes

    private static let unknownAttributesTable: [String] = [
        "Version=1", "Comment=b", "Port=\"80\"", "Discard", "Partitioned", "Priority=High", "SameSite",
        "SameSite=Strict",
        "SameSite=Lax", "SameSite=b", "HttpOnly", "HttpOnly=false", "b", "=", "=b", "", ";;;", " ; ; ", "Secur",
        "Securely",
        "Secure Path=/", "x-Secure", "Se cure", "\"Secure\"", "\u{17F}ecure", "Secure,", "Secure, b=2", "=Secure",
        "MaxAge=0", "Max Age=0", "Max_Age=0", "Expire=\(past)", "$Path=/x", "Pa th=/x", "Paths=/x", "\u{A0}Path=/x",
        "Domains=b.com", "Domain:b.com", "Path:/x", "Max-Age:0", "Path /x", "b=Path=/x", "b=Secure",
    ]

    static let unknownAttributes: [CookieCase] = unknownAttributesTable.map {
        .init(
            "5.2: the attribute \($0.debugDescription) has no effect on sending", "a=1; \($0)",
            from: "http://a.example/",
            sends: "a=1")
    }

    private static let spelledAttributesTable: [(String, String, String, String, String)] = [
        ("secure", "path", "domain", "max-age", "expires"), ("SECURE", "PATH", "DOMAIN", "MAX-AGE", "EXPIRES"),
        ("sEcUrE", "pAtH", "dOmAiN", "mAx-AgE", "eXpIrEs"),
    ]

    static let spelledAttributes: [CookieCase] = spelledAttributesTable.flatMap {
        secure, path, domain, maxAge, expires -> [CookieCase] in
        [
            .init("5.2.5: \(secure) is Secure", "a=1; \(secure)", sends: nil, to: "http://a.example/"),
            .init("5.2.4: \(path) is Path", "a=1; \(path)=/docs", sends: nil),
            .init(
                "5.2.3: \(domain) is Domain", "a=1; \(domain)=b.com", from: "https://a.b.com/", sends: "a=1",
                to: "https://c.b.com/"),
            .init("5.2.2: \(maxAge) is Max-Age", "a=1; \(maxAge)=0", sends: nil),
            .init("5.2.1: \(expires) is Expires", "a=1; \(expires)=\(past)", sends: nil),
        ]
    }

    static let attributes: [CookieCase] = [
        .init("5.2: no space is needed before an attribute", "a=1;Path=/docs;Secure", sends: nil),
        .init(
            "5.2: spaces around an attribute are removed", "a=1;  Path  =  /docs  ", sends: "a=1",
            to: "https://a.example/docs"),
        .init("5.2: tabs around an attribute are removed", "a=1;\tPath\t=\t/docs\t;\tx", sends: nil),
        .init("5.2: an attribute after empty ones counts", "a=1;;; ;Path=/docs", sends: nil),
        .init("5.2: an attribute after an unknown one counts", "a=1; b=2; =; Path=/docs", sends: nil),
        .init(
            "5.2: an equals sign in an attribute is part of its value", "a=1; Path=/b=c", sends: "a=1",
            to: "https://a.example/b=c"),
        .init(
            "5.2.3: the last Domain counts", "a=1; Domain=other.com; Domain=b.com", from: "https://a.b.com/",
            sends: "a=1", to: "https://b.com/"),
        .init(
            "5.2.3: a last Domain of another site refuses the cookie", "a=1; Domain=b.com; Domain=other.com",
            from: "https://a.b.com/", sends: nil),
        .init(
            "bis 5.7: a last Domain that is empty leaves the host only", "a=1; Domain=b.com; Domain=",
            from: "https://a.b.com/", sends: nil, to: "https://b.com/"),
        .init("5.2.4: the last Path counts", "a=1; Path=/; Path=/docs", sends: nil),
        .init("5.2.4: a last Path that is empty is the default path", "a=1; Path=/docs; Path=", sends: "a=1"),
        .init("5.2.4: a last Path without a slash is the default path", "a=1; Path=/docs; Path=x", sends: "a=1"),
        .init(
            "5.2.5: Secure counts before and after others", "a=1; Secure; Path=/", sends: nil, to: "http://a.example/"),
        .init("bis 5.6: SameSite=None has no effect with Secure", "a=1; SameSite=None; Secure", sends: "a=1"),
    ]
}
