import Foundation
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

/// A target whose response is a number; `sampleData` is the response of a stub.
struct Number: TargetType, DecodableTargetType {
    typealias Value = Int
    var path = "/1"
    var sampleData = Data("7".utf8)
    var baseURL: URL { URL(string: "https://a.example") ?? URL(filePath: "/") }
}

@Suite(.queued, .timeLimit(.minutes(10))) struct TypedStreamTests {
    private let time = VirtualTime()

    private func provider(_ delay: TimeInterval = 0.002) -> MoyaProvider<Number> {
        MoyaProvider<Number>(stubClosure: MoyaProvider.delayedStub(delay), scheduler: time)
    }

    @Test("the value of a response is a stream of one value, in virtual time")
    func value() {
        let stream = provider().requestValue(Number())
        expectEqual(time.play(stream.map { "\($0)" }), "--(7|)")
        expectEqual(time.play(stream.map { "\($0)" }), "--(7|)")
        expectEqual(time.play(provider().requestValue(Number(), as: Double.self).map { "\($0)" }), "--({7.0}|)")
    }

    @Test func aFailureIsTheTypedCalls() {
        let stream = provider().requestValue(Number(sampleData: Data("x".utf8)))
        expectEqual(
            time.play(stream.map { "\($0)" }.catch { .just("\(($0 as? MoyaError)?.kind == .decoding)") }), "--({true}|)"
        )
    }

    @Test func cancellingTheSubscriptionCancelsTheRequest() {
        let log = Log()
        let subscription = provider().requestValue(Number()).subscribe(
            onNext: { log.add("\($0)") }, onError: { log.add("\($0)") })
        subscription.cancel()
        time.run()
        #expect(log.entries.isEmpty)
    }

    @Test("a typed target of an enum and a struct are streams with a provider of MultiTarget, too")
    func otherTargets() {
        let typed = TypedTarget<Number, String>(Number(), .text)
        expectEqual(time.play(provider().requestValue(typed)), "--(7|)")
        let multi = MoyaProvider<MultiTarget>(stubClosure: MoyaProvider.delayedStub(0.002), scheduler: time)
        expectEqual(time.play(multi.requestValue(Number()).map { "\($0)" }), "--(7|)")
        expectEqual(time.play(multi.requestValue(Number(), as: Double.self).map { "\($0)" }), "--({7.0}|)")
        expectEqual(time.play(multi.requestValue(MultiTarget(Number()), as: Int.self).map { "\($0)" }), "--(7|)")
    }

    @Test("typed events and lines are streams; an event that the closure excludes is not decoded")
    func events() {
        let events = provider().requestEvents(
            Number(sampleData: Data("data: 1\n\ndata: [DONE]\n\ndata: 2\n\n".utf8)), as: Int.self,
            where: { $0.data != "[DONE]" })
        expectEqual(time.play(events.map { "\($0)" }), "--(12|)")
        let lines = provider().requestJSONLines(Number(sampleData: Data("1\n\n2".utf8)), as: Int.self)
        expectEqual(time.play(lines.map { "\($0)" }), "--(12|)")
        let broken = provider().requestJSONLines(Number(sampleData: Data("1\nx\n2".utf8)), as: Int.self)
        expectEqual(time.play(broken.map { "\($0)" }), "--(1#)")
    }

    @Test("a stream whose response is refused fails with its error body")
    func refused() {
        struct Refused: TargetType {
            let path = "/"
            let baseURL = URL(string: "https://a.example") ?? URL(filePath: "/")
        }
        let provider = MoyaProvider<Refused>(
            endpointClosure: { _ in
                Endpoint(
                    url: "https://a.example/",
                    sampleResponseClosure: { .networkResponse(500, Data(#"{"reason": "x"}"#.utf8)) })
            }, stubClosure: MoyaProvider.immediatelyStub,
            decoding: ResponseDecoding(errorBody: .json([String: String].self)))
        let reasons = Log()
        for stream in [
            provider.requestEvents(Refused(), as: Int.self), provider.requestJSONLines(Refused(), as: Int.self),
        ] {
            stream.subscribe(
                onError: { reasons.add(($0 as? MoyaError)?.body(as: [String: String].self)?["reason"] ?? "none") })
        }
        expectEqual(reasons.entries, ["x", "x"])
    }

    @Test("events are decoded after a reconnection; one that cannot be decoded ends the stream")
    func reconnecting() {
        let stream = provider().requestEvents(
            Number(sampleData: Data("data: 1\n\n".utf8)), as: Int.self,
            reconnecting: .constant(.milliseconds(2), times: 9),
            on: time)
        expectEqual(time.play(stream.map { "\($0)" }.take(2)), "--1---(1|)")
        let broken = provider().requestEvents(
            Number(sampleData: Data("data: x\n\n".utf8)), as: Int.self,
            reconnecting: .constant(.milliseconds(2), times: 9),
            on: time)
        expectEqual(time.play(broken.map { "\($0)" }), "--#")
    }
}
