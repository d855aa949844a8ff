import Dispatch
import MoyaScheduling
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct FirstResultTests {
    @Test("a value that was set before the wait is returned without suspending; later values are ignored")
    func setBefore() async {
        let result = FirstResult<Int>()
        #expect(result.current == nil)
        result.set(1)
        result.set(2)
        expectEqual(result.current, 1)
        await expectEqual(result.value(), 1)
        await expectEqual(result.value(), 1)
    }

    @Test("a waiting task is resumed with the first of several values")
    func setLater() async throws {
        let result = FirstResult<Int>()
        let waiting = Task { await result.value() }
        DispatchQueue.global().async { for value in 1...3 { result.set(value) } }
        await expectEqual(waiting.value, 1)
    }

    @Test("a value that is set while the task begins to wait resumes it exactly once")
    func race() async {
        var sum = 0
        for number in 0..<20_000 {
            let result = FirstResult<Int>()
            DispatchQueue.global().async { result.set(number) }
            DispatchQueue.global().async { result.set(number) }
            sum += await result.value()
        }
        expectEqual(sum, 199_990_000)
    }

    @Test("a value is released with the result that stores it")
    func release() async {
        final class Object: Sendable {}
        weak var object: Object?
        do {
            let result = FirstResult<Object>()
            let value = Object()
            object = value
            result.set(value)
            _ = await result.value()
        }
        #expect(object == nil)
    }
}
