import Moya

/// One requirement of a protocol, with a check that any test framework can run.
///
/// ```swift
/// @Test(arguments: TransportContract.claims)
/// func keepsTheContract(_ claim: ContractClaim<any Transport>) async throws {
///     try await claim.check(MyTransport())
/// }
/// ```
public struct ContractClaim<Subject: Sendable>: Sendable, CustomStringConvertible {
    /// The requirement in words, such as "a connection is reused".
    public let description: String
    private let body: @Sendable (Subject) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (Subject) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Checks whether an implementation meets the requirement.
    ///
    /// The check takes a few seconds, or up to two minutes if an expected event does not arrive. No other check may use
    /// `subject` at the same time.
    ///
    /// - Throws: a ``ContractViolation`` with the expected and the actual behavior.
    public func check(_ subject: Subject) async throws {
        do {
            try await body(subject)
        } catch let violation as ContractViolation {
            throw ContractViolation(description: "\(description): \(violation.description)")
        }
    }
}

/// The error of an implementation that violates a requirement.
public struct ContractViolation: Error, Sendable, Hashable, CustomStringConvertible {
    /// The expected and the actual behavior.
    public let description: String
}

func expect<Value: Equatable>(
    _ actual: Value, is expected: Value, _ what: String
) throws(ContractViolation) {
    guard actual == expected else {
        throw ContractViolation(description: "\(what) is \(actual) instead of \(expected)")
    }
}

func until(
    _ what: String, within bound: Duration = .seconds(120), _ condition: @escaping @Sendable () -> Bool
) async throws(ContractViolation) {
    let scheduler = DispatchScheduler.background
    let end = scheduler.now + bound
    var pause = Duration.milliseconds(1)
    while !condition() {
        guard scheduler.now < end else {
            throw ContractViolation(description: "timed out after \(bound) waiting until \(what)")
        }
        await withCheckedContinuation { continuation in
            scheduler.schedule(after: pause) { continuation.resume() }
        }
        pause = min(pause * 2, .milliseconds(32))
    }
}
