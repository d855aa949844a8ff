import Foundation
import Moya
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct PaginationRuleTests {
    private struct Chapter: Decodable, Sendable {
        var items: [Int] = []
        var next: String?
        var hasNext: Bool?
    }

    private func chapters(_ contents: String...) -> PageServer {
        let rest = Box(contents[...])
        return PageServer { _ in
            var content = ""
            rest.change { content = $0.popFirst() ?? #"{"items": []}"# }
            return .init(content: content)
        }
    }

    private func call(_ list: List = List()) -> TypedTarget<List, Chapter> { TypedTarget(list) }

    @Test("a URL in the page: null and an empty string end the pages")
    func urls() async {
        for end in ["null", #""""#] {
            let server = chapters(#"{"items": [1], "next": "?page=2"}"#, #"{"items": [2], "next": \#(end)}"#)
            let pages = await collect(server.provider().pages(call(), next: .url(\.next)))
            expectEqual(pages.values.flatMap(\.value.items), [1, 2])
            expectEqual(server.paths, ["/list?size=2", "/list?page=2"])
        }
    }

    @Test("a token: an empty page is followed, an empty token ends the pages, other parameters are preserved")
    func tokens() async {
        let server = chapters(
            #"{"items": [1], "next": "a/b"}"#, #"{"items": [], "next": "c"}"#, #"{"items": [3], "next": ""}"#)
        let pages = await collect(
            server.provider().pages(call(), next: .token(\.next) { List(token: $0) }))
        expectEqual(pages.values.map(\.value.items), [[1], [], [3]])
        expectEqual(server.paths, ["/list?size=2", "/list?size=2&token=a/b", "/list?size=2&token=c"])
    }

    @Test func aTokenMayStandInAHeaderField() async {
        let server = PageServer { request in
            let isFirst = request.url.query() == "size=2"
            return .init(headers: isFirst ? ["X-Next": "b"] : [:], content: #"{"items": []}"#)
        }
        let pages = await collect(
            server.provider().pages(
                call(), next: .header("x-next") { List(token: $0) }))
        expectEqual(pages.values.count, 2)
    }

    @Test("a cursor: a page that has a next page but no cursor is followed by an error")
    func cursors() async {
        let server = chapters(
            #"{"items": [1], "hasNext": true, "next": "x"}"#, #"{"items": [2], "hasNext": false, "next": "y"}"#)
        func pages(_ server: PageServer) -> Pages<Chapter> {
            server.provider().pages(
                call(), next: .cursor({ ($0.hasNext ?? false, $0.next) }, { List(token: $0) }))
        }
        await expectEqual(collect(pages(server)).values.map(\.value.items), [[1], [2]])
        let broken = await collect(pages(chapters(#"{"items": [1], "hasNext": true, "next": null}"#)))
        expectEqual(broken.values.count, 1)
        expectEqual(broken.error?.kind, .request)
    }

    @Test("numbers: pages end with the first empty page, or as a function returns")
    func numbers() async {
        let server = PageServer { request in
            .init(content: request.url.query()?.hasSuffix("token=3") == true ? "[]" : "[1]")
        }
        let all = await collect(server.provider().pages(List(), next: .numbered { List(token: "\($0)") }))
        expectEqual(all.values.map(\.value), [[1], [1], []])
        let zero = await collect(
            server.provider().pages(
                List(token: "0"), next: .numbered(from: 0, while: { $0.count == 1 }) { List(token: "\($0)") }))
        expectEqual(zero.values.count, 4)
        expectEqual(server.paths.suffix(4).map(\.last), ["0", "1", "2", "3"])
    }

    @Test("a rule that throws fails after its page, with its error and the response")
    func throwingRules() async {
        let server = chapters(#"{"items": [1], "next": "x"}"#)
        let first = await collect(
            server.provider().pages(call(), next: .url { _ in throw Failure(id: 1) }))
        expectEqual(first.values.count, 1)
        expectEqual(first.error?.underlyingError as? Failure, Failure(id: 1))
        expectEqual(first.error?.response?.statusCode, 200)
        let target = await collect(
            chapters(#"{"items": [], "next": "x"}"#).provider().pages(
                call(), next: .token(\.next) { _ in throw Failure(id: 2) }))
        expectEqual(target.values.count, 1)
        expectEqual(target.error?.underlyingError as? Failure, Failure(id: 2))
    }

    @Test("an expired token is an error of the server")
    func expired() async {
        let server = PageServer { request in
            request.url.query()?.contains("token") == true
                ? .init(
                    status: 410, headers: ["Content-Type": "application/problem+json"], content: #"{"title": "gone"}"#)
                : .init(content: #"{"items": [], "next": "old"}"#)
        }
        let pages = await collect(server.provider().pages(call(), next: .token(\.next) { List(token: $0) }))
        expectEqual(pages.error?.response?.statusCode, 410)
        expectEqual(pages.error?.body(as: ProblemDetails.self)?.title, "gone")
    }

    @Test("a rule may create a target with POST, as the pages of GraphQL need it")
    func graphQL() async {
        let bodies = Log()
        let server = PageServer { request in
            if case .data(let data) = request.body { bodies.add(String(decoding: data, as: UTF8.self)) }
            let isFirst = bodies.entries.count == 1
            return .init(content: #"{"items": [1], "hasNext": \#(isFirst), "next": "c1"}"#)
        }
        let first = List(method: .post, body: ["query"])
        let pages = server.provider().pages(
            call(first),
            next: .cursor({ ($0.hasNext ?? false, $0.next) }, { List(method: .post, body: ["query", $0]) }))
        await expectEqual(collect(pages).values.count, 2)
        expectEqual(bodies.entries, [#"["query"]"#, #"["query","c1"]"#])
    }

    @Test("a POST to the URL of the next page has the same body and header fields")
    func posts() async {
        let bodies = Log()
        let server = PageServer { request in
            if case .data(let data) = request.body { bodies.add(String(decoding: data, as: UTF8.self)) }
            let isFirst = request.url.query() == "size=2"
            return .init(headers: isFirst ? ["Link": "<?page=2>; rel=next"] : [:], content: "[1]")
        }
        let list = List(method: .post, body: ["q"])
        #expect(await collect(server.provider().pages(list, next: .link)).error == nil)
        expectEqual(bodies.entries, [#"["q"]"#, #"["q"]"#])
        expectEqual(
            server.log.entries, ["POST https://a.example/list?size=2", "POST https://a.example/list?page=2"])
    }

    @Test("a number that has no next number is an error")
    func largestNumber() async {
        let server = PageServer.linked(1)
        let pages = server.provider().pages(List(), next: .numbered(from: .max, while: { _ in true }) { _ in List() })
        expectEqual(await collect(pages).error?.description.contains("page number"), true)
    }

    @Test(
        "the query of a link replaces that of an unsafe request, too",
        arguments: [
            RequestTask.requestParameters(parameters: ["a": 1], encoding: URLEncoding.default),
            .requestFormEncodable(["a": 1], encoding: .queryString),
        ], [HTTPMethod.delete, .post])
    func queriesOfUnsafeRequests(_ task: RequestTask, _ method: HTTPMethod) async {
        let queries = Box<[String?]>([])
        let origin = ScriptedTransport { request in
            queries.change { $0.append(request.url.query()) }
            return .text("[]", headers: queries.value.count == 1 ? ["Link": "<?page=2>; rel=next"] : [:])
        }
        let provider = MoyaProvider<AnyList>(transport: origin)
        _ = await collect(provider.pages(AnyList(method: method, task: task), next: .link))
        expectEqual(queries.value.last, "page=2")
    }
}

private struct AnyList: TargetType, DecodableTargetType {
    typealias Value = [Int]
    let baseURL = URL(string: "https://a.test") ?? URL(filePath: "/")
    let path = "/list"
    let method: HTTPMethod
    let task: RequestTask
}
