import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct MultipartFormDataTests {
    private func part(
        _ text: String, name: String = "n", fileName: String? = nil, mimeType: String? = nil
    ) -> MultipartFormBodyPart {
        MultipartFormBodyPart(provider: .data(Data(text.utf8)), name: name, fileName: fileName, mimeType: mimeType)
    }

    /// Sends the form to a server; returns the request that the server has received.
    private func sent(
        _ form: MultipartFormData, on kind: TransportKind, progress: MoyaProvider<Local>.ProgressBlock? = nil
    ) async throws -> LoopbackRequest {
        let server = try LoopbackServer { _ in .text("") }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(transport: try kind.make())
        let task = RequestTask.uploadMultipartFormData(form)
        _ = try await provider.response(Local(server, method: .post, task: task), progress: progress)
        return try #require(server.requests.first)
    }

    private func text(_ request: LoopbackRequest) -> String { String(decoding: request.body, as: UTF8.self) }

    @Test func aFormKeepsItsPartsAndHasNoBoundaryOfItsOwn() {
        let form: MultipartFormData = [part("a"), part("b", name: "m")]
        #expect(form.boundary == nil)
        expectEqual(form.parts.map(\.name), ["n", "m"])
    }

    @Test("RFC 7578: parts are sent one after the other, each with its head", arguments: TransportKind.allCases)
    func format(_ kind: TransportKind) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).png")
        try Data("pixels".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let parts = [
            part("a"), part("b", name: "m", fileName: "x.json"), part("c", name: "o", mimeType: "a/b"),
            MultipartFormBodyPart(provider: .file(file), name: "f"),
            MultipartFormBodyPart(provider: .file(file), name: "g", fileName: "other", mimeType: "c/d"),
        ]
        let request = try await sent(MultipartFormData(boundary: "b", parts: parts), on: kind)
        expectEqual(request.headers["Content-Type"], "multipart/form-data; boundary=b")
        expectEqual(request.headers["Content-Length"], String(request.body.count))
        let expected = [
            "--b", #"Content-Disposition: form-data; name="n""#, "", "a",
            "--b", #"Content-Disposition: form-data; name="m"; filename="x.json""#, "Content-Type: application/json",
            "", "b",
            "--b", #"Content-Disposition: form-data; name="o""#, "Content-Type: a/b", "", "c",
            "--b", #"Content-Disposition: form-data; name="f"; filename="\#(file.lastPathComponent)""#,
            "Content-Type: image/png", "", "pixels",
            "--b", #"Content-Disposition: form-data; name="g"; filename="other""#, "Content-Type: c/d", "", "pixels",
            "--b--", "",
        ]
        expectEqual(text(request).components(separatedBy: "\r\n"), expected)
    }

    @Test("a name cannot contain the end of its quoted string or a line break")
    func escapes() async throws {
        let form: MultipartFormData = [part("a", name: "q\"\r\nX-Evil: 1", fileName: "é\"\n.txt")]
        let request = try await sent(form, on: TransportKind.allCases[0])
        let head = text(request).components(separatedBy: "\r\n")[1]
        expectEqual(head, #"Content-Disposition: form-data; name="q%22%0D%0AX-Evil: 1"; filename="é%22%0A.txt""#)
    }

    @Test func eachRequestHasABoundaryOfItsOwn() async throws {
        let form: MultipartFormData = [part("a")]
        let first = try await sent(form, on: TransportKind.allCases[0])
        let second = try await sent(form, on: TransportKind.allCases[0])
        #expect(first.headers["Content-Type"] != second.headers["Content-Type"])
    }

    @Test("a form with a part of unknown length is sent in chunks")
    func chunked() async throws {
        struct Once: BodyReader {
            var isRead = false
            mutating func read(upTo count: Int) -> BodyPart {
                defer { isRead = true }
                return isRead ? .end : .data(Data("streamed".utf8))
            }
        }
        let stream = RequestBody.stream(length: nil) { _ in Once() }
        let form: MultipartFormData = [MultipartFormBodyPart(provider: stream, name: "s"), part("z")]
        let request = try await sent(form, on: TransportKind.allCases[0])
        #expect(request.headers["Content-Length"] == nil)
        #expect(text(request).contains("\r\n\r\nstreamed\r\n--"))
        #expect(text(request).contains("\r\n\r\nz\r\n--"))
    }

    private func refusal(_ form: MultipartFormData, _ method: HTTPMethod = .post) async -> String {
        struct Form: TargetType {
            var baseURL = URL(string: "http://127.0.0.1:1") ?? URL(filePath: "/")
            var path = "/"
            var method: HTTPMethod
            var task: RequestTask
        }
        let provider = MoyaProvider<Form>(stubClosure: MoyaProvider.immediatelyStub)
        let target = Form(method: method, task: .uploadMultipartFormData(form))
        let error = await #expect(throws: MoyaError.self) { try await provider.response(target) }
        expectEqual(error?.kind, .request)
        return error?.description ?? ""
    }

    @Test("content that cannot be sent is refused and does not crash")
    func refusals() async throws {
        #expect(await refusal([]).contains("a multipart form has no part, and needs at least one"))
        #expect(await refusal([part("a")], .get).contains("a GET request cannot carry a multipart form"))
        #expect(await refusal([part("a")], .delete).contains("a DELETE request cannot carry a multipart form"))
        for boundary in ["", "a\"b", "a ", String(repeating: "x", count: 71), "a\r\nb", "ä"] {
            #expect(
                await refusal(MultipartFormData(boundary: boundary, parts: [part("a")])).contains(
                    "is not a valid multipart boundary"))
        }
        let missing = MultipartFormBodyPart(provider: .file(URL(filePath: "/no/such.file")), name: "f")
        #expect(await refusal([missing]).contains(#"the file "such.file" cannot be sent: The file"#))
        let folder = MultipartFormBodyPart(provider: .file(FileManager.default.temporaryDirectory), name: "f")
        #expect(await refusal([folder]).contains("cannot be sent: The file to send is a directory"))
        func stream(_ length: Int64?) -> MultipartFormBodyPart {
            struct Empty: BodyReader { func read(upTo count: Int) -> BodyPart { .end } }
            return MultipartFormBodyPart(provider: .stream(length: length) { _ in Empty() }, name: "s")
        }
        #expect(await refusal([stream(-1)]).contains("a length of -1 bytes was declared"))
        let form: MultipartFormData = [stream(.max), stream(.max)]
        let huge = Local(try LoopbackServer { _ in .text("") }, method: .post, task: .uploadMultipartFormData(form))
        let provider = MoyaProvider<Local>(stubClosure: MoyaProvider.immediatelyStub)
        try await expectEqual(provider.response(huge).statusCode, 200)
        #expect(await refusal([part("a", mimeType: "a/b\r\nX: y")]).contains("contains a control character"))
    }

    @Test(
        "a file that has grown since the request was made is sent with its former length",
        arguments: TransportKind.allCases)
    func growingFile(_ kind: TransportKind) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "grows-\(UUID().uuidString).log")
        try Data("first".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        struct Empty: BodyReader { func read(upTo count: Int) -> BodyPart { .end } }
        let growing = RequestBody.stream(length: 0) { _ in
            let handle = try FileHandle(forWritingTo: file)
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("second".utf8))
            try handle.close()
            return Empty()
        }
        let form: MultipartFormData = [
            MultipartFormBodyPart(provider: growing, name: "a"),
            MultipartFormBodyPart(provider: .file(file), name: "b"),
        ]
        let body = text(try await sent(form, on: kind))
        #expect(body.contains("\r\n\r\nfirst\r\n--"))
    }

    @Test(
        "forms are accepted for the methods that can have content",
        arguments: [
            (HTTPMethod.get, false), (.post, true), (.put, true), (.delete, false), (.options, false), (.head, false),
            (.patch, true), (.trace, false), (.connect, true),
        ])
    func methods(_ method: HTTPMethod, _ supports: Bool) {
        expectEqual(method.supportsMultipart, supports)
    }

    @Test("a task that the endpoint closure has replaced is sent")
    func replacedTask() async throws {
        let server = try LoopbackServer { _ in .text("") }
        defer { server.stop() }
        let more = MultipartFormData(boundary: "b", parts: [part("one", name: "1"), part("two", name: "2")])
        let provider = MoyaProvider<Local>(
            endpointClosure: {
                MoyaProvider.defaultEndpointMapping(for: $0).replacing(task: .uploadMultipartFormData(more))
            })
        _ = try await provider.response(Local(server, method: .post))
        let body = text(try #require(server.requests.first))
        #expect(body.contains("name=\"1\"\r\n\r\none\r\n"))
        #expect(body.contains("name=\"2\"\r\n\r\ntwo\r\n"))
    }

    @Test(
        "upload progress counts the sent bytes, increases, and ends with the response",
        arguments: TransportKind.allCases)
    func progress(_ kind: TransportKind) async throws {
        let events = Box<[ProgressResponse]>([])
        let form: MultipartFormData = [part(String(repeating: "x", count: 3 << 20))]
        let request = try await sent(form, on: kind) { event in events.change { $0.append(event) } }
        let counts = events.value.map(\.completedUnitCount)
        #expect(events.value.count > 1)
        expectEqual(counts, counts.sorted())
        expectEqual(counts.last, Int64(request.body.count))
        expectEqual(events.value.map(\.completed), Array(repeating: false, count: events.value.count - 1) + [true])
        expectEqual(events.value.first?.totalUnitCount, Int64(request.body.count))
    }
}
