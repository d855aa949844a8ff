public import Foundation
public import MoyaHTTP

/// Collects the exchanges of transports as entries of an archive.
///
/// ```swift
/// let recorder = HARRecorder()
/// let provider = MoyaProvider<GitHub>(transport: URLSessionTransport().recording(recorder))
/// // … requests …
/// try recorder.archive().write(to: URL(filePath: "/tmp/report.har"))
/// ```
/// The number of entries and the size of their content are limited, so a released app can attach the latest exchanges
/// to bug reports. Entries are held in memory without redaction; ``archive()`` returns a redacted copy.
public final class HARRecorder: Sendable {
    private struct State: Sendable {
        var lastID = 0
        /// The entries in the order of their IDs, which is the order in which the exchanges started.
        var entries: [(id: Int, entry: HAR.Entry)] = []
        /// What has arrived of the running exchanges, by their IDs.
        var running: [Int: @Sendable () -> HAR.Entry] = [:]
        /// The number of bytes of content in all entries.
        var size = 0
    }

    private let redaction: RecordingRedaction
    private let limit: Int
    private let maximumSize: Int
    private let state = Locked(State())
    let largestBody: Int
    let scheduler: any Scheduler
    let now: @Sendable () -> Date

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - redaction: the values that are replaced by placeholders.
    ///   - limit: the maximum number of entries; if it is exceeded, the oldest entries are removed.
    ///   - largestBody: the number of bytes above which content is not recorded.
    ///   - maximumSize: the maximum number of bytes of content in all entries; if it is exceeded, the oldest entries
    ///     lose their content, and only its length remains.
    ///   - scheduler: the clock that measures durations.
    ///   - now: returns the time of day; called on the thread that starts a request.
    public init(
        redaction: RecordingRedaction = .secretNames, limit: Int = 1000, largestBody: Int = 1 << 20,
        maximumSize: Int = 32 << 20, scheduler: any Scheduler = .background,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.redaction = redaction
        self.limit = max(1, limit)
        self.largestBody = max(0, largestBody)
        self.maximumSize = max(0, maximumSize)
        self.scheduler = scheduler
        self.now = now
    }

    /// Returns a redacted archive of the exchanges that have ended, in the order of their start.
    ///
    /// Content is left out if a secret in it cannot be replaced, for example in an image, or if it is compressed
    /// because its request has an `Accept-Encoding`.
    ///
    /// - Throws: a ``HARError`` if a secret cannot be replaced elsewhere, for example in an unusual encoding in a URL.
    public func archive() throws(HARError) -> HAR {
        var redactor = Redactor(redaction)
        let archive = HAR(numbering: state.withLock { $0.entries.map(\.entry) })
        // Content that cannot be redacted is not worth losing the other entries.
        return try redactor.redact(archive, dropsContent: true)
    }

    /// Removes all entries.
    public func removeAll() {
        let former = state.withLock { exchange(&$0, with: State(lastID: $0.lastID, running: $0.running)) }
        withExtendedLifetime(former) {}
    }

    /// The exchanges, unredacted; those that are running are cancelled with what has arrived.
    package var recordedOrRunning: HAR {
        let (entries, running) = state.withLock { ($0.entries, $0.running) }
        let all = entries + running.map { (id: $0, entry: $1()) }
        return HAR(numbering: all.sorted { $0.id < $1.id }.map(\.entry))
    }

    /// - Parameter snapshot: returns the entry of the exchange as if it were cancelled now.
    func begin(_ snapshot: @escaping @Sendable () -> HAR.Entry) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.running[state.lastID] = snapshot
            return state.lastID
        }
    }

    func add(_ entry: HAR.Entry, id: Int) {
        let (removed, ended) = state.withLock { state -> ([HAR.Entry], (@Sendable () -> HAR.Entry)?) in
            let ended = state.running.removeValue(forKey: id)
            let index = (state.entries.lastIndex { $0.id < id } ?? -1) + 1
            state.entries.insert((id, entry), at: index)
            state.size += entry.contentSize
            var removed: [HAR.Entry] = []
            if state.entries.count > limit { removed.append(state.entries.removeFirst().entry) }
            state.size -= removed.first?.contentSize ?? 0
            for index in state.entries.indices where state.size > maximumSize {
                let entry = state.entries[index].entry
                guard entry.contentSize > 0 else { continue }
                state.size -= entry.contentSize
                state.entries[index].entry = entry.withoutContent
                removed.append(entry)
            }
            return (removed, ended)
        }
        withExtendedLifetime((removed, ended)) {}
    }
}

extension HAR {
    /// Transports don't report retries, so an entry counts as one if an equal request has failed before it.
    fileprivate init(numbering recorded: [Entry]) {
        entries = recorded
        // The failed entries without a retry.
        var failed: [Request: [Int]] = [:]
        for (index, entry) in recorded.enumerated() {
            let key = entry.request.withoutDifferences
            // `start` is rounded to milliseconds, so a retry may seem to start too early; allow for 2 ms.
            let place = failed[key]?.firstIndex { former in
                recorded[former].start.addingTimeInterval(recorded[former].timings.total.timeInterval - 0.002)
                    <= entry.start
            }
            if let place, let former = failed[key]?.remove(at: place) {
                entries[index].attempt = entries[former].attempt + 1
            }
            if entry.mayBeRetried { failed[key, default: []].append(index) }
        }
    }
}

extension HAR.Entry {
    fileprivate var contentSize: Int { (request.content?.data?.count ?? 0) + (response?.content.data?.count ?? 0) }

    var withoutContent: HAR.Entry {
        var entry = self
        if let content = request.content, content.size > 0 { entry.request.content?.data = nil }
        if let content = response?.content, content.size > 0 {
            entry.response?.content.data = nil
            entry.response?.chunks = []
        }
        return entry
    }

    fileprivate var mayBeRetried: Bool {
        if let failure { return !failure.isCancel }
        return [408, 425, 429, 500, 502, 503, 504].contains(response?.statusCode ?? 0)
    }
}

extension HAR.Request {
    /// What the attempts of a request have in common: not fields such as `Date`, but those that ask for the rest of a
    /// response; and not the boundary of a form.
    var withoutDifferences: HAR.Request {
        let type = headers["Content-Type"] ?? content?.mimeType ?? ""
        let form = content?.data.flatMap { ParsedMultipart($0, type: type) }
        let content = form.map { HAR.Content($0.data(boundary: "boundary")) } ?? content
        var kept = HTTPHeaders()
        for name in ["Range", "Last-Event-ID"] { kept[name] = headers[name] }
        return HAR.Request(method: method, url: url, headers: kept, content: content)
    }
}
