import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct ContainsTests {
    let time = VirtualTime()

    private func played(_ stream: Observable<Bool>) -> String {
        time.play(stream.map { $0 ? "t" : "f" }).marbles
    }

    @Test(
        "contains ends with the first value that meets the condition",
        arguments: [("a-b-c|", "--(t|)"), ("a-c|", "---(f|)"), ("|", "(f|)"), ("a-#", "--#")])
    func contains(_ source: String, _ result: String) {
        expectEqual(played(time.cold(source).contains("b")), result)
        expectEqual(played(time.cold(source).contains { $0 == "b" }), result)
    }

    @Test(
        "allSatisfy ends with the first value that does not meet the condition",
        arguments: [("a-b-c|", "--(f|)"), ("a-c|", "---(t|)"), ("|", "(t|)"), ("a-#", "--#")])
    func allSatisfy(_ source: String, _ result: String) {
        expectEqual(played(time.cold(source).allSatisfy { $0 != "b" }), result)
    }

    @Test("R17: an error of the condition fails the stream")
    func throwing() {
        expectEqual(played(time.cold("a|").contains { _ in throw Failure() }), "#")
        expectEqual(played(time.cold("a|").allSatisfy { _ in throw Failure() }), "#")
    }

    @Test("R15: an infinite source is released")
    func infinite() {
        let naturals = sequence(first: 0) { $0 + 1 }
        let pulled = Box(0)
        let source = Observable<Int> { emitter in
            for number in naturals {
                pulled.value = number
                guard emitter.send(number) else { return }
            }
        }
        expectEqual(time.play(source.contains(3).map { $0 ? "t" : "f" }), "(t|)")
        expectEqual(pulled.value, 3)
    }
}
