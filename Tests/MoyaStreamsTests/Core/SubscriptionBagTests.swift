import Foundation
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite("Tokens in a bag", .queued, .timeLimit(.minutes(10)))
struct SubscriptionBagTests {
    private struct Zen: TargetType {
        let baseURL = URL(string: "http://a.example") ?? URL(filePath: "/")
        let path = "/zen"
    }

    @Test("a bag cancels the requests of its tokens when it is released, and later ones at once")
    func tokens() {
        let time = VirtualTime()
        let log = Log()
        let provider = MoyaProvider<Zen>(stubClosure: MoyaProvider.delayedStub(1), scheduler: time)
        func send(_ name: String, _ bag: SubscriptionBag) {
            provider.request(Zen()) { [log] result in
                if case .failure(let error) = result { log.add("\(name) \(error.isCancelled)") }
            }.store(in: bag)
        }
        do {
            let bag = SubscriptionBag()
            send("one", bag)
            send("two", bag)
            #expect(log.entries.isEmpty)
        }
        expectEqual(log.entries, ["one true", "two true"])
        let bag = SubscriptionBag()
        bag.cancel()
        send("three", bag)
        expectEqual(log.entries.last, "three true")
        time.run()
        expectEqual(log.entries.count, 3)
    }
}
