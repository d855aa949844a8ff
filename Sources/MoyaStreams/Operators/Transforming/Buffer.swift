extension Subscribable {
    /// Collects the values in arrays of `count` values each.
    ///
    /// ```text
    /// source:             a-b-c|
    /// buffer(count: 2):   --{[a, b]}--({[c]}|)
    /// ```
    /// Completion sends the remaining values, and a failure drops them; no array is empty. Buffers up to `count`
    /// values. A `count` below 1 counts as 1.
    public func buffer(count: Int) -> Observable<[Element]> {
        stateful([Element]()) { elements, element, downstream in
            let isFull = elements.change { elements in
                elements.append(element)
                return elements.count >= count
            }
            if isFull { downstream.next(elements.exchange([])) }
        } atEnd: { rest, downstream in
            if !rest.isEmpty { downstream.send(rest) }
        }
    }

    /// Collects the values in arrays; sends an array when its window of time ends or when it has `count` values.
    ///
    /// ```text
    /// source:                    ab---cdef|
    /// buffer(for: 3, count: 3):  ---{[a, b]}---{[c, d, e]}-({[f]}|)
    /// ```
    /// The first value of an array begins a window. When the window ends, the array is delivered on the scheduler. If
    /// the timer of the window is late, the next event sends the array, even a failure. Completion sends the remaining
    /// values. A failure drops them. No array is empty. An array that is sent by a value or by completion is
    /// delivered on the thread of that event. Buffers up to `count` values. A `count` below 1 counts as 1.
    public func buffer(
        for window: Duration, count: Int = .max, on scheduler: any Scheduler
    ) -> Observable<[Element]> {
        self.window(for: window, count: count, on: scheduler).concatMap { $0.toArray() }
    }
}
