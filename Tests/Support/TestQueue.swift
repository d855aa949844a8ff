import Foundation
package import Testing

/// Runs two tests per processor at a time.
///
/// Without it, Swift Testing begins all tests at once, and those that wait for a server in real time starve.
package struct TestQueue: SuiteTrait, TestTrait, TestScoping {
    /// Whether the test has its place; a test inherits the trait of each suite around it.
    @TaskLocal private static var isRunning = false

    package var isRecursive: Bool { true }

    package func scopeProvider(for test: Test, testCase: Test.Case?) -> TestQueue? { testCase == nil ? nil : self }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        if Self.isRunning { return try await function() }
        await RunningTests.shared.begin()
        let result: Result<Void, any Error>
        do {
            result = .success(try await Self.$isRunning.withValue(true) { try await function() })
        } catch { result = .failure(error) }
        await RunningTests.shared.end()
        try result.get()
    }
}

extension Trait where Self == TestQueue {
    package static var queued: TestQueue { TestQueue() }
}

private actor RunningTests {
    static let shared = RunningTests()

    private var free = 2 * ProcessInfo.processInfo.activeProcessorCount
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin() async {
        if free > 0 { return free -= 1 }
        await withCheckedContinuation { waiting.append($0) }
    }

    func end() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
