import Foundation
import Moya
import MoyaScheduling
import MoyaTesting
import TestSupport
import Testing

@testable import MoyaCaching

/// Several threads and processes that use one directory, and processes that end.
@Suite(.serialized, .queued, .timeLimit(.minutes(10))) struct DiskProcessTests {
    #if MOYA_SANITIZER
        private static let writes = 100
    #else
        private static let writes = 1000
    #endif

    @Test("41: 1,000 responses for one URL, written by threads with caches of their own, are read whole")
    func writesConcurrently() async throws {
        let directory = try TemporaryDirectory()
        let caches = try (0..<4).map { _ in
            try HTTPCache(directory: URL(filePath: directory.path), maximumSize: 8 << 20)
        }
        let wrong = Box(0)
        let hits = Box(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, cache) in caches.enumerated() {
                group.addTask {
                    // In virtual time, a look-up may take as long as it needs.
                    let transport = NumberedOrigin(seed: index).caching(
                        in: cache, scheduler: VirtualTime(), now: { Date() })
                    for _ in 0..<Self.writes / 4 {
                        for directive in ["no-cache", "only-if-cached"] {
                            let response = await transport.response(to: try NumberedOrigin.request(directive))
                            if response.statusCode == 504, directive == "only-if-cached" { continue }
                            if !NumberedOrigin.isWhole(response) { wrong.change { $0 += 1 } }
                            if response.status?.isHit == true { hits.change { $0 += 1 } }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        expectEqual(wrong.value, 0)
        #expect(hits.value > Self.writes / 2)
        // A response that ends after a newer one is not written.
        let writes = caches.reduce(0) { $0 + $1.statistics.writes }
        #expect(writes <= Self.writes && writes > Self.writes / 2)
        expectEqual(directory.metadata.count, 1)
    }

    @Test(
        "two processes that open a new directory get the same salt, whenever the second one starts",
        arguments: 0..<4)
    func sharesSalt(_ step: Int) throws {
        let directory = try TemporaryDirectory()
        let layout = DiskLayout(root: directory.path)
        let steps = Locked(0)
        let other = Locked<[UInt8]>([])
        let files = FaultyFileSystem { _, _ in
            let isNow = steps.withLock { steps in
                steps += 1
                return steps == step + 1
            }
            if isNow { other.withLock { $0 = PartitionSalt.load(layout) } }
        }
        expectEqual(PartitionSalt.load(layout, files), other.withLock { $0 })
        expectEqual(directory.files(in: "v3"), [layout.salt])
    }

    @Test("threads that open a new directory at the same time get the same salt")
    func sharesSaltBetweenThreads() throws {
        for _ in 0..<100 {
            let directory = try TemporaryDirectory()
            let layout = DiskLayout(root: directory.path)
            let salts = Locked<Set<[UInt8]>>([])
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                let salt = PartitionSalt.load(layout)
                salts.withLock { _ = $0.insert(salt) }
            }
            #expect(salts.withLock { $0.count } == 1 && directory.files(in: "v3") == [layout.salt])
        }
    }

    // The thread sanitizer takes seconds for each process.
    #if !MOYA_SANITIZER
        @Test("41, 43: two processes on one directory read whole responses, and keep the limit")
        func sharesDirectory() async throws {
            let directory = try TemporaryDirectory()
            async let first: Void = Self.useInProcess(directory.path, seed: 1)
            async let second: Void = Self.useInProcess(directory.path, seed: 2)
            _ = await (first, second)
            #expect(directory.bytes <= 4_400_000)
            #expect(directory.bytes > 2_000_000)
        }

        private static func useInProcess(_ path: String, seed: Int) async {
            await #expect(processExitsWith: .exitCode(42)) { [path = path as String, seed = seed as Int] in
                let cache = try HTTPCache(directory: URL(filePath: path), maximumSize: 4_000_000)
                let transport = NumberedOrigin(seed: seed).caching(in: cache)
                for number in 0..<300 {
                    let directive = number % 3 == 0 ? "no-cache" : "max-stale"
                    let response = await transport.response(to: try NumberedOrigin.request(directive, number % 120))
                    guard NumberedOrigin.isWhole(response) else { exit(1) }
                }
                exit(42)
            }
        }

        /// Replaces a stored response by another one; the steps are the changes of the file system.
        fileprivate static func replace(in path: String, _ files: any FileSystem) throws {
            let store = try DiskResponseStore(
                directory: path, limit: 1 << 20, files: files, scheduler: .immediate, maintenance: .immediate)
            let transport = NumberedOrigin(seed: 1).caching(in: HTTPCache(store: store))
            _ = transport.collect(try NumberedOrigin.request("no-cache"))
        }

        @Test("40: the end of the process at any step of a write leaves the former response, the new one or none")
        func survivesKill() async throws {
            for isFirst in [true, false] {
                let counting = try TemporaryDirectory()
                if !isFirst { try Self.replace(in: counting.path, LocalFileSystem()) }
                let steps = Locked(0)
                try Self.replace(
                    in: counting.path,
                    FaultyFileSystem { kind, _ in if kind == .change { steps.withLock { $0 += 1 } } })
                let count = steps.withLock { $0 }
                #expect(count >= 8)
                for step in 0..<count {
                    let directory = try TemporaryDirectory()
                    if !isFirst { try Self.replace(in: directory.path, LocalFileSystem()) }
                    await #expect(processExitsWith: .signal(SIGKILL)) {
                        [path = directory.path as String, step = step as Int] in
                        let remaining = Locked(step)
                        let files = FaultyFileSystem { kind, _ in
                            guard kind == .change else { return }
                            let isNow = remaining.withLock { remaining in
                                remaining -= 1
                                return remaining < 0
                            }
                            if isNow { kill(getpid(), SIGKILL) }
                        }
                        try DiskProcessTests.replace(in: path, files)
                        // There are fewer steps if both contents get into one directory, which is chosen at random.
                        kill(getpid(), SIGKILL)
                    }
                    try check(directory)
                }
            }
        }

        /// Checks that a cache works with what an ended process has left.
        private func check(_ directory: TemporaryDirectory) throws {
            let transport = NumberedOrigin(seed: 3).caching(in: try directory.cache())
            let left = transport.collect(try NumberedOrigin.request("only-if-cached"))
            #expect(left.statusCode == 504 || NumberedOrigin.isWhole(left))
            let next = transport.collect(try NumberedOrigin.request("no-cache"))
            let stored = transport.collect(try NumberedOrigin.request("only-if-cached"))
            #expect(stored.status?.isHit == true && stored.content == next.content)
            for file in directory.contents + directory.temporaryFiles { try directory.age(file, by: 7200) }
            _ = try directory.store()
            #expect(directory.contents.count == 1 && directory.metadata.count == 1)
            #expect(directory.temporaryFiles.isEmpty)
        }
    #endif
}

/// Plays responses of different lengths, whose bytes are equal and are named in their head.
final class NumberedOrigin: Transport {
    private let state: Locked<Int>

    init(seed: Int) {
        state = Locked(seed * 1_000_003)
    }

    static func request(_ directive: String, _ number: Int = 0) throws -> TransportRequest {
        guard let url = URL(string: "https://a.test/\(number)") else { throw URLError(.badURL) }
        return try TransportRequest(method: .get, url: url, headers: ["Cache-Control": directive])
    }

    static func isWhole(_ response: CollectedResponse) -> Bool {
        guard let byte = response.headers["Byte"].flatMap({ UInt8($0) }),
            let count = response.headers["Count"].flatMap({ Int($0) })
        else { return false }
        return response.content == Data(repeating: byte, count: count)
    }

    var capabilities: TransportCapabilities { [] }

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let number = state.withLock { number in
            number = (number &* 1_103_515_245 &+ 12_345) & 0x7fff_ffff
            return number
        }
        let (byte, count) = (UInt8(truncatingIfNeeded: number >> 8), 1000 + number % 100_000)
        let headers: HTTPHeaders = ["Cache-Control": "max-age=600", "Byte": "\(byte)", "Count": "\(count)"]
        receive(
            TransportEvents(
                head: ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: headers),
                chunks: [Data(repeating: byte, count: count)], outcome: TransportOutcome(error: nil)))
        return FinishedExchange()
    }
}
