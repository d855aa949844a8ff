import Foundation
import Moya
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct PagedItemsTests {
    private func provider(_ pages: [[Int]]) -> MoyaProvider<List> {
        PageServer { request in
            let page = request.url.query()?.split(separator: "=").last.flatMap { Int($0) } ?? 1
            let index = request.url.query() == "size=2" ? 1 : page
            let headers: HTTPHeaders = index < pages.count ? ["Link": "<?page=\(index + 1)>; rel=next"] : [:]
            return .init(headers: headers, content: "\(pages[index - 1])")
        }.provider()
    }

    @Test func itemsOfAllPagesInOrder() async {
        let items = await collect(provider([[1, 2], [], [3]]).pages(List(), next: .link).items)
        expectEqual(items.values, [1, 2, 3])
        let doubled = await collect(
            provider([[1], [2]]).pages(List(), next: .link).items { page in page.map { $0 * 2 } })
        expectEqual(doubled.values, [2, 4])
    }

    @Test("within the window, an item that an insertion has shifted to the next page is delivered once")
    func shifted() async {
        let pages = provider([[1, 2], [2, 3], [3, 4, 4], [1, 5]]).pages(List(), next: .link)
        await expectEqual(collect(pages.items.deduplicated(by: \.self)).values, [1, 2, 3, 4, 1, 5])
        await expectEqual(collect(pages.items.deduplicated(by: \.self, lastPages: 9)).values, [1, 2, 3, 4, 5])
        await expectEqual(collect(pages.items.deduplicated(by: \.self, lastPages: 0)).values, [1, 2, 2, 3, 3, 4, 1, 5])
        await expectEqual(collect(pages.items.deduplicated(by: { $0 % 2 })).values, [1, 2])
    }
}
