import MoyaStreams
import MoyaTesting

/// The pictures of the pages of single operators.
extension PictureTests {
    static let operatorPictures: [Picture] = [
        Picture(
            name: "compactMap", label: "compactMap { Int($0) }", inputs: [("source", "1--x--3|")], output: "1-----3|"
        ) { $1[0].compactMap { Int($0) }.map { "\($0)" } },
        Picture(
            name: "reduce", label: "reduce(\"\", +)", inputs: [("source", "a--b--c|")], output: "-------({abc}|)"
        ) { $1[0].reduce("", +) },
        Picture(
            name: "toArray", label: "toArray()", inputs: [("source", "a--b--c|")], output: "-------({[a, b, c]}|)"
        ) { $1[0].toArray().map { "[\($0.joined(separator: ", "))]" } },
        Picture(
            name: "materialize", label: "materialize()", inputs: [("source", "a--#")],
            output: "{next(a)}--({error}|)"
        ) { $1[0].materialize().map { if case .next(let value) = $0 { "next(\(value))" } else { "error" } } },
        Picture(
            name: "asResults", label: "asResults()", inputs: [("source", "a---#")],
            output: "{success(a)}---({failure}|)"
        ) { $1[0].asResults().map { if case .success(let value) = $0 { "success(\(value))" } else { "failure" } } },
        Picture(
            name: "switchLatest", label: "switchLatest()",
            inputs: [("source", "a---b-----|"), ("a", "-1-2-3"), ("b", "-x|")], output: "-1-2-x----|"
        ) { _, streams in
            let (first, second) = (streams[1], streams[2])
            return streams[0].map { $0 == "a" ? first : second }.switchLatest()
        },
        Picture(
            name: "expand", label: "expand { $0 < 4 ? just($0 * 2) : empty }", inputs: [("source", "1---3---|")],
            output: "(124)---(36)---|"
        ) { $1[0].compactMap { Int($0) }.expand { $0 < 4 ? .just($0 * 2) : .empty() }.map { "\($0)" } },
        Picture(
            name: "bufferFor", label: "buffer(for: 3 ms, count: 3)", inputs: [("source", "ab---cdef|")],
            output: "---{ab}---{cde}-(f|)"
        ) { time, streams in
            streams[0].buffer(for: .milliseconds(3), count: 3, on: time).map { $0.joined() }
        },
        Picture(
            name: "takeWhile", label: "take(while: { $0 < \"3\" })", inputs: [("source", "1--2--3--1|")],
            output: "1--2--|"
        ) { $1[0].take(while: { $0 < "3" }) },
        Picture(name: "takeLast", label: "takeLast(2)", inputs: [("source", "a--b--c|")], output: "-------(bc|)") {
            $1[0].takeLast(2)
        },
        Picture(name: "skip", label: "skip(2)", inputs: [("source", "a--b--c|")], output: "------c|") {
            $1[0].skip(2)
        },
        Picture(
            name: "skipWhile", label: "skip(while: { $0 < \"3\" })", inputs: [("source", "1--2--3--1|")],
            output: "------3--1|"
        ) { $1[0].skip(while: { $0 < "3" }) },
        Picture(
            name: "skipUntil", label: "skip(until: trigger)", inputs: [("source", "a--b--c|"), ("trigger", "----x")],
            output: "------c|"
        ) { $1[0].skip(until: $1[1]) },
        Picture(name: "first", label: "first()", inputs: [("source", "--a--b|")], output: "--(a|)") { $1[0].first() },
        Picture(name: "single", label: "single()", inputs: [("source", "--a--|")], output: "-----(a|)") {
            $1[0].single()
        },
        Picture(name: "elementAt", label: "element(at: 1)", inputs: [("source", "a--b--c|")], output: "---(b|)") {
            $1[0].element(at: 1)
        },
        Picture(name: "ignoreElements", label: "ignoreElements()", inputs: [("source", "a--b|")], output: "----|") {
            $1[0].ignoreElements()
        },
        Picture(name: "ifEmpty", label: "ifEmpty(default: a)", inputs: [("source", "--|")], output: "--(a|)") {
            $1[0].ifEmpty(default: "a")
        },
        Picture(
            name: "ifEmptySwitch", label: "ifEmpty(switchTo: other)", inputs: [("source", "--|"), ("other", "--a|")],
            output: "----a|"
        ) { $1[0].ifEmpty(switchTo: $1[1]) },
        Picture(name: "startWith", label: "startWith(a)", inputs: [("source", "--b|")], output: "a-b|") {
            $1[0].startWith("a")
        },
        Picture(name: "catchAndReturn", label: "catchAndReturn(b)", inputs: [("source", "a--#")], output: "a--(b|)") {
            $1[0].catchAndReturn("b")
        },
        Picture(name: "mapError", label: "mapError { other }", inputs: [("source", "a--#")], output: "a--#") {
            $1[0].mapError { _ in MarbleFailure() }
        },
        Picture(
            name: "retryPolicy", label: "retry(.constant(3 ms, times: 1))", inputs: [("source", "-a-#")],
            output: "-a-----a-#"
        ) { time, streams in streams[0].retry(.constant(.milliseconds(3), times: 1), on: time) },
        Picture(
            name: "retryWhen", label: "retry { notice }", inputs: [("source", "-a-#"), ("notice", "---x")],
            output: "-a-----a-#"
        ) { _, streams in
            let notice = streams[1]
            return streams[0].retry { _, number in number == 1 ? notice : .empty() }
        },
        Picture(name: "repeat", label: "repeat(times: 2)", inputs: [("source", "a-b|")], output: "a-ba-b|") {
            $1[0].repeat(times: 2)
        },
        Picture(
            name: "share", label: "share(), subscribed at 2 ms", inputs: [("source", "a--b--c|")], output: "---b--c|"
        ) { time, streams in
            let shared = streams[0].share()
            let later = Observable<Int>.timer(after: .milliseconds(2), on: time).flatMap { _ in shared }
            return shared.ignoreElements().merge(with: later)
        },
        Picture(
            name: "multicast", label: "multicast(), connected at 2 ms", inputs: [("source", "a--b|")],
            output: "--a--b|"
        ) { time, streams in
            let (signal, connect) = streams[0].multicast()
            time.schedule(after: .milliseconds(2)) { _ = connect() }
            return signal.observable
        },
        Picture(
            name: "observe", label: "observe(on: queue), busy until 4 ms", inputs: [("source", "a-b---c--|")],
            output: "----(ab)-c--|"
        ) { time, streams in streams[0].observe(on: BusyScheduler(time: time, end: .milliseconds(4))) },
        Picture(
            name: "subscribeOn", label: "subscribe(on: queue), busy until 3 ms", inputs: [("source", "a-b|")],
            output: "---a-b|"
        ) { time, streams in streams[0].subscribe(on: BusyScheduler(time: time, end: .milliseconds(3))) },
        Picture(
            name: "handleEvents", label: "handleEvents(onNext: log, onEnd: { log(\"end\") })",
            inputs: [("source", "-a--b---|")], output: "-a--b---|", effects: ("log", "-a--b---{end}")
        ) { _, streams, log in
            streams[0].handleEvents(onNext: { log.send($0) }, onEnd: { log.send("end") })
        },
        Picture(
            name: "debug", label: "debug(\"x\")", inputs: [("source", "----a---b----|")], output: "----a---b----|",
            effects: ("x:", "{subscribed}---{next a}---{next b}----{completed}")
        ) { _, streams, log in
            // Without the label, which the name of the row stands for.
            streams[0].debug("x", to: { log.send(String($0.dropFirst(3))) })
        },
    ]
}

/// A scheduler whose work runs when the clock has reached a time.
private struct BusyScheduler: Scheduler {
    let time: VirtualTime
    let end: Duration

    var now: Duration { time.now }

    func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        time.schedule(after: max(delay, end - time.now), fileID: fileID, line: line, work)
    }
}
