import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct MapTests {
    let time = VirtualTime()

    @Test func transformsEachValue() {
        expectEqual(time.play(time.cold("--a--b--c|").map { $0.uppercased() }), "--A--B--C|")
    }

    @Test func passesTheErrorThrough() {
        expectEqual(time.play(time.cold("--a--#").map { $0.uppercased() }), "--A--#")
    }

    @Test("R17, R4: a thrown error fails the stream after the upstream is released")
    func throwingTransformFails() {
        let log = Log()
        let source = Observable<Int> { emitter in
            emitter.onTermination { log.add("released") }
            emitter.send(1)
            log.add("heard: \(emitter.send(2))")
        }
        source.map { (_) throws(Failure) -> Int in throw Failure(id: 3) }.subscribeError { log.add("\($0)") }
        expectEqual(log.entries, ["released", "Failure(id: 3)", "heard: false"])
    }

    @Test("R15: a value is suppressed if its transform cancels")
    func cancelInsideTheTransform() {
        let (signal, emitter) = Signal<Int>.pipe()
        let token = Box<Subscription?>(nil)
        let seen = Box<[Int]>([])
        token.value = signal.map { value in
            token.value?.cancel()
            return value
        }.subscribeNext { value in seen.change { $0.append(value) } }
        emitter.send(1)
        #expect(seen.value.isEmpty)
    }
}
