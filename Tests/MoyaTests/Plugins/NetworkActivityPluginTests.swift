import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct NetworkActivityPluginTests {
    private let log = Log()

    private func provider(_ behavior: StubBehavior, scheduler: any Scheduler = VirtualTime()) -> MoyaProvider<MyService>
    {
        let log = log
        return MoyaProvider<MyService>(
            stubClosure: { _ in behavior },
            plugins: [NetworkActivityPlugin { change, target in log.add("\(change) \(target.path)") }],
            scheduler: scheduler)
    }

    @Test func tellsTheBeginningAndTheEndOfAStub() {
        provider(.immediate).request(.zen) { [log] _ in log.add("done") }
        expectEqual(log.entries, ["began /zen", "ended /zen", "done"])
    }

    @Test("a cancel ends the activity, once")
    func cancel() {
        let time = VirtualTime()
        let call = provider(.delayed(seconds: 60), scheduler: time).request(.zen) { _ in }
        time.advance(by: .seconds(1))
        call.cancel()
        call.cancel()
        time.run()
        expectEqual(log.entries, ["began /zen", "ended /zen"])
    }
}
