public import Foundation
public import Moya
import MoyaScheduling

/// A transport that records the responses of servers, and replays recorded responses without a network.
///
/// ```swift
/// let transport = try ReplayTransport(URL(filePath: "/tmp/users.har"))
/// let provider = MoyaProvider<GitHub>(transport: transport)
/// // … requests …
/// try transport.finish()
/// ```
/// In the mode ``Mode/replay``, a request that was not recorded is not sent. It fails with a ``ReplayError`` that names
/// the most similar recorded request and the first difference. Use a separate transport for each test, so that tests
/// can run in parallel. ``withReplay(_:mode:over:options:file:isolation:_:)`` creates the transport of a test.
///
/// By default, a response is delivered on the caller's thread, before `start` returns. ``ReplayOptions/timing`` can
/// delay the response. The response to a request with a streamed body is delivered after the body was read.
///
/// If an exchange was cancelled during the recording, its replay delivers the part of the response that was recorded.
/// The replay then waits: it ends only when the test cancels the request.
public final class ReplayTransport: Transport {
    /// Whether requests are replayed, sent and recorded, or sent without a recording.
    public enum Mode: String, Sendable, CaseIterable {
        /// Recorded responses are delivered; no request is sent.
        case replay
        /// All requests are sent and recorded; the new recording replaces the file.
        case record
        /// Recorded requests are replayed; all other requests are sent, and added to the file.
        case recordMissing
        /// All requests are sent; no request is recorded.
        case live

        /// The mode that the environment variable `MOYA_REPLAY` names; ``replay`` if the variable names no mode.
        ///
        /// On a build server, where the variable `CI` is set, the mode is ``replay`` instead of ``recordMissing``.
        public static var environment: Mode { Mode(environment: ProcessInfo.processInfo.environment) }

        init(environment: [String: String]) {
            let mode = Mode(rawValue: environment["MOYA_REPLAY"] ?? "") ?? .replay
            let isBuildServer = !["", "0", "false"].contains(environment["CI"] ?? "")
            self = mode == .recordMissing && isBuildServer ? .replay : mode
        }
    }

    enum Decision {
        case replay(HAR.Entry)
        case record(any Transport)
        case fail(ReplayError)
    }

    private struct State: Sendable {
        /// The number of times that each entry was replayed.
        var uses: [Int]
        /// The indices of the entries that are recorded again, because they were too old.
        var replaced: Set<Int> = []
        /// The indices of the entries that were requested, and not replayed because they are too old.
        var refused: Set<Int> = []
        var expired: [Int] = []
        var redactor: Redactor
        var failures: [String] = []
        /// The redacted requests for which the archive had no usable entry, each stored as an entry without a response.
        var unmatched: [HAR.Entry] = []
    }

    /// Whether requests are replayed, sent and recorded, or sent without a recording.
    public let mode: Mode
    let entries: [HAR.Entry]
    private let signatures: [RequestSignature]
    /// The method and the redacted URL of each entry, for error messages.
    private let titles: [String]
    private let options: ReplayOptions
    /// The file of the archive; `nil` for an archive in memory.
    private let file: URL?
    private let name: String
    private let customLive: (any Transport)?
    private let recorder: HARRecorder
    private let state: Locked<State>

    /// Creates a transport for a file.
    ///
    /// - Parameters:
    ///   - file: the archive, which must exist in the mode ``Mode/replay``.
    ///   - mode: whether requests are replayed, sent and recorded, or sent without a recording.
    ///   - live: sends the requests that are not replayed; `nil` for the default transport of providers.
    ///   - options: how responses are found, delivered and recorded.
    /// - Throws: a ``ReplayError`` if the file is missing in the mode ``Mode/replay``; a `HARError` if the file is not
    ///   an archive; the error of the file system if the file cannot be read.
    public convenience init(
        _ file: URL, mode: Mode = .environment, over live: (any Transport)? = nil,
        options: ReplayOptions = ReplayOptions()
    ) throws {
        var archive = HAR()
        if mode == .replay || mode == .recordMissing {
            if FileManager.default.fileExists(atPath: file.path) {
                archive = try HAR(contentsOf: file)
            } else if mode == .replay {
                throw ReplayError(
                    description: "there is no recording at \(file.path): run the test once with MOYA_REPLAY=record in "
                        + "the environment, or with the mode .record")
            }
        }
        self.init(archive, file: file, mode: mode, over: live, options: options)
    }

    /// Creates a transport that replays an archive.
    public convenience init(_ archive: HAR, options: ReplayOptions = ReplayOptions()) {
        self.init(archive, file: nil, mode: .replay, over: nil, options: options)
    }

    private init(_ archive: HAR, file: URL?, mode: Mode, over live: (any Transport)?, options: ReplayOptions) {
        let entries = (options.replaysAttempts ? archive : archive.lastAttempts()).entries
        var redactor = Redactor(options.redaction)
        let requests = entries.map { redactor.redact($0.request) }
        signatures = requests.map { RequestSignature($0, options.matching) }
        titles = requests.map { "\($0.method) \($0.url)" }
        self.entries = entries
        self.options = options
        self.file = file
        self.mode = mode
        customLive = live
        name = file?.lastPathComponent ?? "the recording"
        recorder = HARRecorder(
            redaction: options.redaction, limit: .max, largestBody: .max, maximumSize: .max,
            scheduler: options.scheduler,
            now: options.now)
        state = Locked(
            State(uses: Array(repeating: 0, count: entries.count), redactor: Redactor(options.redaction)))
    }

    private var live: any Transport { customLive ?? DefaultTransport.shared }

    /// The capabilities of the transport in its mode.
    ///
    /// In the mode ``Mode/replay``, the capabilities are backpressure, trailers, metrics and keep-alive. In the modes
    /// ``Mode/record`` and ``Mode/live``, the capabilities are those of the transport that sends the requests. In the
    /// mode ``Mode/recordMissing``, some requests are replayed and others are sent, so the capabilities are those that
    /// the modes ``Mode/replay`` and ``Mode/live`` have in common.
    public var capabilities: TransportCapabilities {
        let own: TransportCapabilities = [.backpressure, .trailers, .metrics, .keepAlive]
        return switch mode {
        case .replay: own
        case .recordMissing: own.intersection(live.capabilities)
        case .record, .live: live.capabilities
        }
    }

    /// Delivers the recorded response, or sends the request, according to the mode.
    public func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        switch mode {
        case .live: return live.start(request, receive: receive)
        case .record: return live.recording(recorder).start(request, receive: receive)
        case .replay, .recordMissing:
            let exchange = ReplayExchange(request, self, receive: receive)
            exchange.start()
            return exchange
        }
    }

    /// The entries of the archive that were neither replayed nor recorded again.
    public var unused: [HAR.Entry] {
        unusedIndices.map { entries[$0] }
    }

    private var unusedIndices: [Int] {
        let state = state.withLock { $0 }
        return entries.indices.filter {
            state.uses[$0] == 0 && !state.replaced.contains($0) && !state.refused.contains($0)
        }
    }

    /// The entries that were replayed although they are too old, see ``ReplayOptions/Expiration/warn``.
    public var expired: [HAR.Entry] {
        state.withLock { $0.expired }.map { entries[$0] }
    }

    /// Returns an archive of the requests that failed because the archive has no entry left for them.
    ///
    /// The entries of the archive have no response. If a test fails, attach the archive to the test report, so that you
    /// can compare the requests with the recorded requests. Placeholders replace secrets.
    ///
    /// - Throws: a `HARError` if a secret cannot be replaced.
    public func unmatched() throws -> HAR {
        var redactor = Redactor(options.redaction)
        return try redactor.redact(HAR(entries: state.withLock { $0.unmatched }))
    }

    var timing: (scheduler: (any Scheduler)?, scale: Double) {
        switch options.timing {
        case .none: (nil, 0)
        case .recorded: (options.scheduler, 1)
        case .scaled(let scale): (options.scheduler, scale)
        }
    }
}

extension ReplayTransport {
    /// Writes the recorded exchanges to the file, and throws if the replay was incomplete.
    ///
    /// In the mode ``Mode/recordMissing``, entries that were not replayed are removed from the file. Exchanges that
    /// have not ended are recorded as cancelled, with what has arrived.
    ///
    /// - Throws: a ``ReplayError`` that describes the requests that could not be replayed and, in the mode
    ///   ``Mode/replay``, the entries that were not requested; a `HARError` if a secret cannot be replaced; the error
    ///   of the file system if the file cannot be written.
    public func finish() throws {
        let state = state.withLock { $0 }
        var problems = state.failures
        switch mode {
        case .live: break
        case .record: try write(recorder.recordedOrRunning)
        case .recordMissing:
            let recorded = recorder.recordedOrRunning.entries
            if !recorded.isEmpty || !unused.isEmpty {
                let used = entries.indices.filter { state.uses[$0] > 0 && !state.replaced.contains($0) }
                try write(HAR(entries: used.map { entries[$0] } + recorded))
            }
        case .replay:
            if options.requiresAllEntries {
                problems += unusedIndices.map { "\(titles[$0]) of \(name) was not requested" }
            }
        }
        for index in state.expired {
            FileHandle.standardError.write(Data("Moya: \(titles[index]) of \(name) is too old: record it again\n".utf8))
        }
        guard !problems.isEmpty else { return }
        throw ReplayError(description: problems.joined(separator: "\n"))
    }

    private func write(_ archive: HAR) throws {
        guard let file else { return }
        var redactor = Redactor(options.redaction)
        let redacted = try redactor.redact(archive)
        try (options.recordsTimes ? redacted : redacted.withoutTimes())
            .write(to: file, attachingAbove: options.largestEmbeddedContent)
    }

    func decide(_ request: TransportRequest, _ content: HAR.Content?) -> Decision {
        let sent = HAR.Request(method: request.method, url: request.url, headers: request.headers, content: content)
        let redacted = state.withLock { $0.redactor.redact(sent) }
        let signature = RequestSignature(redacted, options.matching)
        // The user's closure `custom` may block, so no lock is held here. Whether an equal entry is still unused is
        // checked later, under the lock.
        var (exact, others): ([Int], [Int]) = ([], [])
        for index in entries.indices
        where signature.difference(from: signatures[index]) == nil && entries[index].mayAnswer(sent)
            && options.matching.custom?(request, entries[index].request) ?? true
        {
            let isExact = signature.difference(from: signatures[index], isExact: true) == nil
            if isExact { exact.append(index) } else { others.append(index) }
        }
        // What was not recorded is sent if it can be.
        let equal = exact.isEmpty && mode != .recordMissing ? others : exact
        let now = options.now()
        let expired = equal.filter { index in
            options.maximumAge.map { now.timeIntervalSince(entries[index].start) > $0.seconds } ?? false
        }
        let decision = state.withLock { decide(equal, Set(expired), &$0) }
        if let decision {
            if case .replay(let entry) = decision { return self.decision(toReplay: entry, redacted) }
            return decision
        }
        if mode == .recordMissing {
            guard !sent.hasPlaceholders else {
                return fail(
                    "\(redacted.method) \(redacted.url) is not in \(name), and contains the placeholder of a secret that "
                        + "the server does not know: record again with MOYA_REPLAY=record")
            }
            return .record(live.recording(recorder))
        }
        state.withLock { $0.unmatched.append(HAR.Entry(start: now, request: redacted)) }
        return fail(mismatch(redacted, signature, equal))
    }

    /// Selects one of the entries that equal a request, and returns the decision for the request.
    private func decide(_ equal: [Int], _ expired: Set<Int>, _ state: inout State) -> Decision? {
        let left = equal.filter { !state.replaced.contains($0) }
        let last = options.repeats == .lastAgain ? left.last : nil
        guard let index = left.first(where: { state.uses[$0] == 0 }) ?? last else { return nil }
        if expired.contains(index) {
            if options.onExpiration == .record, mode == .recordMissing {
                state.replaced.insert(index)
                return .record(live.recording(recorder))
            }
            guard options.onExpiration == .warn else {
                let start = entries[index].start.formatted(.iso8601)
                let text =
                    "\(titles[index]) of \(name), recorded on \(start), is too old: record it again with "
                    + "MOYA_REPLAY=record"
                state.failures.append(text)
                state.refused.insert(index)
                return .fail(ReplayError(description: text))
            }
            if !state.expired.contains(index) { state.expired.append(index) }
        }
        state.uses[index] += 1
        return .replay(entries[index])
    }

    private func decision(toReplay entry: HAR.Entry, _ request: HAR.Request) -> Decision {
        guard let content = entry.response?.content, content.data == nil else { return .replay(entry) }
        return fail(
            "the \(content.size) bytes of the response to \(request.method) \(request.url) are not in \(name): record "
                + "it again, or export it with its content")
    }

    private func fail(_ text: String) -> Decision {
        state.withLock { $0.failures.append(text) }
        return .fail(ReplayError(description: text))
    }

    private func mismatch(_ request: HAR.Request, _ signature: RequestSignature, _ equal: [Int]) -> String {
        let title = "\(request.method) \(request.url)"
        let remedy = "record again with MOYA_REPLAY=record"
        guard equal.isEmpty else {
            let times = equal.count == 1 ? "once" : "\(equal.count) times"
            return "\(title) was recorded \(times) in \(name) and requested once more: \(remedy), or set "
                + "ReplayOptions.repeats to .lastAgain"
        }
        let uses = state.withLock { $0.uses }
        let differences = entries.indices.compactMap { index in
            signature.difference(from: signatures[index]).map { (index: index, value: $0) }
        }
        func nearness(_ rank: Int, _ index: Int) -> (Int, Int, Int, Int) {
            let recorded = signatures[index]
            return (
                rank, signature.method == recorded.method ? 1 : 0, signature.commonSegments(with: recorded),
                uses[index] == 0 ? 1 : 0
            )
        }
        let nearest = differences.max { nearness($0.value.rank, $0.index) < nearness($1.value.rank, $1.index) }
        guard let nearest else {
            let reason =
                if entries.isEmpty {
                    "which has no entries"
                } else if entries.indices.contains(where: {
                    signature.difference(from: signatures[$0]) == nil && !entries[$0].mayAnswer(request)
                }) {
                    "which has a 304 for it, recorded with a cache that was not empty"
                } else {
                    "whose equal entries RequestMatching.requiring refuses"
                }
            return "\(title) is not in \(name), \(reason): \(remedy)"
        }
        return "\(title) is not in \(name): in entry \(nearest.index + 1), \(titles[nearest.index]), "
            + "\(nearest.value.text); \(remedy), or ignore the difference with ReplayOptions.matching"
    }
}

extension HAR.Entry {
    /// False for a 304 if the request has no precondition and would not know what to do with it.
    fileprivate func mayAnswer(_ request: HAR.Request) -> Bool {
        response?.statusCode != 304
            || ["If-None-Match", "If-Modified-Since"].contains { request.headers[$0] != nil }
    }
}

extension Duration {
    fileprivate var seconds: TimeInterval { Double(nanoseconds) / 1e9 }
}
