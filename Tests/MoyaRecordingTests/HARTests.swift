import Foundation
import Moya
import TestSupport
import Testing

@testable import MoyaRecording

/// The numbers are those of the design's edge cases.
@Suite(.queued, .timeLimit(.minutes(10))) struct HARTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000.123)

    private static func entry(_ url: String = "https://a.example/b", content: Data? = nil) throws -> HAR.Entry {
        let request = HAR.Request(
            method: .post, url: try #require(URL(string: url)), headers: ["Content-Type": "x/y"],
            content: content.map { HAR.Content($0, mimeType: "x/y") })
        return HAR.Entry(
            start: start, request: request,
            response: HAR.Response(statusCode: 200, headers: ["A": "1"], content: HAR.Content(content ?? Data())))
    }

    /// A file with one entry.
    private static func file(
        version: String = "1.2", creator: String = "WebInspector", request: String = "", response: String = "",
        entry: String = ""
    ) -> Data {
        Data(
            """
            {"log":{"version":"\(version)","creator":{"name":"\(creator)","version":"537.36"},"pages":[],"entries":[
            {"startedDateTime":"2026-01-31T12:00:00.5+01:00","time":42,"cache":{},
            "request":{"method":"GET","url":"https://a.example/b#c","httpVersion":"h2"\(request)},
            "response":{"status":200,"httpVersion":"http/2.0"\(response)},
            "timings":{"blocked":2,"dns":-1,"ssl":-1,"connect":-1,"send":0.5,"wait":30,"receive":9.5}\(entry)}]}}
            """.utf8)
    }

    @Test(
        "5, 6: content is equal byte for byte after writing and reading",
        arguments: [
            Data("plain \"text\"\r\n\u{1}äö\u{2028}".utf8), Data([0xff, 0xfe, 0, 0x80]),
            Data("latin-1: \u{e4}".unicodeScalars.map { UInt8($0.value) }),
            Data([0xEF, 0xBB, 0xBF]) + Data("mark".utf8), Data(),
        ])
    func keepsContent(_ content: Data) throws {
        let archive = HAR(entries: [try Self.entry(content: content)])
        try expectEqual(HAR(data: archive.data()), archive)
    }

    @Test("5: no content and unrecorded content stay what they are")
    func keepsMissingContent() throws {
        var entry = try Self.entry()
        #expect(try HAR(data: HAR(entries: [entry]).data()).entries[0].request.content == nil)
        entry.request.content = HAR.Content(unrecorded: 7, mimeType: "a/b")
        entry.response?.content = HAR.Content(unrecorded: 9)
        try expectEqual(HAR(data: HAR(entries: [entry]).data()).entries, [entry])
    }

    @Test("6: the encoding of request content is read only in files of this package, or of version 1.3")
    func readsOwnEncodingOnly() throws {
        let post = #","postData":{"mimeType":"x/y","text":"AAE=","encoding":"base64"}"#
        let own = #","_moya":{"requestEncoding":"base64"}"#
        func content(_ version: String, _ creator: String) throws -> Data? {
            try HAR(data: Self.file(version: version, creator: creator, request: post, entry: own)).entries[0].request
                .content?.data
        }
        try expectEqual(content("1.2", "WebInspector"), Data("AAE=".utf8))
        try expectEqual(content("1.2", "Moya"), Data([0, 1]))
        try expectEqual(content("1.3", "WebInspector"), Data([0, 1]))
    }

    @Test("7: a browser's export: pseudo-headers, joined cookies, decoded text, additional fields")
    func readsBrowserExport() throws {
        let data = Self.file(
            request:
                #","headers":[{"name":":authority","value":"a.example"},{"name":"accept","value":"*/*"}],"cookies":[]"#,
            response: #"""
                ,"headers":[{"name":"content-encoding","value":"br"},{"name":"set-cookie","value":"a=1\nb=2"}],
                "content":{"size":5,"mimeType":"text/plain","text":"größe","compression":-3},"_error":null,"_transferSize":9
                """#,
            entry: #","_webSocketMessages":[],"_resourceType":"fetch","pageref":"page_1","_moya":{"attempt":7}"#)
        let archive = try HAR(data: Data([0xEF, 0xBB, 0xBF]) + data)
        let entry = try #require(archive.entries.first)
        expectEqual(archive.creator, HAR.Creator(name: "WebInspector", version: "537.36"))
        #expect(entry.request.url.absoluteString == "https://a.example/b" && entry.request.version == "HTTP/2")
        #expect(entry.request.headers == ["accept": "*/*"] && entry.request.content == nil)
        #expect(entry.response?.version == "HTTP/2" && entry.response?.content.data == Data("größe".utf8))
        expectEqual(entry.response?.headers.values(for: "Set-Cookie"), ["a=1", "b=2"])
        #expect(entry.start == Date(timeIntervalSince1970: 1_769_857_200.5) && entry.attempt == 1)
        #expect(entry.timings.firstByte == .microseconds(32_500) && entry.timings.total == .milliseconds(42))
        #expect(entry.timings.dns == nil)
    }

    @Test("7: a browser's text is converted to the charset that the response declares")
    func restoresCharset() throws {
        let data = Self.file(
            response: #"""
                ,"headers":[{"name":"Content-Type","value":"text/plain; charset=iso-8859-1"}],
                "content":{"size":1,"mimeType":"text/plain","text":"ä"}
                """#)
        try expectEqual(HAR(data: data).entries[0].response?.content.data, Data([0xe4]))
        let own = data.replacing("WebInspector", with: "Moya")
        try expectEqual(HAR(data: own).entries[0].response?.content.data, Data("ä".utf8))
    }

    @Test("7: missing parts: content without text, status 0, no response, form fields without text")
    func readsMissingParts() throws {
        let missing = try HAR(data: Self.file(response: #","content":{"size":5,"mimeType":"a/b"}"#)).entries[0]
        expectEqual(missing.response?.content, HAR.Content(unrecorded: 5, mimeType: "a/b"))
        let empty = try HAR(data: Self.file()).entries[0]
        expectEqual(empty.response?.content.data, Data())
        let failed = try HAR(data: Self.file(response: #","status":0"#).replacing(#""status":200,"#, with: "")).entries[
            0]
        #expect(failed.response == nil && failed.failure?.code == URLError.Code.unknown.rawValue)
        let form = try HAR(
            data: Self.file(request: #","postData":{"params":[{"name":"a b","value":"c&d"},{"name":"e"}]}"#)
        ).entries[0]
        expectEqual(form.request.content?.data, Data("a%20b=c%26d&e".utf8))
    }

    @Test(
        "7: entries of other schemes are left out", arguments: ["wss://a.example/", "data:text/plain,a", "about:blank"])
    func leavesOtherSchemesOut(_ url: String) throws {
        #expect(try HAR(data: Self.file().replacing("https://a.example/b#c", with: url)).entries.isEmpty)
    }

    @Test("7: versions 1.x are accepted, others refused", arguments: ["", "1.1", "1.2", "1.3", "2.0"])
    func checksVersion(_ version: String) throws {
        let data = Self.file(version: version)
        guard version == "2.0" else {
            try expectEqual(HAR(data: data).entries.count, 1)
            return
        }
        let error = #expect(throws: HARError.self) { try HAR(data: data) }
        #expect(error?.description.contains("\"2.0\"") == true)
    }

    @Test(
        "7: malformed files are errors that name the entry",
        arguments: [
            ("", "{", "not a HAR file"), ("", "[]", "not a HAR file"),
            ("", #"{"log":{"entries":5}}"#, "not a HAR file"),
            ("\"method\":\"GET\",", "", "entry 1"), ("2026-01-31T12:00:00.5+01:00", "yesterday", "startedDateTime"),
            (#""status":200"#, #""status":200,"content":{"text":"a","encoding":"rot13"}"#, "rot13"),
            (#""status":200"#, #""status":200,"content":{"text":"%","encoding":"base64"}"#, "base64"),
        ])
    func refusesMalformedFiles(_ part: String, _ replacement: String, _ reason: String) {
        let data = part.isEmpty ? Data(replacement.utf8) : Self.file().replacing(part, with: replacement)
        let error = #expect(throws: HARError.self) { try HAR(data: data) }
        #expect(error?.description.contains(reason) == true)
    }

    @Test(
        "7: an entry that cannot be read is left out, and its error says why",
        arguments: [
            (#""method":"GET","#, "", "no method"), (#""status":200"#, #""status":200,"headers":5"#, "cannot be read"),
            ("2026-01-31T12:00:00.5+01:00", "yesterday", "startedDateTime"),
            (#""status":200"#, #""status":200,"content":{"text":"a","encoding":"rot13"}"#, "rot13"),
            (#""status":200"#, #""status":200,"content":{"text":"a\ud83d"}"#, "malformed JSON"),
        ])
    func skipsBadEntries(_ part: String, _ replacement: String, _ reason: String) throws {
        let good = try #require(String(data: Self.file(), encoding: .utf8))
        let bad = good.replacing(part, with: replacement)
        let start = try #require(bad.range(of: #"{"startedDateTime""#)?.lowerBound)
        let end = try #require(bad.range(of: "]}}")?.lowerBound)
        let file = good.replacing(#""entries":["#, with: #""entries":[7,\#(bad[start..<end]),"#)
        let archive = try HAR(data: Data(file.utf8))
        expectEqual(archive.entries.map(\.request.url.path), ["/b"])
        #expect(archive.unreadable.count == 2 && archive.unreadable[0].description.hasPrefix("entry 1 of"))
        #expect(archive.unreadable[1].description.contains(reason))
    }

    @Test("7: exports of Internet Explorer: numbers as strings, dates with marks and seven digits, UTF-16")
    func readsInternetExplorer() throws {
        let text = """
            {"log":{"version":"1.2","creator":{"name":"Internet Explorer Network Inspector","version":"11.0.9600"},
            "pages":[{"id":"0","startedDateTime":"","title":"","pageTimings":{"onLoad":"-1"}}],"entries":[{"pageref":"0",
            "startedDateTime":"\u{200E}2026\u{200E}-01-31T12:00:00.5000000+01:00","time":"42",
            "request":{"method":"GET","url":"https://a.example/b","httpVersion":"HTTP/1.1","headers":[
            {"name":"Accept","value":null}],"queryString":[],"headersSize":"120","bodySize":"0"},
            "response":{"status":"200","statusText":"OK","httpVersion":"HTTP/1.1","cookies":[],"headers":[],
            "content":{"size":"2","mimeType":"text/plain","text":"ok"},"redirectURL":null,"headersSize":"9","bodySize":""},
            "cache":{},"timings":{"send":"0","wait":"30","receive":"12","blocked":"-1"}}]}}
            """
        for encoding in [String.Encoding.utf8, .utf16, .utf16LittleEndian] {
            let archive = try HAR(data: try #require(text.data(using: encoding)))
            let entry = try #require(archive.entries.first)
            #expect(entry.response?.statusCode == 200 && entry.response?.content.data == Data("ok".utf8))
            expectEqual(entry.start, Date(timeIntervalSince1970: 1_769_857_200.5))
            #expect(entry.timings.total == .milliseconds(42) && archive.unreadable.isEmpty)
        }
    }

    @Test("7: members that are not used may be malformed, and byte order marks are content")
    func ignoresUnusedMembers() throws {
        let data = Self.file().replacing(#"{"startedDateTime""#, with: #"{"_x":"\ud83d","startedDateTime""#)
        var archive = try HAR(data: data)
        let content = Data("\u{FEFF}a\n\u{FEFF}b".utf8)
        archive.entries[0].response?.content = HAR.Content(content)
        archive = try HAR(data: archive.data())
        expectEqual(archive.entries[0].response?.content.data, content)
    }

    @Test("7: escapes in a URL are kept, also beside characters that must be encoded")
    func keepsEscapes() throws {
        let data = Self.file().replacing("https://a.example/b#c", with: "https://a.example/b?p[a]=a%2Fb")
        try expectEqual(HAR(data: data).entries[0].request.url.query(), "p%5Ba%5D=a%2Fb")
    }

    @Test("7: a number as the value of a query is read")
    func readsNumbersAsValues() throws {
        let data = Self.file(request: #","queryString":[{"name":"page","value":1},{"name":"all","value":null}]"#)
        try expectEqual(HAR(data: data).entries.count, 1)
    }

    @Test("7: values out of range are no crash")
    func clampsValues() throws {
        let data = Self.file(
            creator: "Moya", response: #","content":{"size":1e300,"text":"abc"}"#,
            entry: #","_moya":{"attempt":-3,"chunks":[{"offset":0,"time":1e300},{"offset":9,"time":-1}]}"#
        ).replacing("\"wait\":30", with: "\"wait\":1e308").replacing("\"status\":200", with: "\"status\":1e30")
        let entry = try #require(try HAR(data: data).entries.first)
        #expect(entry.attempt == 1 && entry.response?.chunks == [] && entry.response?.statusCode == 0)
        expectEqual(entry.timings.wait, .longest)
    }

    @Test("8: the highest number of an attempt is no crash, and ends the archive of last attempts")
    func highestAttempt() throws {
        let own = #","_moya":{"attempt":\#(Int.max)}"#
        let archive = try HAR(data: Self.file(creator: "Moya", entry: own))
        expectEqual(archive.lastAttempts().entries.map(\.attempt), [.max])
    }

    @Test("9, 11, 19, 20: failures, chunks, HTTP/2, trailers, attempts and redirects are written and read")
    func keepsExtensions() throws {
        var entry = try Self.entry(content: Data("abcdef".utf8))
        entry.response?.chunks = [.init(offset: 0, time: .microseconds(1500)), .init(offset: 4, time: .seconds(2))]
        entry.response?.trailers = ["X-Sum": "42"]
        entry.response?.version = "HTTP/2"
        entry.response?.statusCode = 302
        entry.response?.headers = ["Location": "/next", "Set-Cookie": "a=1", "set-cookie": "b=2"]
        entry.failure = HAR.Failure(code: URLError.Code.networkConnectionLost.rawValue, description: "lost")
        entry.attempt = 2
        entry.timings.dns = .microseconds(12_345)
        entry.timings.wait = .milliseconds(3)
        let archive = HAR(entries: [entry])
        let data = try archive.data()
        try expectEqual(HAR(data: data), archive)
        let json = try JSONValue(data: data)["log"]?["entries"]?[0]
        #expect(json?["response"]?["redirectURL"] == "/next" && json?["response"]?["statusText"] == "")
        #expect(json?["startedDateTime"] == "2027-01-15T08:00:00.123Z" && json?["timings"]?["ssl"]?.double == -1)
        expectEqual(json?["time"]?.double, 15.345)
    }

    @Test("13: longer content is in a file next to the archive, which is removed when it is not used any more")
    func attachesContent() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("deep/a.har")
        let archive = HAR(entries: [try Self.entry(content: Data(repeating: 7, count: 2000)), try Self.entry()])
        try archive.write(to: file, attachingAbove: 1999)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("deep").path).sorted()
        #expect(names.count == 2 && names[0].hasPrefix("a-") && names[1] == "a.har")
        try expectEqual(HAR(contentsOf: file), archive)
        #expect(throws: HARError.self) { try HAR(data: Data(contentsOf: file)) }
        try FileManager.default.moveItem(at: folder.file("deep/\(names[0])"), to: folder.file("away"))
        let error = #expect(throws: HARError.self) { try HAR(contentsOf: file) }
        #expect(
            error?.description.contains(names[0]) == true && error?.description.contains("entry 1 of a.har") == true)
        try FileManager.default.moveItem(at: folder.file("away"), to: folder.file("deep/\(names[0])"))
        try archive.write(to: file)
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.file("deep").path), ["a.har"])
    }

    @Test(
        "13: an archive of any name finds its content again, and removes it",
        arguments: [".hidden.har", "a\\b.har", ".har", "\(String(repeating: "n", count: 250)).har"])
    func attachesContentOfAnyName(_ name: String) throws {
        let folder = try TemporaryFolder()
        let archive = HAR(entries: [try Self.entry(content: Data(repeating: 7, count: 20))])
        try archive.write(to: folder.file(name), attachingAbove: 10)
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.file("").path).count, 2)
        try expectEqual(HAR(contentsOf: folder.file(name)), archive)
        try archive.write(to: folder.file(name))
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.file("").path), [name])
    }

    @Test("13: only files of content are removed that this archive wrote, whatever the former archive names")
    func keepsForeignFiles() throws {
        let folder = try TemporaryFolder()
        let names = ["a-notes.txt", "b-1.bin", "a-directory.bin", "a-link.bin", "a-1.bin"]
        try FileManager.default.createDirectory(at: folder.file("a-directory.bin"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            at: folder.file("a-link.bin"), withDestinationURL: folder.file("b-1.bin"))
        for name in ["a-notes.txt", "b-1.bin", "a-1.bin"] { try Data([1]).write(to: folder.file(name)) }
        for name in names + ["../\(folder.file("").lastPathComponent)/b-1.bin"] {
            try Self.file(creator: "Moya", entry: #","_moya":{"responseFile":"\#(name)"}"#)
                .write(to: folder.file("a.har"))
            try HAR().write(to: folder.file("a.har"))
        }
        try expectEqual(
            FileManager.default.contentsOfDirectory(atPath: folder.file("").path).sorted(),
            (names.dropLast() + ["a.har"]).sorted())
    }

    @Test(
        "13: a file of content must be in the directory of the archive",
        arguments: ["../a", "/etc/hosts", ".", "", "a/b"])
    func refusesOtherDirectories(_ name: String) throws {
        let folder = try TemporaryFolder()
        let data = Self.file(creator: "Moya", entry: #","_moya":{"responseFile":"\#(name)"}"#)
        try data.write(to: folder.file("a.har"))
        #expect(throws: HARError.self) { try HAR(contentsOf: folder.file("a.har")) }
    }

    @Test("17: a write that fails leaves the former archive as it was, and no other files")
    func isAtomic() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("a.har")
        let former = HAR(entries: [try Self.entry()])
        try former.write(to: file)
        let large = HAR(entries: [try Self.entry(content: Data(repeating: 1, count: 100))])
        try large.write(to: folder.file("b.har"), attachingAbove: 10)
        // A directory stands where the content is to be written.
        let name = "a" + (try #require(folder.names.first { $0.hasPrefix("b-") })).dropFirst()
        try FileManager.default.createDirectory(
            at: folder.file(name).appending(path: "full"), withIntermediateDirectories: true)
        #expect(throws: (any Error).self) { try large.write(to: file, attachingAbove: 10) }
        try expectEqual(HAR(contentsOf: file), former)
        expectEqual(folder.names.filter { $0.hasPrefix("a") }, [name, "a.har"].sorted())
    }

    @Test("17: of concurrent writers, one file wins as a whole")
    func doesNotInterleave() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("a.har")
        let archives = try (0..<8).map { HAR(entries: [try Self.entry("https://a.example/\($0)")]) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for archive in archives { group.addTask { try archive.write(to: file) } }
            try await group.waitForAll()
        }
        #expect(archives.contains(try HAR(contentsOf: file)) && folder.names == ["a.har"])
    }

    @Test("18: the file is stable, and equal for equal exchanges without times")
    func isStable() throws {
        var first = HAR(entries: [try Self.entry(content: Data("a".utf8))])
        try expectEqual(first.data(), first.data())
        let other = first
        first.entries[0].start += 5
        first.entries[0].timings.wait = .seconds(1)
        #expect(try first.data() != other.data())
        try expectEqual(first.withoutTimes().data(), other.withoutTimes().data())
    }
}

extension Data {
    fileprivate func replacing(_ text: String, with other: String) -> Data {
        Data(String(decoding: self, as: UTF8.self).replacing(text, with: other).utf8)
    }
}
