import Foundation
import Measuring
import MoyaStreams
import MoyaTesting
import Synchronization

/// Sends many requests, with random cancels and time-outs, redirects and restarts of the server, and checks that each
/// has one outcome and that no file stays open.
enum Soak {
    private static let atATime = 100

    /// Runs the test.
    ///
    /// - Parameters:
    ///   - requests: the number of requests.
    ///   - threads: the number of the transport's threads.
    /// - Returns: descriptions of the failures.
    static func run(requests: Int, threads: Int) async throws -> [String] {
        // A first run opens the files that stay open.
        let first = openFiles()
        try await send(1000, Ledger(), threads)
        try? await Benchmarks.wait(for: .seconds(2)) { openFiles() <= first }
        let ledger = Ledger()
        let before = openFiles()
        let begin = ContinuousClock.now
        try await send(requests, ledger, threads)
        try? await Benchmarks.wait { openFiles() <= before }
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        let ends = ledger.all.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        print("\(requests) requests in \(seconds.formatted(0)) s: \(ends)")
        print("open files: \(before) before, \(openFiles()) after")
        var wrong: [String] = []
        if ledger.count != requests { wrong.append("\(requests - ledger.count) outcomes were lost") }
        if ledger.twice > 0 { wrong.append("\(ledger.twice) outcomes came twice") }
        if openFiles() > before { wrong.append("\(openFiles() - before) files were left open") }
        return wrong
    }

    private static func send(_ requests: Int, _ ledger: Ledger, _ threads: Int) async throws {
        let run = try Run(requests, ledger, threads)
        defer { run.stop() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<atATime { group.addTask { while try await run.next() {} } }
            try await group.waitForAll()
        }
    }

    private static func openFiles() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}

/// The requests and the current server.
private final class Run: Sendable {
    private struct Page: TargetType {
        let baseURL: URL
        let path: String
        var options = RequestOptions()
    }

    private let requests: Int
    private let ledger: Ledger
    private let number = Atomic<Int>(0)
    private let server: Mutex<LoopbackServer>
    private let provider: MoyaProvider<Page>

    init(_ requests: Int, _ ledger: Ledger, _ threads: Int) throws {
        self.requests = requests
        self.ledger = ledger
        server = Mutex(try Self.startServer())
        var transport: (any Transport)?
        #if os(Linux)
            transport = try CurlTransport(threads: threads)
        #endif
        provider = MoyaProvider(transport: transport, timeouts: Timeouts(idle: .seconds(5)))
    }

    func stop() {
        server.withLock { $0.stop() }
    }

    /// Sends the next request and waits for its outcome; returns false after the last request.
    func next() async throws -> Bool {
        let number = number.add(1, ordering: .relaxed).newValue
        guard number <= requests else { return false }
        if number.isMultiple(of: 5000) {
            let next = try Self.startServer()
            server.withLock { server in
                server.stop()
                server = next
            }
        }
        await send(to: server.withLock { $0.url })
        return true
    }

    /// Sends a request and waits for its outcome; may cancel it once or twice.
    private func send(to url: URL) async {
        let path = ["/", "/", "/large", "/moved", "/around", "/slow", "/broken", "/never"].randomElement() ?? "/"
        var page = Page(baseURL: url, path: path)
        if path == "/never" || path == "/slow" {
            page.options.timeouts = Timeouts(total: .milliseconds(Int.random(in: 1...30)))
        }
        await withCheckedContinuation { continuation in
            let outcomes = Counter()
            let call = provider.request(page) { [ledger] result in
                guard outcomes.increment() == 1 else { return ledger.noteTwice() }
                ledger.note(result)
                continuation.resume()
            }
            switch Int.random(in: 0..<6) {
            case 0: call.cancel()
            case 1, 2:
                let delay = Duration.microseconds(Int.random(in: 1...6000))
                for _ in 0..<2 {
                    (DispatchScheduler.background as any Scheduler).schedule(after: delay) { call.cancel() }
                }
            default: break
            }
        }
    }

    private static func startServer() throws -> LoopbackServer {
        try LoopbackServer { request in
            switch request.path {
            case "/": .text("small")
            case "/large": .status(200, body: Data(repeating: 1, count: 200_000))
            case "/moved": .status(302, headers: ["Location": "/"])
            case "/around": .status(302, headers: ["Location": "/around"])
            case "/slow": .chunked((0..<5).map { Data("\($0)".utf8) }, every: .milliseconds(3))
            case "/broken": .reset
            default: .silence
            }
        }
    }
}

/// The number of each kind of outcome.
private final class Ledger: Sendable {
    private let ends = Mutex<[String: Int]>([:])
    private let doubled = Atomic<Int>(0)

    var all: [String: Int] { ends.withLock { $0 } }
    var twice: Int { doubled.load(ordering: .relaxed) }
    var count: Int { all.values.reduce(0, +) }

    func note(_ result: Result<Response, MoyaError>) {
        let end =
            switch result {
            case .success(let response): "\(response.statusCode)"
            case .failure(let error): "\(error.kind)"
            }
        ends.withLock { $0[end, default: 0] += 1 }
    }

    func noteTwice() { doubled.add(1, ordering: .relaxed) }
}
