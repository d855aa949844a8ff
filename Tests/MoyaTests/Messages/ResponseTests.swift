import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct ResponseTests {
    private func response(_ status: Int = 200, _ text: String = "") -> Response {
        Response(statusCode: status, data: Data(text.utf8))
    }

    @Test func rangesAreFilteredAtTheirBounds() throws {
        #expect(throws: MoyaError.self) { try response(10).filter(statusCodes: 0...9) }
        #expect(throws: MoyaError.self) { try response(-1).filter(statusCodes: 0...9) }
        #expect(throws: MoyaError.self) { try response(10).filter(statusCodes: 0..<10) }
        try expectEqual(response(9).filter(statusCodes: 0...9).statusCode, 9)
        try expectEqual(response(42).filter(statusCode: 42).statusCode, 42)
        #expect(throws: MoyaError.self) { try response(43).filter(statusCode: 42) }
    }

    @Test func successAndRedirect() throws {
        try expectEqual(response(299).filterSuccessfulStatusCodes().statusCode, 299)
        #expect(throws: MoyaError.self) { try response(304).filterSuccessfulStatusCodes() }
        try expectEqual(response(304).filterSuccessfulStatusAndRedirectCodes().statusCode, 304)
        let error = #expect(throws: MoyaError.self) { try response(404, "no").filterSuccessfulStatusAndRedirectCodes() }
        expectEqual(error?.kind, .http)
        expectEqual(error?.response?.data, Data("no".utf8))
    }

    @Test func mappingErrorsNameTheirCase() throws {
        guard
            case .jsonMapping(let json) = #expect(
                throws: MoyaError.self, performing: { try response(200, "{").mapJSON() })
        else { Issue.record("expected jsonMapping"); return }
        expectEqual(json.data, Data("{".utf8))
        let latin = Response(statusCode: 200, data: Data([0xe9]))
        guard case .stringMapping = #expect(throws: MoyaError.self, performing: { try latin.mapString() })
        else { Issue.record("expected stringMapping"); return }
        guard
            case .objectMapping(let inner, _) = #expect(
                throws: MoyaError.self,
                performing: {
                    try response(200, #"{"id": "x"}"#).map([String: Int].self)
                })
        else { Issue.record("expected objectMapping"); return }
        #expect(inner is DecodingError)
    }

    @Test func emptyContentIsNullWhenAllowed() throws {
        try expectEqual(response().mapJSON(failsOnEmptyData: false), .null)
        #expect(throws: MoyaError.self) { try response().mapJSON() }
    }

    @Test("responses are equal if status code, header fields, content and file are")
    func equality() {
        expectEqual(response(200, "a"), response(200, "a"))
        #expect(response(200, "a") != response(201, "a"))
        #expect(response(200, "a") != response(200, "b"))
        func with(_ headers: HTTPHeaders, _ file: String? = nil) -> Response {
            Response(statusCode: 200, data: Data(), headers: headers, fileURL: file.map { URL(filePath: $0) })
        }
        expectEqual(with(["ETag": "1"]), with(["etag": "1"]))
        #expect(with(["ETag": "1"]) != with(["ETag": "2"]))
        expectEqual(with([:], "/a"), with([:], "/a"))
        #expect(with([:], "/a") != with([:], "/b"))
    }

    @Test("the URLs of responses are not compared")
    func equalityOfOtherURLs() throws {
        let responses = try ["http://a.example/", "http://b.example/"].map { text in
            let url = try #require(URL(string: text))
            let head = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["ETag": "1"])
            return Response(statusCode: 200, data: Data(), request: URLRequest(url: url), response: head)
        }
        expectEqual(responses[0], responses[1])
    }

    @Test func theDescriptionHidesTheContent() {
        expectEqual("\(response(200, "secret"))", "Status Code: 200, Data Length: 6")
    }

    @Test(
        "RFC 9110, 8.3.2: text is decoded with the charset of the content type",
        arguments: [
            ("text/plain", [0xc3, 0xa9], "é"), ("text/plain; charset=UTF-8", [0xc3, 0xa9], "é"),
            ("text/plain; charset=iso-8859-1", [0xe9], "é"), ("text/html;a=b; Charset = \"windows-1252\"", [0x80], "€"),
            ("text/plain; charset=utf-16be", [0x00, 0xe9], "é"), ("text/plain; charset=shift_jis", [0x83, 0x65], "テ"),
            ("text/plain; charset=klingon", [0x61], nil), ("text/plain", [0xff], nil),
            ("text/plain; charset", [0x61], "a"),
        ] as [(String, [UInt8], String?)])
    func textEncodings(_ type: String, _ bytes: [UInt8], _ expected: String?) {
        let response = Response(statusCode: 200, data: Data(bytes), headers: ["Content-Type": type])
        expectEqual(try? response.mapString(), expected)
    }
}
