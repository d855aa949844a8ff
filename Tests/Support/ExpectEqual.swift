package import Testing

/// Records an issue if two values are not equal.
///
/// It is what `#expect(actual == expected)` is, which the compiler needs five times as long to check, because a macro
/// writes it anew with closures. With some three thousand of them, that is a quarter of the build of the tests.
package func expectEqual<Value: Equatable>(
    _ actual: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    if actual == expected { return }
    let values = "\(String(reflecting: actual)) is not \(String(reflecting: expected))"
    Issue.record(comment().map { "\(values): \($0)" } ?? "\(values)", sourceLocation: sourceLocation)
}
