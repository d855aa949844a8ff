package import Testing

/// Records an issue if two values are not equal.
///
/// Has the effect of `#expect(actual == expected)`. The compiler checks it five times as fast, because it expands no
/// macro; with some three thousand calls, that saves a quarter of the build of the tests.
package func expectEqual<Value: Equatable>(
    _ actual: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    if actual == expected { return }
    let values = "\(String(reflecting: actual)) is not \(String(reflecting: expected))"
    Issue.record(comment().map { "\(values): \($0)" } ?? "\(values)", sourceLocation: sourceLocation)
}
