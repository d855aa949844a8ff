import Foundation
import Moya

extension HostileFamily {
    static let interim = HostileFamily("interim") { family in
        let okResponse = String.ok + .hello
        for status in ["100 Continue", "102 Processing", "103 Early Hints", "199 x", "100"] {
            family.add(status, "HTTP/1.1 \(status)\r\n\r\n\(okResponse)", then: .stay, .response(200, "hello"))
            family.add("\(status), closed", "HTTP/1.1 \(status)\r\n\r\n", .broken)
            family.add("\(status), open", "HTTP/1.1 \(status)\r\n\r\n", then: .stay, .nothing)
        }
        family.add(
            "fields", "HTTP/1.1 103 x\r\nLink: a\r\nSet-Cookie: a=b\r\n\r\n\(okResponse)", then: .stay,
            .response(200, "hello"))
        family.add(
            "all sorts", (100...199).filter { $0 != 101 }.map { "HTTP/1.1 \($0) x\r\n\r\n" }.joined() + okResponse,
            .response(200, "hello"))
        family.add("length", "HTTP/1.1 100 x\r\nContent-Length: 5\r\n\r\n\(okResponse)", .response(200, "hello"))
        family.add("content", "HTTP/1.1 100 x\r\nContent-Length: 5\r\n\r\nhello\(okResponse)", .broken)
        family.add("chunks", "HTTP/1.1 100 x\r\nTransfer-Encoding: chunked\r\n\r\n\(okResponse)", .either(200, "hello"))
        family.add("12,000", "HTTP/1.1 100 Continue\r\n\r\n".times(12_000) + okResponse, .either(200, "hello"))
        family.add("endless", "HTTP/1.1 102 x\r\n\r\n".times(30_000), then: .stay, .either())
        family.add(
            "101 unasked", "HTTP/1.1 101 x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n\(okResponse)", .either(101))
        family.add("101 and 200", "HTTP/1.1 101 x\r\nContent-Length: 0\r\n\r\n\(okResponse)", .either(101))
    }

    static let contentless = HostileFamily("without content") { family in
        for code in [204, 304] {
            for rest in [
                "Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "\r\n",
                "\r\nhello",
            ] {
                family.add("\(code) \(rest.count)", "HTTP/1.1 \(code) x\r\n\(rest)", then: .stay, .response(code, ""))
            }
        }
        family.add("205", "HTTP/1.1 205 x\r\nContent-Length: 0\r\n\r\n", then: .stay, .response(205, ""))
        family.add("205 with content", "HTTP/1.1 205 x\r\n\(String.hello)", then: .stay, .either(205))
        for rest in [
            "Content-Length: 5\r\n\r\nhello", "Content-Length: 5\r\n\r\n",
            "Content-Length: 9223372036854775807\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n", "\r\nhello",
        ] {
            family.add("HEAD \(rest.count)", method: .head, "\(String.ok)\(rest)", then: .stay, .response(200, ""))
        }
        family.add("HEAD, 404", method: .head, "HTTP/1.1 404 x\r\n\(String.hello)", then: .stay, .response(404, ""))
        family.add(
            "HEAD, 100", method: .head, "HTTP/1.1 100 x\r\n\r\n\(String.ok)\(String.hello)", then: .stay,
            .response(200, ""))
        family.add(
            "HEAD, compressed", method: .head, "\(String.ok)Content-Encoding: gzip\r\nContent-Length: 70\r\n\r\n",
            then: .stay, .response(200, ""))
    }

    static let redirects = HostileFamily("redirect") { family in
        func add(_ code: Int, _ variant: String, _ location: String?, _ followed: HostileResponse.Outcome) {
            let field = location.map { "Location: \($0)\r\n" } ?? ""
            family.add(
                "\(code) \(variant)", "HTTP/1.1 \(code) x\r\n\(field)\(String.hello)", then: .stay,
                .response(code, "hello"), followed: followed)
        }
        for code in [301, 302, 303, 307, 308] {
            add(code, "to nowhere", nil, .response(code, "hello"))
            add(code, "to itself", "?", .badResponse)
            add(code, "to the file system", "file:///etc/passwd", .badResponse)
        }
        for code in [300, 305, 306, 399] { add(code, "that is none", "/fine", .response(code, "hello")) }
        for location in [
            "/fine", "/./x/../fine", "/fine#part", "/fine?\("x".times(50_000))", "/fine?\u{1f600}",
        ] {
            add(302, location.prefix(20).debugDescription, location, .response(200, "fine"))
        }
        for location in [
            "", " ", "javascript:alert(1)", "data:text/plain,x", "ftp://127.0.0.1/", "mailto:a@b", "http:", "http://",
            "http:///fine", "//", "://",
            "http://[", "http://[::1", "http://127.0.0.1:99999/", "http://127.0.0.1:-1/", "http://127.0.0.1:x/",
            "http://%/", "http://%00/",
            "http://a b/", "gopher://127.0.0.1/", "\u{1}\u{7f}", "unix:///run/x",
        ] { add(302, location.debugDescription, location, .failure([.badResponse, .unreachable])) }
        add(302, "to a closed port", "http://127.0.0.1:1/", .failure([.unreachable]))
        family.add(
            "302 with two places", "HTTP/1.1 302 x\r\nLocation: /fine\r\nLocation: /fine\r\n\(String.hello)",
            .response(302, "hello"), followed: .either())
        family.add(
            "302, cut", "HTTP/1.1 302 x\r\nLocation: /fine\r\nContent-Length: 9\r\n\r\nhello", .connectionLost,
            followed: .either())
        family.add(
            "302, endless content", "HTTP/1.1 302 x\r\nLocation: /fine\r\n\r\n\("x".times(1_000_000))", then: .stay,
            .nothing, followed: .response(200, "fine"))
    }

    static let challenges = HostileFamily("challenge") { family in
        for (variant, value) in [
            "empty": "", "Basic": "Basic", "Basic with realm": "Basic realm=\"a\"", "no scheme": "=,=,=",
            "commas": ",,,,", "quote": "\"",
            "open quote": "Basic realm=\"a", "escape at the end": "Digest nonce=\"\\",
            "Digest without nonce": "Digest realm=\"a\"",
            "Digest": "Digest realm=\"a\", nonce=\"b\", qop=\"auth\"",
            "stale for ever": "Digest nonce=\"b\", stale=true",
            "unknown algorithm": "Digest nonce=\"b\", algorithm=ROT13",
            "unknown quality": "Digest nonce=\"b\", qop=\"auth-all\"",
            "50 KB": "Digest nonce=\"\("b".times(50_000))\"",
            "5,000 parameters": "Digest \("a=b,".times(5000))nonce=\"c\"",
            "5,000 schemes": "Basic,".times(5000) + "Basic",
            "quotes in the nonce": "Digest nonce=\"a\\\"b\\\\c\", realm=\"\\\"\"",
            "no UTF-8": "Digest nonce=\"\u{e9}\u{301}\", opaque=\"\u{1}\"", "Negotiate": "Negotiate TlRMTVNTUAAC",
            "tab": "Digest\tnonce=a",
            "NUL": "Digest nonce=\"a\0b\"", "CR": "Digest nonce=\"a\rb\"",
        ] as KeyValuePairs {
            let isNoField = value.contains { $0 == "\0" || $0 == "\r" }
            family.add(
                variant, "HTTP/1.1 401 x\r\nWWW-Authenticate: \(value)\r\n\(String.hello)",
                then: isNoField ? .close : .stay, isNoField ? .either(401, "hello") : .response(401, "hello"))
        }
        family.add(
            "unsupported quality",
            "HTTP/1.1 401 x\r\nWWW-Authenticate: Digest nonce=\"b\", qop=\"auth-int\"\r\n\(String.hello)", then: .stay,
            .response(401, "hello"), followed: .failure([.request]))
        family.add("none", "HTTP/1.1 401 x\r\n\(String.hello)", then: .stay, .response(401, "hello"))
        family.add(
            "of a proxy", "HTTP/1.1 407 x\r\nProxy-Authenticate: Basic\r\n\(String.hello)", then: .stay,
            .response(407, "hello"))
        family.add(
            "endless content", "HTTP/1.1 401 x\r\nWWW-Authenticate: Basic\r\n\r\n\("x".times(1_000_000))", then: .stay,
            .nothing)
    }

    /// Valid responses.
    static let sound: [(name: String, bytes: Data, outcome: HostileResponse.Outcome)] = [
        ("length", Data((String.ok + .hello).utf8), .response(200, "hello")),
        (
            "chunks",
            Data("\(String.ok)Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;a=b\r\nlo\r\n0\r\nX-Sum: 1\r\n\r\n".utf8),
            .response(200, "hello")
        ),
        ("gzip", encoded("gzip", gzip), .response(200, text)),
        (
            "interim", Data("HTTP/1.1 103 Hints\r\nLink: a\r\n\r\n\(String.ok)\(String.hello)".utf8),
            .response(200, "hello")
        ),
        (
            "challenge",
            Data("HTTP/1.1 401 x\r\nWWW-Authenticate: Digest realm=\"a\", nonce=\"b\"\r\n\(String.hello)".utf8),
            .response(401, "hello")
        ),
        ("no content", Data("HTTP/1.1 204 x\r\nServer: x\r\n\r\n".utf8), .response(204, "")),
    ]

    static let splits = HostileFamily("split") { family in
        var generator = SeededGenerator(seed: 9)
        for (name, bytes, outcome) in sound {
            family.add("\(name), byte by byte", pieces: bytes.map { Data([$0]) }, then: .stay, outcome)
            for _ in 0..<8 {
                let place = Int.random(in: 1..<bytes.count, using: &generator)
                family.add(
                    "\(name), before \(place)", pieces: [bytes.prefix(place), bytes.dropFirst(place)], then: .stay,
                    outcome)
            }
        }
    }

    static let mutations = HostileFamily("mutation") { family in
        for seed in 1...200 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            guard let (name, bytes, _) = sound.randomElement(using: &generator),
                let other = sound.randomElement(using: &generator)?.bytes
            else { continue }
            var mutated = Array(bytes)
            for _ in 0..<Int.random(in: 1...3, using: &generator) { mutated.mutate(with: Array(other), &generator) }
            family.add("seed \(seed), of \(name)", Data(mutated), .either())
        }
    }
}

extension [UInt8] {
    /// Flips a bit, deletes or repeats a part, or inserts a part of another response.
    fileprivate mutating func mutate(with other: [UInt8], _ generator: inout SeededGenerator) {
        guard !isEmpty else { return }
        let start = Int.random(in: 0..<count, using: &generator)
        let end = Swift.min(start + Int.random(in: 1...20, using: &generator), count)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0, 1: self[start] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2: removeSubrange(start..<end)
        case 3: insert(contentsOf: self[start..<end], at: start)
        default:
            let from = Int.random(in: 0..<other.count, using: &generator)
            insert(contentsOf: other[from...].prefix(end - start), at: start)
        }
    }
}
