import MoyaScheduling
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct TimerHeapTests {
    @Test("R24: work for the same instant is popped first in, first out")
    func sameInstantIsFirstInFirstOut() {
        var heap = TimerHeap<Int>()
        for item in 0..<100 { heap.insert(item, due: .seconds(item % 3)) }
        var popped: [Int] = []
        while let entry = heap.pop(dueBy: .seconds(2)) { popped.append(entry.item) }
        let expected = (0..<3).flatMap { instant in (0..<100).filter { $0 % 3 == instant } }
        expectEqual(popped, expected)
    }

    @Test func nothingIsPoppedBeforeItIsDue() {
        var heap = TimerHeap<String>()
        heap.insert("later", due: .seconds(2))
        #expect(heap.pop(dueBy: .seconds(1)) == nil)
        expectEqual(heap.next?.due, .seconds(2))
        expectEqual(heap.pop(dueBy: .seconds(2))?.item, "later")
    }

    @Test func keepingSomeKeepsTheirOrder() {
        var heap = TimerHeap<Int>()
        for item in (0..<1000).shuffled() { heap.insert(item, due: .milliseconds(item)) }
        for _ in 1..<500 { #expect(heap.countCancelled(minimum: 0) { $0 % 7 != 0 }.isEmpty) }
        let removed = [499, 500, 501].map { _ in heap.countCancelled(minimum: 0) { $0 % 7 != 0 }.map(\.item) }
        expectEqual(removed.flatMap(\.self).sorted(), (0..<1000).filter { $0 % 7 != 0 })
        var popped: [Int] = []
        while let entry = heap.pop(dueBy: .seconds(1)) { popped.append(entry.item) }
        expectEqual(popped, (0..<1000).filter { $0 % 7 == 0 })
    }
}
