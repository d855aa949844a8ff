import Foundation
import MoyaStreams
import TestSupport
import Testing

/// A malicious server with HTTP/2; see `servers/http2.py`.
@Suite(.enabled(if: address("MOYA_H2") != nil), .queued, .timeLimit(.minutes(10)))
struct HostileTests {
    /// A behavior of the server, and its allowed outcomes: a status code with the content, or the kind of the error.
    struct Behavior: Sendable, CustomTestStringConvertible {
        let path: String
        let outcomes: Set<String>
        /// The reason for another outcome.
        var fault: String?
        /// The versions of libcurl that have the fault.
        var faulty: Set<Libcurl>

        var testDescription: String { path }

        init(
            _ path: String, _ outcomes: Set<String>, but fault: String? = nil,
            with faulty: Set<Libcurl> = Set(Libcurl.allCases)
        ) {
            self.faulty = faulty
            self.path = path
            self.outcomes = outcomes
            self.fault = fault
        }
    }

    private static let lost: Set = ["connectionLost", "badResponse"]

    /// Valid but unusual behavior.
    private static let orders =
        [
            "/fine", "/interim-responses", "/trailers", "/padding", "/empty-frames", "/unknown-frames", "/split-head",
            "/goaway-and-response", "/settings-change", "/response-after-response", "/large-head?10", "/refused-once?1",
        ].map { Behavior($0, ["200 fine"]) }
        + ["/flood-of-settings", "/flood-of-pings"]
        .map { Behavior($0, ["200 fine"], but: "newer versions of libcurl have enough of it", with: [.from8]) }
        + [
            Behavior("/single-bytes", ["200 with 10000 bytes"]),
            Behavior("/window-ignored", ["200 with 80000000 bytes"]),
            Behavior("/reset-before-head?13", ["200 HTTP/1.1"]),
            Behavior("/large-head?100", lost.union(["200 fine"])),
            Behavior(
                "/early-response", ["413 too much"],
                but: "libcurl fails a transfer that is reset while it sends, although the response is complete",
                with: [.from788]),
        ]

    /// A stream that ends early or is malformed.
    private static let streams =
        [0, 1, 2, 7, 8, 11, 99].map { Behavior("/reset-before-head?\($0)", lost) }
        + [2, 8].map { Behavior("/reset-after-head?\($0)", lost) }
        + [0, 2, 8].map { Behavior("/reset-in-content?\($0)", lost) }
        + [
            "/too-short", "/too-long", "/data-before-head", "/no-status", "/bad-status",
            "/two-statuses", "/upper-case", "/line-break", "/connection-field", "/unfinished-trailers",
            "/window-overflow",
        ].map { Behavior($0, lost) }
        + ["/silence", "/silence-in-content"].map { Behavior($0, ["timeout"]) }
        + [
            Behavior("/reset-after-head?0", lost, but: unerring, with: [.below788, .from8]),
            Behavior("/reset-in-open-content?0", lost, but: unerring),
            Behavior(
                "/reset-in-open-content?2", lost, but: "libcurl takes any reset for that end", with: [.below788]),
        ]

    private static let unerring =
        "libcurl takes a reset with the code NO_ERROR for the end of content of no declared length (curl #6015)"
    private static let taken = "libcurl takes an error of the connection for the end of content of no declared length"
    private static let kept = "libcurl sends the next request on a connection that has failed"

    /// A connection that ends early or is malformed.
    private static let connections =
        [
            "/goaway-unprocessed?0", "/goaway-unprocessed?2",
            "/close-before-head", "/close-after-head", "/close-in-head", "/garbage",
            "/bad-compression", "/data-on-unknown-stream", "/push", "/head-interrupted", "/bad-settings",
            "/unasked-acknowledgements", "/flood-of-continuations", "/flood-of-empty-continuations",
        ].map { Behavior($0, lost) }
        // libcurl closes the connection only when it has something to send; otherwise the request times out.
        + ["/bad-padding", "/window-update-zero"]
        .map { Behavior($0, lost.union(["timeout"]), but: taken, with: [.below788]) }
        + ["/goaway-in-content?0", "/goaway-in-content?2", "/end-in-content", "/close-in-frame"]
        .map { Behavior($0, lost, but: taken, with: [.below788]) }
        + ["/frame-too-large", "/frame-too-large-in-content", "/unknown-stream-in-content"]
        .map { Behavior($0, lost, but: taken, with: [.below788, .from788]) }
        + ["/large-head?500", "/flood-of-interim-responses"]
        .map { Behavior($0, lost, but: kept, with: [.below788]) }
        + [Behavior("/head-on-no-stream", lost, but: kept, with: [.from8])]

    @Test(
        "each hostile response has one outcome, and the next request succeeds",
        arguments: TransportKind.with(.ownAuthorities), orders + streams + connections)
    func behaviors(_ kind: TransportKind, _ behavior: Behavior) async throws {
        let isSilent = behavior.outcomes.contains("timeout")
        let provider = try kind.provider(
            "MOYA_H2", timeouts: Timeouts(idle: .seconds(isSilent ? 1 : 60), total: .seconds(90)))
        var page = Page(path: behavior.path)
        if behavior.path.hasPrefix("/early") {
            page.method = .post
            page.task = .requestData(Data(repeating: 7, count: 5 << 20))
        }
        let begun = ContinuousClock.now
        let outcomes = Outcomes()
        let first = await outcome(provider, page, outcomes)
        let patience = ContinuousClock.now - begun
        #expect(patience < .seconds(30))
        var configuration = provider.configuration
        configuration.timeouts = Timeouts()
        let patient = MoyaProvider<MultiTarget>(configuration: configuration)
        let next = await outcome(patient, Page(path: "/fine"), Outcomes())
        func check() {
            #expect(behavior.outcomes.contains(first), "\(first)")
            expectEqual(next, "200 fine")
        }
        if let fault = behavior.fault, behavior.faulty.contains(.loaded) {
            withKnownIssue("\(fault)", isIntermittent: true, check)
        } else {
            check()
        }
        expectEqual(outcomes.count, 1)
    }

    private final class Outcomes: Sendable {
        private let number = Locked(0)

        var count: Int { number.withLock { $0 } }

        func isFirst() -> Bool {
            number.withLock { number in
                number += 1
                return number == 1
            }
        }
    }

    /// Returns the first outcome; all outcomes are counted.
    private func outcome(
        _ provider: MoyaProvider<MultiTarget>, _ page: Page, _ outcomes: Outcomes
    ) async -> String {
        await withCheckedContinuation { continuation in
            provider.request(page) { result in
                let text =
                    switch result {
                    case .success(let response) where response.data.count > 100:
                        "\(response.statusCode) with \(response.data.count) bytes"
                    case .success(let response):
                        "\(response.statusCode) \(String(decoding: response.data, as: UTF8.self))"
                    case .failure(let error): "\(error.kind)"
                    }
                if outcomes.isFirst() { continuation.resume(returning: text) }
            }
        }
    }
}
