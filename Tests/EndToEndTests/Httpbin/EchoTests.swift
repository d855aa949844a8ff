import Foundation
import MoyaStreams
import TestSupport
import Testing

/// A request, as httpbin has received it.
struct Echo: Decodable {
    var method: String?
    var url: String?
    var args: JSONValue?
    var headers: [String: String]?
    var form: JSONValue?
    var json: JSONValue?
    var files: [String: String]?
    var data: String?
}

/// Requests, which a third-party server parses.
@Suite(.enabled(if: address("MOYA_HTTPBIN") != nil), .queued, .timeLimit(.minutes(10)))
struct EchoTests {
    private func echo(_ kind: TransportKind, _ page: Page) async throws -> Echo {
        try await kind.provider("MOYA_HTTPBIN").response(page).filterSuccessfulStatusCodes().map(Echo.self)
    }

    @Test("each method is sent unchanged", arguments: TransportKind.allCases)
    func methods(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTPBIN")
        for method in [HTTPMethod.get, .post, .put, .patch, .delete, .trace] {
            let response = try await provider.response(Page(path: "/anything/\(method)", method: method))
            let echo = try response.map(Echo.self)
            expectEqual(echo.method, method.rawValue)
            #expect(echo.url?.hasSuffix("/anything/\(method)") == true)
        }
        let head = try await provider.response(Page(path: "/anything", method: .head))
        expectEqual(head.statusCode, 200)
        #expect(head.data.isEmpty)
        let options = try await provider.response(Page(path: "/anything", method: .options))
        #expect(options.headers["Allow"]?.contains("PATCH") == true)
        try await expectEqual(provider.response(Page(path: "/get", method: .post)).statusCode, 405)
    }

    @Test("parameters in all scripts are sent in the query or in the form", arguments: TransportKind.allCases)
    func parameters(_ kind: TransportKind) async throws {
        let parameters: [String: any Sendable] = [
            "q": "Grüße & 漢字 + 100 % = 😀", "list": [1, 2], "of": ["a b": "c/d?e#f"], "empty": "",
        ]
        let expected: JSONValue = [
            "q": "Grüße & 漢字 + 100 % = 😀", "list[]": ["1", "2"], "of[a b]": "c/d?e#f", "empty": "",
        ]
        let query = RequestTask.requestParameters(parameters: parameters, encoding: URLEncoding.queryString)
        let asked = try await echo(kind, Page(path: "/anything", task: query))
        expectEqual(asked.args, expected)
        let form = RequestTask.requestParameters(parameters: parameters, encoding: URLEncoding.httpBody)
        let posted = try await echo(kind, Page(path: "/anything", method: .post, task: form))
        expectEqual(posted.form, expected)
        expectEqual(posted.args, [:])
    }

    @Test("header fields are sent unchanged", arguments: TransportKind.allCases)
    func headers(_ kind: TransportKind) async throws {
        let sent = ["X-List": "a, b;c=\"d\"", "X-One": "1", "User-Agent": "moya/1", "Accept-Language": "de, en;q=0.5"]
        let headers = try #require(try await echo(kind, Page(path: "/anything", headers: sent)).headers)
        for (name, value) in sent { expectEqual(headers[name], value) }
    }

    @Test("JSON and bytes are sent unchanged", arguments: TransportKind.allCases)
    func content(_ kind: TransportKind) async throws {
        let value: JSONValue = [
            "name": "Ärger \"😀\"\n", "list": [1, 2.5, true, .null], "large": 9_007_199_254_740_993,
        ]
        let json = try await echo(
            kind, Page(path: "/anything", method: .put, task: .requestJSONEncodable(value)))
        expectEqual(json.json, value)
        expectEqual(json.headers?["Content-Type"], "application/json")
        let bytes = Data((0...255).map { UInt8($0) })
        let raw = try await echo(kind, Page(path: "/anything", method: .post, task: .requestData(bytes)))
        expectEqual(raw.data, "data:application/octet-stream;base64,\(bytes.base64EncodedString())")
        expectEqual(raw.headers?["Content-Length"], "256")
        let nothing = try await echo(kind, Page(path: "/anything", method: .post))
        #expect(nothing.data?.isEmpty == true)
        expectEqual(nothing.headers?["Content-Length"], "0")
    }

    @Test(
        "forms with content of known and of unknown length have their fields and files",
        arguments: TransportKind.allCases)
    func forms(_ kind: TransportKind) async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "Übersicht.txt")
            try Data("from a file, 漢字".utf8).write(to: file)
            let stream = RequestBody.stream(length: nil) { _ in Once(data: Data("from a stream".utf8)) }
            for isLengthKnown in [true, false] {
                let form = MultipartFormData(parts: [
                    MultipartFormBodyPart(provider: .data(Data("Asche 😀".utf8)), name: "näme"),
                    MultipartFormBodyPart(provider: .file(file), name: "file", mimeType: "text/plain"),
                    MultipartFormBodyPart(
                        provider: isLengthKnown ? .data(Data("from a stream".utf8)) : stream, name: "stream",
                        fileName: "stream.txt"),
                ])
                let echo = try await echo(
                    kind, Page(path: "/anything", method: .post, task: .uploadMultipartFormData(form)))
                expectEqual(echo.form, ["näme": "Asche 😀"])
                expectEqual(echo.files, ["file": "from a file, 漢字", "stream": "from a stream"])
            }
        }
    }

    private struct Once: BodyReader {
        var data: Data

        mutating func read(upTo count: Int) -> BodyPart {
            guard !data.isEmpty else { return .end }
            defer { data = data.dropFirst(count) }
            return .data(data.prefix(count))
        }
    }

    @Test("a hundred concurrent requests receive their own responses", arguments: TransportKind.allCases)
    func crowd(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTPBIN")
        let wrong = try await withThrowingTaskGroup(of: Int?.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let echo = try await provider.response(Page(path: "/anything/\(number)?n=\(number)"))
                        .map(Echo.self)
                    return echo.args == ["n": .string("\(number)")] ? nil : number
                }
            }
            return try await group.reduce(into: [Int]()) { if let number = $1 { $0.append(number) } }
        }
        #expect(wrong.isEmpty)
    }
}
