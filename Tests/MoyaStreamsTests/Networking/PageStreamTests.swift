import Foundation
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

/// Pages as streams; each page takes two milliseconds to load.
@Suite(.queued, .timeLimit(.minutes(10))) struct PageStreamTests {
    private let time = VirtualTime()

    /// Returns pages 1 to `last`, each with its number as the value; page `failing` fails.
    private func pages(last: Int = 3, failing: Int? = nil, log: Log = Log()) -> Pages<Int> {
        let provider = MoyaProvider<Number>(
            endpointClosure: { target in
                log.add(target.path)
                return Endpoint(
                    url: "https://a.example\(target.path)",
                    sampleResponseClosure: {
                        .networkResponse(
                            target.path == failing.map { "/\($0)" } ? 500 : 200, Data(target.path.dropFirst().utf8))
                    })
            },
            stubClosure: MoyaProvider.delayedStub(0.002), scheduler: time)
        return provider.pages(Number(), next: .numbered(while: { $0 < last }) { Number(path: "/\($0)") })
    }

    @Test func allPagesComeOneAfterTheOther() {
        expectEqual(time.play(pages().all.map { "\($0.value)" }), "--1-2-(3|)")
        expectEqual(time.play(pages(failing: 2).all.map { "\($0.value)" }), "--1-#")
    }

    @Test("pages of an immediate stub do not grow the stack")
    func manyPages() {
        let provider = MoyaProvider<Number>(
            endpointClosure: { target in
                Endpoint(
                    url: "https://a.example\(target.path)",
                    sampleResponseClosure: { .networkResponse(200, Data(target.path.dropFirst().utf8)) })
            }, stubClosure: MoyaProvider.immediatelyStub)
        let count = manyTimes / 50
        let pages = provider.pages(Number(), next: .numbered(while: { $0 < count }) { Number(path: "/\($0)") })
        let sum = Box(0)
        pages.all.subscribeNext { page in sum.change { $0 += page.value } }
        expectEqual(sum.value, count * (count + 1) / 2)
        sum.value = 0
        let (more, emitter) = Signal<Void>.pipe()
        pages.observable(more: more).subscribeNext { page in
            sum.change { $0 += page.value }
            emitter.send(())
        }
        expectEqual(sum.value, count * (count + 1) / 2)
    }

    @Test("each page is requested in the trace of the subscriber, also when another task asks for it")
    func trace() {
        let traces = Box<[TraceContext?]>([])
        var configuration = ProviderConfiguration(
            transport: ScriptedOrigin { request, _ in (200, [:], request.url.lastPathComponent) }, scheduler: time)
        configuration.callContext = { _ in
            traces.change { $0.append(TraceContext.current) }
            return nil
        }
        let provider = MoyaProvider<Number>(configuration: configuration)
        let pages = provider.pages(Number(), next: .numbered(while: { $0 < 3 }) { Number(path: "/\($0)") })
        let (own, other) = (TraceContext.root(isSampled: true), TraceContext.root(isSampled: true))
        let (more, emitter) = Signal<Void>.pipe()
        _ = TraceContext.$current.withValue(own) { (time.record(pages.all), time.record(pages.observable(more: more))) }
        time.run()
        TraceContext.$current.withValue(other) { emitter.send(()) }
        time.run()
        expectEqual(traces.value, Array(repeating: own, count: 5))
    }

    @Test("the first page is loaded immediately, and each further one for a value of `more`")
    func more() {
        let log = Log()
        let more = time.cold("-----m----m----m").map { _ in () }
        expectEqual(time.play(pages(log: log).observable(more: more).map { "\($0.value)" }), "--1----2----(3|)")
        expectEqual(log.entries.count, 3)
    }

    @Test("values of `more` that arrive while a page loads request one further page")
    func moreWhileLoading() {
        let more = time.cold("m-----m|").map { _ in () }
        expectEqual(time.play(pages(last: 9).observable(more: more).map { "\($0.value)" }), "--1-2---(3|)")
        let twice = time.cold("mm--------").map { _ in () }
        expectEqual(time.play(pages(last: 9).observable(more: twice).map { "\($0.value)" }).marbles, "--1-2")
    }

    @Test("the stream completes when `more` has completed and no page is left to load, and fails with `more`")
    func endOfMore() {
        let done = time.cold("---|").map { _ in () }
        expectEqual(time.play(pages().observable(more: done).map { "\($0.value)" }), "--1|")
        let failing = time.cold("---#").map { _ in () }
        expectEqual(time.play(pages().observable(more: failing).map { "\($0.value)" }), "--1#")
        expectEqual(
            time.play(pages(failing: 1).observable(more: Observable<Void>.never()).map { "\($0.value)" }), "--#")
    }

    @Test("values of `more` after the end are ignored, on any thread")
    func moreAfterTheEnd() {
        let (more, emitter) = Signal<Void>.pipe()
        let log = Log()
        pages(last: 2).observable(more: more).subscribe(
            onNext: { log.add("\($0.value)") }, onCompleted: { log.add("end") })
        inParallel(Array(0..<8)) { _ in emitter.send(()) }
        time.run()
        inParallel(Array(0..<8)) { _ in emitter.send(()) }
        expectEqual(log.entries, ["1", "2", "end"])
    }

    @Test func cancellingStopsThePageThatLoads() {
        let log = Log()
        let seen = Log()
        let subscription = pages(log: log).all.subscribeNext { seen.add("\($0.value)") }
        time.advance(by: .milliseconds(3))
        subscription.cancel()
        time.run()
        expectEqual(seen.entries, ["1"])
        let (more, emitter) = Signal<Void>.pipe()
        let other = pages(log: log).observable(more: more).subscribeNext { seen.add("\($0.value)") }
        other.cancel()
        emitter.send(())
        time.run()
        expectEqual(seen.entries, ["1"])
    }
}
