import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct PagesTests {
    @Test("pages are requested by their links, and the query of a link replaces that of the target")
    func links() async throws {
        let server = PageServer.linked(3)
        let pages = await collect(server.provider().pages(List(), next: .link))
        expectEqual(pages.values.map(\.value), [[1], [2], [3]])
        expectEqual(pages.values.map { $0.next == nil }, [false, false, true])
        #expect(pages.error == nil)
        expectEqual(server.paths, ["/list?size=2", "/list?page=2", "/list?page=3"])
    }

    @Test func withoutALinkThereIsOnePage() async {
        let server = PageServer { _ in .init(content: "[1]") }
        await expectEqual(collect(server.provider().pages(List(), next: .link)).values.count, 1)
        expectEqual(server.paths.count, 1)
    }

    @Test(
        "a link to another origin is an error after its page, and no request is sent",
        arguments: [
            "https://evil.example/list?page=2", "//evil.example/list", "http://a.example/list",
            "https://a.example:444/list",
            "https://user@a.example/list", "https://user:pw@a.example/list", "https://a.example@evil.example/list",
            #"https://evil.example\@a.example/list"#, "https://a.example.evil.example/", "file:///etc/passwd",
            "ftp://a.example/", "https://evil.example @a.example/", "https://a .example/", "https: //a.example/",
            "https:///list", "javascript:0",
        ])
    func otherOrigins(_ link: String) async throws {
        let server = PageServer { _ in .init(headers: ["Link": "<\(link)>; rel=next"], content: "[1]") }
        let pages = await collect(server.provider().pages(List(), next: .link))
        expectEqual(pages.values.map(\.value), [[1]])
        #expect(pages.values.first?.next == nil)
        guard case .requestMapping(let reason)? = pages.error else {
            Issue.record("\(String(describing: pages.error))")
            return
        }
        #expect(!reason.contains("pw"))
        expectEqual(server.paths.count, 1)
    }

    @Test(
        "references are resolved against the URL of the response, and stay at the origin",
        arguments: [
            ("?page=2", "/list?page=2"), ("next", "/next"), ("/other/2", "/other/2"),
            ("@evil.example", "/@evil.example"),
            ("https://A.example:443/x", "https://A.example:443/x"), ("./a/../b", "/b"),
            ("/list?q=a b&p=%2F", "/list?q=a%20b&p=%2F"), ("/a b", "/a%20b"),
        ])
    func references(_ reference: String, _ path: String) async throws {
        let server = PageServer { request in
            let isFirst = request.url.query() == "size=2"
            return .init(headers: isFirst ? ["Link": "<\(reference)>; rel=next"] : [:], content: "[1]")
        }
        let pages = await collect(server.provider().pages(List(), next: .link))
        #expect(pages.error == nil)
        expectEqual(server.paths.last?.replacing("GET ", with: ""), path)
    }

    @Test("the user and the password of the base URL are sent for each page, and are not in a cursor")
    func userOfBaseURL() async throws {
        struct Signed: TargetType, DecodableTargetType {
            typealias Value = [Int]
            let baseURL = URL(string: "https://user:p%3Aw@a.example") ?? URL(filePath: "/")
            let path = "/list"
        }
        let server = PageServer { request in
            let link = request.url.query().map { $0 == "page=2" ? "https://a.example/list?page=3" : "" } ?? "?page=2"
            return .init(headers: link.isEmpty ? [:] : ["Link": "<\(link)>; rel=next"], content: "[1]")
        }
        let provider = MoyaProvider<Signed>(transport: server)
        let pages = await collect(provider.pages(Signed(), next: .link))
        #expect(pages.error == nil)
        expectEqual(server.log.entries.count, 3)
        #expect(server.log.entries.allSatisfy { $0.hasPrefix("GET https://user:p%3Aw@a.example/list") })
        #expect(pages.values.allSatisfy { !"\($0.next, default: "")".contains("p%3Aw") })
    }

    @Test("a link that differs from an earlier one in its fragment only is a loop")
    func fragments() async {
        let server = PageServer { request in
            let page = request.url.query() == "size=2" ? "2" : "2#\(request.url.absoluteString.count)"
            return .init(headers: ["Link": "</list?page=\(page)>; rel=next"], content: "[1]")
        }
        let pages = await collect(server.provider().pages(List(), next: .link).prefix(9))
        expectEqual(pages.values.count, 2)
        #expect(pages.error != nil)
        expectEqual(server.paths, ["/list?size=2", "/list?page=2"])
    }

    @Test("a relative link is resolved against the URL after redirects; a link to another host is not followed")
    func redirects() async {
        let same = PageServer { request in
            switch request.url.path {
            case "/list": .init(status: 302, headers: ["Location": "/v2/list"])
            case "/v2/list": .init(headers: ["Link": "<more>; rel=next"], content: "[1]")
            default: .init(content: "[2]")
            }
        }
        await expectEqual(collect(same.provider().pages(List(), next: .link)).values.map(\.value), [[1], [2]])
        expectEqual(same.paths.last, "/v2/more")
        let other = PageServer { request in
            request.url.host() == "a.example"
                ? .init(status: 302, headers: ["Location": "https://b.example/list"])
                : .init(headers: ["Link": "<?page=2>; rel=next"], content: "[1]")
        }
        let pages = await collect(other.provider().pages(List(), next: .link))
        expectEqual(pages.values.count, 1)
        expectEqual(pages.error?.kind, .request)
        expectEqual(other.paths.count, 2)
    }

    @Test("a link to a page that was delivered before is an error")
    func loops() async {
        let toItself = PageServer { _ in .init(headers: ["Link": "</list?size=2>; rel=next"], content: "[1]") }
        let one = await collect(toItself.provider().pages(List(), next: .link))
        expectEqual(one.values.count, 1)
        expectEqual(one.error?.kind, .request)
        let circle = PageServer { request in
            let next = request.url.query() == "page=2" ? 3 : 2
            return .init(headers: ["Link": "</list?page=\(next)>; rel=next"], content: "[1]")
        }
        let three = await collect(circle.provider().pages(List(), next: .link))
        expectEqual(three.values.count, 3)
        expectEqual(three.error?.kind, .request)
    }

    @Test("3,000 pages do not grow the stack; only the last thousand positions are compared")
    func manyPages() async {
        let count = 3000
        let pages = PageServer.linked(count).provider().pages(List(), next: .link)
        var sum = 0
        let values = await collect(pages.items)
        for value in values.values { sum += value }
        #expect(values.error == nil)
        expectEqual(sum, count * (count + 1) / 2)
    }

    @Test("an iteration loads only the pages that it consumes")
    func demand() async throws {
        let server = PageServer.linked(9)
        let pages = server.provider().pages(List(), next: .link)
        #expect(server.paths.isEmpty)
        for try await item in pages.items where item == 3 { break }
        expectEqual(server.paths.count, 3)
        var first: [Int] = []
        for try await item in pages.items.prefix(2) { first.append(item) }
        expectEqual(first, [1, 2])
        expectEqual(server.paths.count, 5)
    }

    @Test func twoIteratorsShareNothing() async throws {
        let server = PageServer.linked(2)
        let pages = server.provider().pages(List(), next: .link)
        var (one, other) = (pages.makeAsyncIterator(), pages.makeAsyncIterator())
        try await expectEqual(one.next()?.value, [1])
        try await expectEqual(other.next()?.value, [1])
        try await expectEqual(one.next()?.value, [2])
        #expect(try await one.next() == nil)
        #expect(try await one.next() == nil)
        try await expectEqual(other.next()?.value, [2])
        expectEqual(server.paths.count, 4)
    }

    @Test("a failure is thrown after the pages before it, and a cursor continues with the page that failed")
    func resuming() async throws {
        let isDown = Box(true)
        let server = PageServer { request in
            if request.url.query() == "page=3", isDown.value { return .init(status: 503) }
            let page = request.url.query()?.last?.wholeNumberValue ?? 1
            let number = request.url.query() == "size=2" ? 1 : page
            return .init(
                headers: number < 4 ? ["Link": "<?page=\(number + 1)>; rel=next"] : [:], content: "[\(number)]")
        }
        let pages = server.provider().pages(List(), next: .link)
        let before = await collect(pages)
        expectEqual(before.values.map(\.value), [[1], [2]])
        expectEqual(before.error?.response?.statusCode, 503)
        isDown.value = false
        let cursor = try #require(before.values.last?.next)
        let kept = try JSONEncoder().encode(cursor)
        let after = await collect(pages.resumed(at: try JSONDecoder().decode(PageCursor.self, from: kept)))
        expectEqual(after.values.map(\.value), [[3], [4]])
        #expect(after.error == nil)
        #expect(!String(decoding: kept, as: UTF8.self).contains("Bearer"))
    }

    @Test("a cursor of another origin or kind, or without a number, is an error, and no request is sent")
    func strangeCursors() async throws {
        let server = PageServer.linked(2)
        let provider = server.provider()
        func cursor(_ json: String) throws -> PageCursor {
            try JSONDecoder().decode(PageCursor.self, from: Data(json.utf8))
        }
        let url = try cursor(#"{"locator": {"url": {"_0": "https://evil.example/list"}}}"#)
        let token = try cursor(#"{"locator": {"token": {"_0": "x"}}}"#)
        let links = provider.pages(List(), next: .link)
        let numbers = provider.pages(List(), next: .numbered { List(token: "\($0)") })
        for pages in [
            links.resumed(at: url), links.resumed(at: token), numbers.resumed(at: url), numbers.resumed(at: token),
        ] {
            await expectEqual(collect(pages).error?.kind, .request)
        }
        #expect(server.paths.isEmpty)
    }

    @Test("a task that is cancelled between pages ends with the error `cancelled`, and sends no further request")
    func cancelBetweenPages() async throws {
        let server = PageServer.linked(9)
        let pages = server.provider().pages(List(), next: .link)
        let own = Box<Task<(Int, MoyaError.Kind?), Never>?>(nil)
        let isReady = Promise<Bool>()
        let task = Task { () -> (Int, MoyaError.Kind?) in
            _ = try? await isReady.value()
            var count = 0
            do {
                for try await _ in pages {
                    count += 1
                    if count == 2 { own.value?.cancel() }
                }
            } catch {
                return (count, (error as? MoyaError)?.kind)
            }
            return (count, nil)
        }
        own.value = task
        isReady.fulfill(true)
        let (count, kind) = await task.value
        expectEqual(count, 2)
        expectEqual(kind, .cancelled)
        expectEqual(server.paths.count, 2)
    }

    @Test("an interceptor handles a 429 between pages, and each page has the header fields of the first")
    func interceptors() async throws {
        let tries = Box(0)
        let hasToken = Box(true)
        let server = PageServer { request in
            if request.headers["Authorization"] != "Bearer t" { hasToken.value = false }
            guard request.url.query() == "page=2" else {
                return .init(headers: ["Link": "<?page=2>; rel=next"], content: "[1]")
            }
            tries.change { $0 += 1 }
            return tries.value == 1 ? .init(status: 429, headers: ["Retry-After": "0"]) : .init(content: "[2]")
        }
        let provider = server.provider(interceptors: [RetryInterceptor(.constant(.zero, times: 2))])
        await expectEqual(collect(provider.pages(List(), next: .link).items).values, [1, 2])
        expectEqual(tries.value, 2)
        #expect(hasToken.value)
    }
}
