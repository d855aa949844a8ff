import Foundation
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct CallEventsTests {
    private let time = VirtualTime()

    private func provider(_ observer: CallEvents) -> MoyaProvider<Service> {
        MoyaProvider<Service>(stubClosure: MoyaProvider.delayedStub(1), scheduler: time, observers: [observer])
    }

    private func name(_ event: CallEvent) -> String {
        switch event.kind {
        case .started: "started"
        case .ended: "ended"
        default: "other"
        }
    }

    @Test("the events of all calls are the values of one signal")
    func sendsEvents() {
        let observer = CallEvents()
        let provider = provider(observer)
        let names = time.record(observer.events.map { name($0) })
        provider.request(.zen) { _ in }
        provider.request(.user(7)).subscribe()
        time.run()
        expectEqual(names.elements, ["started", "started", "ended", "ended"])
        #expect(!names.isCompleted)
    }

    @Test("18: without subscribers, events are dropped: a later subscriber receives later events only")
    func keepsNothing() {
        let observer = CallEvents()
        let provider = provider(observer)
        provider.request(.zen) { _ in }
        time.advance(by: .milliseconds(500))
        #expect(!observer.events.hasObservers)
        #expect(observer.events.value == nil)
        let names = time.record(observer.events.map { name($0) })
        time.run()
        expectEqual(names.elements, ["ended"])
    }

    @Test("a subscriber may send requests, whose events follow")
    func reentrancy() {
        let observer = CallEvents()
        let provider = provider(observer)
        let names = time.record(observer.events.map { name($0) })
        let sent = Box(false)
        observer.events.subscribeNext { event in
            guard case .ended = event.kind, !sent.value else { return }
            sent.value = true
            provider.request(.zen) { _ in }
        }
        provider.request(.zen) { _ in }
        time.run()
        expectEqual(names.elements, ["started", "ended", "started", "ended"])
    }

    @Test("6: a stream captures the trace of its subscriber, each subscription its own")
    func tracesOfSubscribers() {
        let observer = CallEvents()
        let provider = provider(observer)
        let contexts = time.record(observer.events.map { $0.context as? TraceContext })
        let (one, two) = (TraceContext.root(isSampled: true), TraceContext.root(isSampled: false))
        let stream = TraceContext.$current.withValue(one) { provider.request(.zen) }
        let subscriptions = [
            TraceContext.$current.withValue(two) { stream.subscribe() },
            TraceContext.$current.withValue(one) { stream.subscribe() }, stream.subscribe(),
        ]
        time.run()
        expectEqual(subscriptions.count, 3)
        expectEqual(contexts.elements, [two, one, nil, two, one, nil])
    }

    @Test("6: a stream that is subscribed to on another thread has the trace of that thread")
    func tracesOfThreads() {
        let observer = CallEvents()
        let provider = provider(observer)
        let contexts = time.record(observer.events.map { $0.context as? TraceContext })
        let context = TraceContext.root(isSampled: true)
        let stream = provider.request(.zen)
        #expect(
            finishesOnAnotherThread { TraceContext.$current.withValue(context) { _ = stream.subscribe() } })
        time.run()
        expectEqual(contexts.elements, [context, context])
    }
}
