/// A priority queue of items, ordered by due time; items with the same due time by rank, or first in, first out.
package struct TimerHeap<Item: Sendable>: Sendable {
    package struct Entry: Sendable {
        package let due: Duration
        package let rank: UInt64
        package let item: Item

        func precedes(_ other: Entry) -> Bool {
            due != other.due ? due < other.due : rank < other.rank
        }
    }

    private var heap: [Entry] = []
    private var inserted: UInt64 = 0
    private var cancelled = 0

    package init() {}

    package var count: Int { heap.count }
    package var next: Entry? { heap.first }

    package var entries: [Entry] { heap }

    package mutating func insert(_ item: Item, due: Duration, rank: UInt64? = nil) {
        inserted += 1
        heap.append(Entry(due: due, rank: rank ?? inserted, item: item))
        siftUp(from: heap.count - 1)
    }

    package mutating func pop(dueBy time: Duration) -> Entry? {
        guard let first = heap.first, first.due <= time else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown(from: 0)
        return first
    }

    /// Counts a cancelled item; removes all cancelled ones if they are more than `minimum` and more than the others.
    ///
    /// Returns the removed entries, to be released outside a lock.
    package mutating func countCancelled(minimum: Int, where isCancelled: (Item) -> Bool) -> [Entry] {
        cancelled += 1
        guard cancelled > minimum, cancelled > count / 2 else { return [] }
        cancelled = 0
        let end = heap.partition { isCancelled($0.item) }
        defer {
            heap.removeSubrange(end...)
            for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(from: index) }
        }
        return Array(heap[end...])
    }

    private mutating func siftUp(from start: Int) {
        var index = start
        while index > 0, heap[index].precedes(heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func siftDown(from start: Int) {
        var index = start
        while true {
            var smallest = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < heap.count && heap[child].precedes(heap[smallest]) {
                smallest = child
            }
            guard smallest != index else { return }
            heap.swapAt(index, smallest)
            index = smallest
        }
    }
}
