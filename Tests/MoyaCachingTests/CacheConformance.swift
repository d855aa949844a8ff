import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@testable import MoyaCaching

/// The public conformance tests of HTTP caches, read from `../shared/cache-tests/tests.json` beside the package.
@Suite(.queued, .timeLimit(.minutes(10))) struct CacheConformance {
    static let file: URL = {
        var root = URL(filePath: #filePath)
        repeat {
            root.deleteLastPathComponent()
        } while root.path != "/" && !FileManager.default.fileExists(atPath: root.appending(path: "Package.swift").path)
        let besides = root.deletingLastPathComponent().appending(path: "shared/cache-tests/tests.json")
        return ProcessInfo.processInfo.environment["MOYA_CACHE_TESTS"].map { URL(filePath: $0) } ?? besides
    }()

    /// The tests that fail, with the reasons.
    static let exceptions: [String: String] = [
        "vary-normalise-lang-order": "the order of languages may be a preference (RFC 9110, section 12.5.4)",
        "vary-normalise-lang-select": "a cache does not negotiate in place of the server",
        "other-cookie": "users are separated by their cookies",
        "conditional-lm-fresh-no-lm": "the Date is later than the precondition (RFC 9111, section 4.3.2)",
        "partial-store-partial-reuse-partial": "partial content is not stored",
        "partial-store-partial-reuse-partial-byterange": "partial content is not stored",
        "partial-store-partial-reuse-partial-absent": "partial content is not stored",
        "partial-store-partial-reuse-partial-suffix": "partial content is not stored",
        "partial-store-partial-complete": "partial content is not stored",
    ]

    @Test(
        "the cache passes the public tests for private caches",
        .enabled(if: FileManager.default.fileExists(atPath: file.path)), arguments: [false, true])
    func passesPublicTests(isOnDisk: Bool) throws {
        let directory = try TemporaryDirectory()
        let suites = try JSONValue(data: Data(contentsOf: Self.file)).array ?? []
        let cases = suites.flatMap { suite in
            (suite["tests"]?.array ?? []).map { ConformanceCase($0, suite: suite["id"]?.string ?? "") }
        }
        .filter { $0.appliesToPrivateCaches }
        expectEqual(cases.count, 329)
        var passed: [String: Int] = [:]
        var failures: [(ConformanceCase, String)] = []
        for test in cases {
            let cache = isOnDisk ? try directory.cache() : HTTPCache()
            defer { cache.removeAll() }
            if let failure = try test.failure(in: cache) {
                failures.append((test, failure))
            } else {
                passed[test.kind, default: 0] += 1
            }
        }
        let counts = Dictionary(grouping: cases, by: \.kind).mapValues(\.count)
        print(
            "cache-tests: required \(passed["required"] ?? 0)/\(counts["required"] ?? 0), "
                + "optimal \(passed["optimal"] ?? 0)/\(counts["optimal"] ?? 0)"
                + (isOnDisk ? " on disk" : ""))
        for (test, failure) in failures where test.kind != "check" {
            print("  \(test.kind) \(test.id): \(Self.exceptions[test.id] ?? "UNEXPECTED") [\(failure)]")
            #expect(Self.exceptions[test.id] != nil, "\(test.id): \(failure)")
        }
        for (test, failure) in failures where test.kind == "check" { print("  check \(test.id): \(failure)") }
        #expect((passed["optimal"] ?? 0) >= 80)
    }
}
