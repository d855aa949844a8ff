import Foundation
import Moya

extension HostileFamily {
    static let statusLines = HostileFamily("status line") { family in
        for line in [
            "HTTP/1.1 200 OK", "HTTP/1.1 200", "HTTP/1.1 200 ", "HTTP/1.0 200 OK", "HTTP/1.1 200 \u{e9} \u{1}",
        ] {
            family.add(line, "\(line)\r\n\(String.hello)", .response(200, "hello"))
            family.add("\(line), LF", "\(line)\nContent-Length: 5\n\nhello", .response(200, "hello"))
        }
        family.add("long reason", "HTTP/1.1 200 \("x".times(60_000))\r\n\(String.hello)", .response(200, "hello"))
        family.add("too long", "HTTP/1.1 200 \("x".times(400_000))\r\n\(String.hello)", .badResponse)
        for line in [
            "HTTP/1.1  200 OK", "HTTP/1.1 200 O\0K", "HTTP/2 200 OK", "HTTP/2 200", "HTTP/2.0 200 OK", "HTTP/3 200 OK",
            "HTTP/1.2 200 OK", "HTTP/1 200 OK", "HTTP/0.9 200 OK", "HTTP 200 OK", "http/1.1 200 OK", "HTTP/1.1 200\rOK",
            "\r\nHTTP/1.1 200 OK", " HTTP/1.1 200 OK",
        ] {
            family.add(line.debugDescription, "\(line)\r\n\(String.hello)", .either(200, "hello"))
        }
        for line in [
            "HTTP/1.9 200 OK", "HTTP/9.9 200 OK", "HTTP/11.1 200 OK", "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 OK", "HTTP/",
            "HTTP/x.y", "HTTP/1.1\t200 OK", "HTTP/1.1/200 OK", "ICY 200 OK", "HTP/1.1 200 OK",
            "200 OK", "SSH-2.0-OpenSSH_9.2", "220 smtp.example ESMTP", "<html>hello</html>", "{}", "\0",
        ] {
            family.add(line.debugDescription, "\(line)\r\n\(String.hello)", .badResponse)
        }
        for code in [
            "0", "00", "000", "1", "20", "99", "099", "1000", "2000", "20000", "99999999999", "-20", "-200", "+20",
            "+200",
            "2OO", "20O", "abc", "0x200", "2e2", "200OK", "200.5", "200,201", "٢٠٠", "２００", "2 00", "NaN", "%32%30%30",
        ] {
            family.add("code \(code)", "HTTP/1.1 \(code) OK\r\n\(String.hello)", .badResponse)
        }
        for code in [201, 299, 418, 499, 500, 599, 600, 700, 999] {
            family.add("code \(code)", "HTTP/1.1 \(code) x\r\n\(String.hello)", .response(code, "hello"))
        }
        for bytes in ["", "\n", "\r\n", "\r\n\r\n", "hello", "\u{15}\u{3}\u{1}\0\u{2}\u{2}\u{16}"] {
            family.add("only \(bytes.debugDescription)", bytes, .broken)
            family.add("only \(bytes.debugDescription), reset", bytes, then: .reset, .broken)
        }
        for seed in 1...12 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let bytes = Data((0..<200).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
            family.add("noise of seed \(seed)", bytes, .broken)
        }
    }

    static let heads = HostileFamily("head") { family in
        let hello = String.hello
        for (variant, field) in [
            "empty value": "A:", "many blanks": "A: \t \t b \t ", "folded": "A: b\r\n c", "UTF-8": "A: \u{1f600}",
            "60 KB": "A: \("b".times(60_000))",
            "2,000 fields": (1...2000).map { "A\($0): b" }.joined(separator: "\r\n"),
            "of one name": Array(repeating: "A: b", count: 2000).joined(separator: "\r\n"),
            "length twice": "Content-Length: 5", "lower case": "content-length: 5",
            "cookies":
                "Set-Cookie: a=b; Domain=.com\r\nSet-Cookie: =\r\nSet-Cookie: ;;;\r\nSet-Cookie: \u{1}=\u{7f}; Max-Age=1e9",
        ] as KeyValuePairs { family.add(variant, "\(String.ok)\(field)\r\n\(hello)", .response(200, "hello")) }
        for (variant, field) in [
            "no colon": "nonsense", "no name": ": b", "blanks before the first": " A: b",
            "tab before the first": "\tA: b",
            "blank before the colon": "A : b", "NUL in a value": "A: b\0c", "NUL in a name": "A\0: b",
            "CR in a value": "A: b\rc",
            "CR in front": "\rA: b", "CR and an end": "\r\r", "only blanks": "  ", "name of no token": "A(B)@: c",
            "status line": "HTTP/1.1 500 no", "status line with a colon": "HTTP/1.1 500: no",
            "interim with a colon": "HTTP/1.1 100: no", "name of combining marks": "\u{301}:\u{301}b",
            "120 KB": "A: \("b".times(120_000))", "12,000 fields": "A: b\r\n".times(12_000) + "A: b",
            "90,000 folds": "A: b" + "\r\n ".times(90_000) + "c",
        ] as KeyValuePairs { family.add(variant, "\(String.ok)\(field)\r\n\(hello)", .either()) }
        family.add(
            "Latin-1", Data("\(String.ok)A: caf".utf8) + [0xe9] + Data("\r\n\(hello)".utf8), .response(200, "hello"))
        family.add("1 MB", "\(String.ok)\("A: \("b".times(1000))\r\n".times(1000))\(hello)", .badResponse)
        family.add(
            "1 MB of folds", "\(String.ok)A: b\r\n\(" \("b".times(1000))\r\n".times(1000))\(hello)", .badResponse)
        family.add("endless fields", "\(String.ok)\("A: b\r\n".times(500_000))", then: .stay, .badResponse)
        family.add("endless line", "\(String.ok)A: \("b".times(3_000_000))", then: .stay, .badResponse)
        family.add("no end", "\(String.ok)Content-Length: 5\r\n", then: .stay, .nothing)
        family.add("no end of the line", "HTTP/1.1 200 O", then: .stay, .nothing)
        family.add("no end, reset", "\(String.ok)Content-Length: 5\r\n", then: .reset, .broken)
        family.add("nothing at all", "", then: .stay, .nothing)
    }

    static let cutHeads = HostileFamily("cut head") { family in
        let head = "\(String.ok)Content-Type: text/plain\r\nContent-Length: 5\r\n\r\n"
        for count in 0..<head.utf8.count { family.add("after \(count)", Data(head.utf8.prefix(count)), .broken) }
    }

    static let lengths = HostileFamily("length") { family in
        for count in 0..<5 {
            let bytes = Data((String.ok + .hello).utf8.dropLast(5 - count))
            family.add("\(count) of 5, closed", bytes, .connectionLost)
            family.add("\(count) of 5, reset", bytes, then: .reset, .connectionLost)
            family.add("\(count) of 5", bytes, then: .stay, .nothing)
        }
        family.add("more than said", "\(String.ok)\(String.hello), world", then: .stay, .response(200, "hello"))
        family.add("nothing said", "\(String.ok)\r\nhello", .response(200, "hello"))
        family.add("nothing said, reset", "\(String.ok)\r\nhello", then: .reset, .connectionLost)
        family.add("nothing said, open", "\(String.ok)\r\nhello", then: .stay, .nothing)
        family.add("0, and content", "\(String.ok)Content-Length: 0\r\n\r\nhello", then: .stay, .response(200, ""))
        family.add("1 MB", "\(String.ok)Content-Length: 1000000\r\n\r\n\("x".times(1_000_000))", .response(200))
        for length in [
            "-1", "-5", "+5", "0x5", "5.0", "5e0", "five", "", "5 5", "5;", "5,3", "5, 3", "5,", "\u{665}", "''",
            "9223372036854775808", "18446744073709551621", "1\("0".times(1000))", "-9223372036854775809",
        ] {
            family.add(
                "of \(length.prefix(30).debugDescription)", "\(String.ok)Content-Length: \(length)\r\n\r\nhello",
                .badResponse)
        }
        family.add("list of equals", "\(String.ok)Content-Length: 5, 5\r\n\r\nhello", .either(200, "hello"))
        family.add("zeros in front", "\(String.ok)Content-Length: 00005\r\n\r\nhello", .response(200, "hello"))
        family.add("the greatest", "\(String.ok)Content-Length: 9223372036854775807\r\n\r\nhello", .connectionLost)
        family.add("5 and 3", "\(String.ok)Content-Length: 5\r\nContent-Length: 3\r\n\r\nhello", .badResponse)
        family.add("3 and 5", "\(String.ok)Content-Length: 3\r\nContent-Length: 5\r\n\r\nhello", .badResponse)
        let chunks = "5\r\nhello\r\n0\r\n\r\n"
        family.add(
            "3, and chunks", "\(String.ok)Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)",
            .response(200, "hello"))
        family.add(
            "chunks, and 3", "\(String.ok)Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n\(chunks)",
            .response(200, "hello"))
        for encoding in ["identity", "gzip", "xchunked", "chunked, chunked", "chunked, identity", "", "\u{b}chunked"] {
            family.add(
                "encoding \(encoding.debugDescription)", "\(String.ok)Transfer-Encoding: \(encoding)\r\n\r\n\(chunks)",
                .either(200))
        }
        family.add("chunks of HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)", .either(200))
    }
}
