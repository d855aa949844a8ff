import Foundation
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

/// The pictures of the documentation, which are drawn from recordings of the operators.
///
/// `UPDATE_PICTURES=1 swift test --filter PictureTests` draws them again.
@Suite(.queued, .timeLimit(.minutes(10))) struct PictureTests {
    struct Picture: Sendable, CustomStringConvertible {
        let name: String
        let label: String
        let inputs: [(name: String, marbles: String)]
        let output: String
        /// The row of values that closures of the operator send.
        let effects: (name: String, marbles: String)?
        let stream: @Sendable (VirtualTime, [Observable<String>], Emitter<String>) -> Observable<String>

        var description: String { name }

        init(
            name: String, label: String, inputs: [(name: String, marbles: String)], output: String,
            stream: @escaping @Sendable (VirtualTime, [Observable<String>]) -> Observable<String>
        ) {
            self.init(name: name, label: label, inputs: inputs, output: output, effects: nil) { time, streams, _ in
                stream(time, streams)
            }
        }

        init(
            name: String, label: String, inputs: [(name: String, marbles: String)], output: String,
            effects: (name: String, marbles: String)?,
            stream: @escaping @Sendable (VirtualTime, [Observable<String>], Emitter<String>) -> Observable<String>
        ) {
            self.name = name
            self.label = label
            self.inputs = inputs
            self.output = output
            self.effects = effects
            self.stream = stream
        }
    }

    static let pictures: [Picture] = [
        Picture(name: "map", label: "map { $0.uppercased() }", inputs: [("source", "a--b--c|")], output: "A--B--C|") {
            $1[0].map { $0.uppercased() }
        },
        Picture(
            name: "filter", label: "filter { $0 > \"2\" }", inputs: [("source", "1--2--3--4|")], output: "------3--4|"
        ) {
            $1[0].filter { $0 > "2" }
        },
        Picture(name: "take", label: "take(2)", inputs: [("source", "-a--b--c|")], output: "-a--(b|)") {
            $1[0].take(2)
        },
        Picture(
            name: "flatMap", label: "flatMap { inner }", inputs: [("source", "a--b-----|"), ("inner", "1-2-3|")],
            output: "1-2132-3-|"
        ) { _, streams in streams[0].flatMap { _ in streams[1] } },
        Picture(
            name: "flatMapLatest", label: "flatMapLatest { inner }",
            inputs: [("source", "a--b-----|"), ("inner", "1-2-3|")], output: "1-21-2-3-|"
        ) { _, streams in streams[0].flatMapLatest { _ in streams[1] } },
        Picture(
            name: "catch", label: "catch { replacement }",
            inputs: [("source", "-a--#"), ("replacement", "--r|")], output: "-a----r|"
        ) { _, streams in streams[0].catch { _ in streams[1] } },
        Picture(name: "retry", label: "retry(times: 1)", inputs: [("source", "-a--#")], output: "-a---a--#") {
            $1[0].retry(times: 1)
        },
        Picture(
            name: "debounce", label: "debounce(for: 2 ms)", inputs: [("source", "ab----c|")], output: "---b---(c|)"
        ) { time, streams in streams[0].debounce(for: .milliseconds(2), on: time) },
        Picture(name: "scan", label: "scan(\"\", +)", inputs: [("source", "a--b--c|")], output: "a--{ab}--{abc}|") {
            $1[0].scan("", +)
        },
        Picture(
            name: "flatMapFirst", label: "flatMapFirst { inner }",
            inputs: [("source", "a--b---c-----|"), ("inner", "1-2-3|")], output: "1-2-3--1-2-3-|"
        ) { _, streams in streams[0].flatMapFirst { _ in streams[1] } },
        Picture(
            name: "concatMap", label: "concatMap { inner }",
            inputs: [("source", "a--b------|"), ("inner", "1-2-3|")], output: "1-2-31-2-3|"
        ) { _, streams in streams[0].concatMap { _ in streams[1] } },
        Picture(
            name: "buffer", label: "buffer(count: 2)", inputs: [("source", "a-b--c-d--e|")],
            output: "--{ab}----{cd}---(e|)"
        ) { $1[0].buffer(count: 2).map { $0.joined() } },
        Picture(
            name: "takeUntil", label: "take(until: trigger)", inputs: [("source", "a--b--c|"), ("trigger", "----x")],
            output: "a--b|"
        ) { $1[0].take(until: $1[1]) },
        Picture(
            name: "distinctUntilChanged", label: "distinctUntilChanged()", inputs: [("source", "a-a-b-b-a|")],
            output: "a---b---a|"
        ) { $1[0].distinctUntilChanged() },
        Picture(
            name: "enumerated", label: "enumerated()", inputs: [("source", "a--b--c|")], output: "{0a}--{1b}--{2c}|"
        ) { $1[0].enumerated().map { "\($0.index)\($0.element)" } },
        Picture(
            name: "pairwise", label: "pairwise()", inputs: [("source", "a--b--c|")], output: "---{ab}--{bc}|"
        ) { $1[0].pairwise().map { $0.previous + $0.current } },
        Picture(
            name: "groupBy", label: "groupBy { $0.lowercased() }.flatMap { $0.values.toArray() }",
            inputs: [("source", "a--b--A--B|")], output: "----------({aA}{bB}|)"
        ) { $1[0].groupBy { $0.lowercased() }.flatMap { $0.values.toArray().map { $0.joined() } } },
        Picture(
            name: "window", label: "window(count: 2).flatMap { $0.toArray() }", inputs: [("source", "a-b--c-d--e|")],
            output: "--{ab}----{cd}---(e|)"
        ) { $1[0].window(count: 2).flatMap { $0.toArray().map { $0.joined() } } },
        Picture(
            name: "merge", label: "merge", inputs: [("a", "a---b|"), ("b", "--x----y|")], output: "a-x-b--y|"
        ) { $1[0].merge(with: $1[1]) },
        Picture(
            name: "concat", label: "concat", inputs: [("a", "a-b|"), ("b", "-x-y|")], output: "a-b-x-y|"
        ) { $1[0].concat($1[1]) },
        Picture(
            name: "zip", label: "zip", inputs: [("a", "1--2----3|"), ("b", "-x----y--z|")],
            output: "-{1x}----{2y}--({3z}|)"
        ) { Observable.zip($1[0], $1[1]).map { $0 + $1 } },
        Picture(
            name: "combineLatest", label: "combineLatest", inputs: [("a", "1----2---|"), ("b", "--x----y---|")],
            output: "--{1x}--{2x}-{2y}---|"
        ) { Observable.combineLatest($1[0], $1[1]).map { $0 + $1 } },
        Picture(
            name: "withLatestFrom", label: "withLatestFrom(other)",
            inputs: [("source", "a---b---c|"), ("other", "--1--2")], output: "----{b1}---{c2}|"
        ) { $1[0].withLatestFrom($1[1]).map { $0 + $1 } },
        Picture(
            name: "race", label: "race", inputs: [("a", "---a--b|"), ("b", "-x--y|")], output: "-x--y|"
        ) { Observable.race($1[0], $1[1]) },
        Picture(
            name: "throttle", label: "throttle(for: 3 ms)", inputs: [("source", "ab-c-----d---|")],
            output: "a--c-----d---|"
        ) { time, streams in streams[0].throttle(for: .milliseconds(3), on: time) },
        Picture(
            name: "sample", label: "sample(by: sampler)",
            inputs: [("source", "a-b-----c-|"), ("sampler", "---x--x--x")],
            output: "---b-----c|"
        ) { $1[0].sample(by: $1[1]) },
        Picture(name: "delay", label: "delay(for: 2 ms)", inputs: [("source", "a-b|")], output: "--a-b|") {
            time, streams in streams[0].delay(for: .milliseconds(2), on: time)
        },
        Picture(name: "timeout", label: "timeout(after: 3 ms)", inputs: [("source", "a-b-----c|")], output: "a-b--#") {
            time, streams in streams[0].timeout(after: .milliseconds(3), on: time)
        },
    ]

    private static var folder: URL {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return root.appending(path: "Sources/MoyaStreams/MoyaStreams.docc/Resources")
    }

    @Test(
        "T6: each picture shows the behavior of the operator, and is up to date",
        arguments: pictures + operatorPictures)
    func isTrue(_ picture: Picture) throws {
        let time = VirtualTime()
        let (effects, emitter) = Signal<String>.pipe()
        let effectRecording = time.record(effects)
        let recording = time.play(
            picture.stream(time, picture.inputs.map { time.cold($0.marbles).observable }, emitter))
        expectEqual(recording.marbles, picture.output)
        var rows = picture.inputs.map { MarbleDiagram.Row.stream($0.name, $0.marbles) }
        rows += [.operator(picture.label), .stream("", recording)]
        if let effects = picture.effects {
            expectEqual(effectRecording.marbles, effects.marbles)
            rows.append(.stream(effects.name, effectRecording))
        }
        let svg = MarbleDiagram(rows).svg
        // The site of the documentation has a switch for its appearance, which a media query does not follow.
        for (suffix, color) in [("", "#1d1d1f"), ("~dark", "#f5f5f7")] {
            try check(svg, in: color, Self.folder.appending(path: "\(picture.name)\(suffix).svg"))
        }
    }

    /// Compares a file with a diagram in one color, after writing it if that is requested.
    private func check(_ svg: String, in color: String, _ file: URL) throws {
        let adaptive = "svg:root{color:#1d1d1f}@media(prefers-color-scheme:dark){svg:root{color:#f5f5f7}}"
        try #require(svg.contains(adaptive))
        let drawn = svg.replacing(adaptive, with: "svg:root{color:\(color)}")
        if ProcessInfo.processInfo.environment["UPDATE_PICTURES"] != nil {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try Data(drawn.utf8).write(to: file)
        }
        let stored = try String(contentsOf: file, encoding: .utf8)
        let isUpToDate = stored == drawn
        #expect(isUpToDate, "write it anew: UPDATE_PICTURES=1 swift test --filter PictureTests")
    }

    @Test("each page of an operator shows a picture that is tested")
    func pagesHavePictures() throws {
        let pages = try FileManager.default.contentsOfDirectory(
            at: Self.folder.deletingLastPathComponent().appending(path: "Operators"), includingPropertiesForKeys: nil)
        let names = Set((Self.pictures + Self.operatorPictures).map(\.name))
        // The lists of all operators of a type have no picture.
        let operators = pages.filter { !["Subscribable.md", "Observable.md"].contains($0.lastPathComponent) }
        #expect(operators.count > 50)
        for page in operators {
            let shown = try String(contentsOf: page, encoding: .utf8).matches(of: /!\[[^\]]+\]\((\w+)\)/)
            #expect(shown.contains { names.contains(String($0.1)) }, "\(page.lastPathComponent)")
        }
    }

    @Test("the gallery shows each operator and factory")
    func galleryIsComplete() throws {
        let article = try String(
            contentsOf: Self.folder.deletingLastPathComponent().appending(path: "Operators.md"), encoding: .utf8)
        let module = Self.folder.deletingLastPathComponent().deletingLastPathComponent()
        let files = FileManager.default.enumerator(at: module, includingPropertiesForKeys: nil)
        var names: Set<String> = []
        for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
            guard file.path.contains("/Operators/") || file.path.contains("/Creation/") else { continue }
            for match in try String(contentsOf: file, encoding: .utf8).matches(of: /public (?:static )?func `?(\w+)/) {
                names.insert(String(match.1))
            }
        }
        #expect(names.count > 50)
        let missing = names.filter { name in
            !["`\(name)(", "/\(name)("].contains { article.contains($0) }
        }
        #expect(missing.isEmpty)
    }
}
