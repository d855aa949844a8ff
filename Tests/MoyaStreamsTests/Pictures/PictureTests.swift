import Foundation
import MoyaStreams
import MoyaTesting
import Testing

/// The pictures of the documentation show what the operators really do: each is drawn from recordings.
///
/// `UPDATE_PICTURES=1 swift test --filter PictureTests` writes them anew.
@Suite struct PictureTests {
    struct Picture: Sendable, CustomStringConvertible {
        let name: String
        let label: String
        let inputs: [(name: String, marbles: String)]
        let output: String
        let stream: @Sendable (VirtualTime, [Observable<String>]) -> Observable<String>

        var description: String { name }
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
            name: "catchError", label: "catchError { replacement }",
            inputs: [("source", "-a--#"), ("replacement", "--r|")], output: "-a----r|"
        ) { _, streams in streams[0].catchError { _ in streams[1] } },
        Picture(name: "retry", label: "retry(times: 1)", inputs: [("source", "-a--#")], output: "-a---a--#") {
            $1[0].retry(times: 1)
        },
        Picture(
            name: "debounce", label: "debounce(for: 2 ms)", inputs: [("source", "ab----c|")], output: "---b---(c|)"
        ) { time, streams in streams[0].debounce(for: .milliseconds(2), on: time) },
    ]

    private static var folder: URL {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return root.appending(path: "Sources/MoyaStreams/MoyaStreams.docc/Resources")
    }

    @Test("T6: what a picture shows is what the operator does, and the picture is up to date", arguments: pictures)
    func isTrue(_ picture: Picture) throws {
        let time = VirtualTime()
        let recording = time.play(picture.stream(time, picture.inputs.map { time.cold($0.marbles).observable }))
        #expect(recording.marbles == picture.output)
        let inputs = picture.inputs.map { MarbleDiagram.Row.stream($0.name, $0.marbles) }
        let svg = MarbleDiagram(inputs + [.operator(picture.label), .stream("", recording)]).svg
        let file = Self.folder.appending(path: "\(picture.name).svg")
        if ProcessInfo.processInfo.environment["UPDATE_PICTURES"] != nil {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try Data(svg.utf8).write(to: file)
        }
        let stored = try String(contentsOf: file, encoding: .utf8)
        let isUpToDate = stored == svg
        #expect(isUpToDate, "write it anew: UPDATE_PICTURES=1 swift test --filter PictureTests")
    }
}
