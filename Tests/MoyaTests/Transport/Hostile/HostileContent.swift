import Foundation
import TestSupport

@testable import Moya

#if os(Linux)
    @testable import MoyaCurl
#endif

extension HostileFamily {
    private static let chunked = "\(String.ok)Transfer-Encoding: chunked\r\n\r\n"

    static let cutChunks = HostileFamily("cut chunks") { family in
        let content = "5\r\nhello\r\n3;a=b\r\n, w\r\n0\r\nX-Sum: 1\r\n\r\n"
        for count in 0..<content.utf8.count {
            let bytes = Data(chunked.utf8) + Data(content.utf8.prefix(count))
            // Some versions of libcurl do not require the last LF.
            let isWhole = count == content.utf8.count - 1
            family.add("after \(count)", bytes, isWhole ? .either(200, "hello, w") : .connectionLost)
            if count.isMultiple(of: 5) { family.add("after \(count), reset", bytes, then: .reset, .connectionLost) }
            if count.isMultiple(of: 6) { family.add("after \(count), open", bytes, then: .stay, .nothing) }
        }
    }

    static let chunking = HostileFamily("chunking") { family in
        let end = "\r\n0\r\n\r\n"
        for size in ["5", "05", "5;a=b", "5;a=\"b;c\"", "5;;;", "5;\("a".times(10_000))"] {
            family.add(
                "size \(size.prefix(20))", "\(chunked)\(size)\r\nhello\(end)", then: .stay, .response(200, "hello"))
        }
        for size in [
            "5 ", "5\t", "5 ;a", "5,", "5g", "5 5", "5\u{b}", "\("0".times(15))5", "\("0".times(1000))5",
            "5;\("a".times(400_000))",
            "5;\r", "5\0",
        ] {
            family.add(
                "size \(size.prefix(20).debugDescription)", "\(chunked)\(size)\r\nhello\(end)", .either(200, "hello"))
        }
        for size in [
            "", " ", "g", "-5", "+5", "five", ";", "\r", "\u{665}", "\0", "10000000000000000",
            "FFFFFFFFFFFFFFFFF",
            "-FFFFFFFFFFFFFFFF", "\("F".times(1000))",
        ] { family.add("size \(size.prefix(20).debugDescription)", "\(chunked)\(size)\r\nhello\(end)", .broken) }
        for size in ["FFFFFFFF", "7FFFFFFFFFFFFFFF", "8000000000000000", "FFFFFFFFFFFFFFFF"] {
            family.add("size \(size)", "\(chunked)\(size)\r\nhello\(end)", .broken)
        }
        // Versions of libcurl before 7.88 parse the zero as the last chunk.
        family.add("size 0x5", "\(chunked)0x5\r\nhello\(end)", Libcurl.loaded == .below788 ? .either(200, "") : .broken)
        family.add("size 6", "\(chunked)6\r\nhello\(end)", .either(200))
        family.add("size 4", "\(chunked)4\r\nhello\(end)", .broken)
        family.add("no CRLF behind", "\(chunked)5\r\nhello0\r\n\r\n", .broken)
        family.add("LF only", "\(chunked)5\nhello\n0\n\n", .either(200, "hello"))
        family.add("no last chunk", "\(chunked)5\r\nhello\r\n", .connectionLost)
        family.add("no chunks", "\(chunked)hello", .broken)
        family.add("nothing", chunked, .connectionLost)
        family.add("the last only", "\(chunked)0\r\n\r\n", then: .stay, .response(200, ""))
        family.add("zeros for the last", "\(chunked)5\r\nhello\r\n0000\r\n\r\n", then: .stay, .response(200, "hello"))
        family.add(
            "5,000 of one byte", "\(chunked)\("1\r\nx\r\n".times(5000))0\r\n\r\n", .response(200, "x".times(5000)))
        family.add("endless", "\(chunked)\("1\r\nx\r\n".times(5000))", then: .stay, .nothing)
        for (variant, fields) in [
            "one": "A: b", "two": "A: b\r\nC: d", "of two lines": "A: b\r\n c", "Set-Cookie": "Set-Cookie: a=b; Path=/",
            "length": "Content-Length: 3", "encoding": "Transfer-Encoding: chunked",
        ] as KeyValuePairs {
            family.add(
                "trailer \(variant)", "\(chunked)5\r\nhello\r\n0\r\n\(fields)\r\n\r\n", then: .stay,
                .response(200, "hello"))
        }
        for (variant, fields) in [
            "without colon": "nonsense", "status line": "HTTP/1.1 500 no", "with NUL": "A: \0", "with CR": "A: b\rc",
            "without name": ": b", "2,000": "A: b\r\n".times(1999) + "A: b", "200 KB": "A: \("b".times(200_000))",
            "only blanks": "  ", "LF only": "A: b\n\nC: d", "non-ASCII": "\u{e9}: \u{301}",
        ] as KeyValuePairs {
            family.add("trailer \(variant)", "\(chunked)5\r\nhello\r\n0\r\n\(fields)\r\n\r\n", .either(200, "hello"))
        }
        family.add("trailers without end", "\(chunked)0\r\nA: b\r\n", then: .stay, .nothing)
        family.add("endless trailers", "\(chunked)0\r\n\("A: b\r\n".times(500_000))", then: .stay, .badResponse)
    }

    static let text = "Half measures are as bad as nothing at all."
    static let gzip = fixture("H4sIAAAAAAACA/NIzElTyE1NLC4tSi1WSCxKVUgsVkhKTAFRefklGZl56QqJJQqJOTl6APuYHm4rAAAA")
    private static let zlib = fixture("eNrzSMxJU8hNTSwuLUotVkgsSlVILFZISkwBUXn5JRmZeekKiSUKiTk5egBRCw8b")
    private static let deflate = fixture("80jMSVPITU0sLi1KLVZILEpVSCxWSEpMAVF5+SUZmXnpCoklCok5OXoA")
    private static let emptyGzip = fixture("H4sIAAAAAAACAwMAAAAAAAAAAAA=")
    /// The text `hello`, stored uncompressed in a stream of Brotli.
    private static let brotli = Data([0x0b, 0x02, 0x80]) + Data("hello".utf8) + [0x03]
    private static let zstandard = Data([0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x05, 0x29, 0, 0]) + Data("hello".utf8)
    /// 10 MB of zeros that were compressed twice.
    private static let bomb = fixture(
        "H4sIAAAAAAACA+3YvQnCQACA0UuiECx0BN1DCFbB0sYhbFzBA0tBrMQFUjuDtQOIhRuIG/h3axzvVd8M33hXh6Ssnpei+Ec8fM6vehAAAACAzMX7"
            + "tkozIEy+t3axBAAAAHK3Gg3n6QX03pvHftZ3RwBysy6v3bSJx1P4AWvJRxwWJgAA")

    private static func fixture(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }

    static func encoded(_ encoding: String, _ content: Data) -> Data {
        Data("\(String.ok)Content-Encoding: \(encoding)\r\nContent-Length: \(content.count)\r\n\r\n".utf8) + content
    }

    /// Whether a library decodes zstd; otherwise, the content is delivered like that of any unknown coding.
    private static var decodesZstd: Bool {
        #if os(Linux)
            ContentCoding.supported.contains(.zstd)
        #else
            true
        #endif
    }

    static let encodings = HostileFamily("encoding") { family in
        for (encoding, content) in [
            ("gzip", gzip), ("x-gzip", gzip), ("GZIP", gzip), ("deflate", zlib), ("deflate", deflate),
        ] {
            family.add("\(encoding) of \(content.count)", encoded(encoding, content), then: .stay, .response(200, text))
        }
        family.add("identity", encoded("identity", Data("hello".utf8)), then: .stay, .response(200, "hello"))
        family.add("br", encoded("br", brotli), then: .stay, .either(200, "hello"))
        // Content of an unknown coding is delivered unchanged.
        family.add("zstd", encoded("zstd", zstandard), then: .stay, .either(200, decodesZstd ? "hello" : nil))
        for (name, encoding, content) in [
            ("gzip", "gzip", gzip), ("zlib", "deflate", zlib), ("br", "br", brotli), ("zstd", "zstd", zstandard),
        ] {
            for count in stride(from: 1, to: content.count, by: name == "gzip" ? 4 : 9) {
                // A decoder that has not reached the end of its stream may accept incomplete content.
                family.add("\(name) cut after \(count)", encoded(encoding, Data(content.prefix(count))), .either(200))
            }
            var generator = SeededGenerator(seed: 7)
            for number in 1...10 {
                var flipped = content
                let place = Int.random(in: 0..<content.count, using: &generator)
                flipped[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                family.add("\(name) with bit flip \(number) at \(place)", encoded(encoding, flipped), .either(200))
            }
        }
        for encoding in ["gzip", "deflate", "br", "zstd"] {
            let isUnknown = encoding == "zstd" && !decodesZstd
            family.add(
                "\(encoding), but plain", encoded(encoding, Data(text.utf8)), isUnknown ? .either(200, text) : .broken)
            family.add("\(encoding) of nothing", encoded(encoding, Data()), .either(200, ""))
        }
        family.add("gzip, but zlib", encoded("gzip", zlib), .either(200, text))
        family.add("deflate, but gzip", encoded("deflate", gzip), .broken)
        family.add("gzip of an empty file", encoded("gzip", emptyGzip), .response(200, ""))
        family.add("gzip twice in a row", encoded("gzip", gzip + gzip), .either(200))
        family.add("gzip and noise", encoded("gzip", gzip + Data("noise".utf8)), .either(200, text))
        family.add("unknown", encoded("rot13", Data("uryyb".utf8)), .either(200, "uryyb"))
        family.add("list with a gap", encoded("gzip,,identity", gzip), .either(200))
        family.add(
            "a hundred", encoded(Array(repeating: "gzip", count: 100).joined(separator: ", "), gzip), .either(200))
        family.add("bomb", encoded("gzip, gzip", bomb), .response(200))
        family.add(
            "bomb in two fields",
            Data("\(String.ok)Content-Encoding: gzip\r\n".utf8) + encoded("gzip", bomb).dropFirst(17), .either(200))
    }
}
