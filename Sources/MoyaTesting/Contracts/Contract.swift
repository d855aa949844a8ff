import Moya

/// One thing that every implementation promises, and a check of it that any test framework can run.
///
/// ```swift
/// @Test(arguments: TransportContract.claims)
/// func keepsTheContract(_ claim: ContractClaim<any Transport>) async throws {
///     try await claim.check(MyTransport())
/// }
/// ```
public struct ContractClaim<Subject: Sendable>: Sendable, CustomStringConvertible {
    /// What is promised.
    public let description: String
    private let body: @Sendable (Subject) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (Subject) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Checks it with a subject of its own: in a few seconds, or in two minutes when something never comes.
    ///
    /// - Throws: a ``ContractViolation`` that says what was expected and what was there.
    public func check(_ subject: Subject) async throws {
        do {
            try await body(subject)
        } catch let violation as ContractViolation {
            throw ContractViolation(description: "\(description): \(violation.description)")
        }
    }
}

/// A promise that was not kept.
public struct ContractViolation: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected, and what was there.
    public let description: String
}

/// Throws unless both are equal.
func expect<Value: Equatable>(
    _ actual: Value, is expected: Value, _ what: String
) throws(ContractViolation) {
    guard actual == expected else {
        throw ContractViolation(description: "\(what) is \(actual) instead of \(expected)")
    }
}

/// Waits for a condition in real time, with a bound.
func until(
    _ what: String, within bound: Duration = .seconds(120), _ condition: @escaping @Sendable () -> Bool
) async throws(ContractViolation) {
    let scheduler = DispatchScheduler.background
    let end = scheduler.now + bound
    while !condition() {
        guard scheduler.now < end else { throw ContractViolation(description: "waited \(bound) in vain until \(what)") }
        await withCheckedContinuation { continuation in
            scheduler.schedule(after: .milliseconds(1)) { continuation.resume() }
        }
    }
}
