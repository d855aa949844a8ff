import Testing

// Code as teams have it, written from the documentation of RxSwift, RxRelay, RxTest and RxMoya: it compiles here in
// Swift 5 mode with other imports. The expected values are those of the libraries.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RxSwiftCodeTests {
    // The names of results that differ, with the reason. They are in the article RxMoyaCompatibility.
    private static let differences = [
        "mapJSON": "a JSONValue is no dictionary", "mapJSON of empty body allowed": "a JSONValue is not NSNull",
        "progress of a stub": "stubs report progress", "filterCompleted of a stub": "stubs report progress",
        "progress error": "progress begins with the request",
        "testBufferWithTimeOrCount": "the time of a buffer starts with its first value",
        "testWindowWithTimeOrCount": "the time of a window starts with its first value",
        "testSample": "sample completes with its source", "buffer by count leaves an empty rest": "no empty arrays",
        "testObserveOn": "the source is released at its end",
        "testSubscribeOn": "the source is released at its end",
        "re-entrant PublishSubject is depth first": "values are queued",
        "share replay 1 forever keeps the element": "a completed run is kept",
    ]

    /// Fails for each other difference, and for each one that is listed and does not occur.
    private func check(_ failures: [(name: String, text: String)], _ expected: Set<String>) {
        for failure in failures where !expected.contains(failure.name) { Issue.record("\(failure.text)") }
        #expect(expected.subtracting(failures.map(\.name)).isEmpty)
        #expect(expected.isSubset(of: Self.differences.keys))
    }

    private func named(_ failures: [String], until separator: Character) -> [(name: String, text: String)] {
        failures.map { (String($0.prefix { $0 != separator }), $0) }
    }

    @Test("a networking layer of RxMoya") func networking() {
        check(
            named(networkingFailures(), until: ":"),
            [
                "mapJSON", "mapJSON of empty body allowed", "progress of a stub", "filterCompleted of a stub",
                "progress error",
            ])
    }

    @Test("tests of RxTest") func operators() {
        check(
            runOperatorTests().map { (String($0.test.prefix { $0 != "(" }), "\($0.test): \($0.message)") },
            [
                "testBufferWithTimeOrCount", "testWindowWithTimeOrCount", "testSample", "testObserveOn",
                "testSubscribeOn",
            ])
    }

    @Test("behaviors of RxSwift") func behave() {
        #expect(behaviors.count > 200)
        check(
            named(behaviorFailures(), until: "\n"),
            [
                "buffer by count leaves an empty rest",
                "re-entrant PublishSubject is depth first",
                "share replay 1 forever keeps the element",
            ])
    }
}
