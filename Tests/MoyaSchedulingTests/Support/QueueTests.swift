import MoyaScheduling
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct QueueTests {
    @Test func isFirstInFirstOut() {
        var queue = Queue<Int>()
        #expect(queue.popFirst() == nil)
        for number in 0..<100 { queue.append(number) }
        expectEqual((0..<60).map { _ in queue.popFirst() }, Array(0..<60))
        for number in 100..<110 { queue.append(number) }
        expectEqual(queue.elements, Array(60..<110))
        expectEqual(queue.count, 50)
        expectEqual((0..<50).map { _ in queue.popFirst() }, Array(60..<110))
        #expect(queue.popFirst() == nil)
    }

    @Test func hasAHeadAndALastElement() {
        var queue = Queue([1, 2, 3])
        expectEqual(queue.head, 1)
        expectEqual(queue.last, 3)
        _ = (queue.popFirst(), queue.popFirst())
        expectEqual(queue.head, 3)
        expectEqual(queue.last, 3)
        _ = queue.popFirst()
        #expect(queue.isEmpty)
        #expect(queue.head == nil)
        #expect(queue.last == nil)
        #expect(queue.elements.isEmpty)
    }

    @Test func releasesRemovedElements() {
        final class Thing: Sendable {}
        var queue = Queue<Thing>()
        weak var first: Thing?
        do {
            let thing = Thing()
            first = thing
            queue.append(thing)
            queue.append(Thing())
        }
        _ = queue.popFirst()
        #expect(first == nil)
        expectEqual(queue.count, 1)
    }
}
