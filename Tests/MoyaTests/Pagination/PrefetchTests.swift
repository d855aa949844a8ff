import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct PrefetchTests {
    @Test("with one page ahead, the next page is requested when a page is taken")
    func ahead() async throws {
        let second = Promise<@Sendable (PageServer.Reply) -> Void>()
        let server = PageServer(later: { request, done in
            if request.url.query() == "page=2" {
                second.fulfill(done)
            } else {
                let next: HTTPHeaders = request.url.query() == "page=3" ? [:] : ["Link": "<?page=2>; rel=next"]
                done(.init(headers: next, content: "[1]"))
            }
        })
        var items = server.provider().pages(List(), next: .link).prefetching().items.makeAsyncIterator()
        try await expectEqual(items.next(), 1)
        // The second page is requested although its items have not been consumed.
        let answer = try await second.value()
        answer(.init(headers: ["Link": "<?page=3>; rel=next"], content: "[2]"))
        try await expectEqual(items.next(), 2)
        try await expectEqual(items.next(), 1)
        #expect(try await items.next() == nil)
        expectEqual(server.paths.count, 3)
    }

    @Test("leaving the loop cancels the requests of further pages")
    func leaving() async throws {
        let isAsked = Promise<Bool>()
        let isCancelled = Promise<Bool>()
        let server = PageServer(later: { request, done in
            if request.url.query() == "page=2" {
                isAsked.fulfill(true)
            } else {
                done(.init(headers: ["Link": "<?page=2>; rel=next"], content: "[1]"))
            }
        })
        for try await _ in server.provider().pages(List(), next: .link).prefetching(2) {
            _ = try await isAsked.value()
            break
        }
        while server.cancelled.entries.isEmpty { await Task.yield() }
        isCancelled.fulfill(true)
        expectEqual(server.paths, ["/list?size=2", "/list?page=2"])
    }

    @Test("the failure of a further page is thrown when the iteration reaches it")
    func failures() async throws {
        let server = PageServer { request in
            request.url.query() == "page=2"
                ? .init(status: 500) : .init(headers: ["Link": "<?page=2>; rel=next"], content: "[1, 2, 3]")
        }
        let items = await collect(server.provider().pages(List(), next: .link).prefetching(3).items)
        expectEqual(items.values, [1, 2, 3])
        expectEqual(items.error?.response?.statusCode, 500)
    }

    @Test("pages that are requested ahead are delivered in order", arguments: [1, 2, 5, 50])
    func several(_ count: Int) async {
        let server = PageServer.linked(20)
        let items = await collect(server.provider().pages(List(), next: .link).prefetching(count).items)
        expectEqual(items.values, Array(1...20))
        expectEqual(server.paths.count, 20)
    }

    @Test("in virtual time, a further page loads while the loop sleeps, each time at the same moment")
    func virtualTime() throws {
        for _ in 0..<30 {
            let time = VirtualTime()
            let provider = MoyaProvider<List>(
                endpointClosure: { target in
                    Endpoint(url: "\(target.baseURL)", sampleResponseClosure: { .status(200, Data("[1]".utf8)) })
                }, stubClosure: MoyaProvider.delayedStub(1), scheduler: time)
            let pages = provider.pages(List(), next: .numbered { List(token: "\($0)") }).prefetching()
            let elapsed = try time.run {
                var iterator = pages.makeAsyncIterator()
                _ = try await iterator.next()
                try await time.sleep(for: .seconds(5))
                _ = try await iterator.next()
                return time.elapsed
            }
            expectEqual(elapsed, .seconds(6))
        }
    }

    @Test("any number of pages can be loaded ahead")
    func allAhead() async throws {
        let pages = PageServer.linked(100).provider().pages(List(), next: .link).prefetching(.max)
        try await expectEqual(pages.items.reduce(0, +), 5050)
    }
}
