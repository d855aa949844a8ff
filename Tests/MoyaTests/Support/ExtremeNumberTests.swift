import Foundation
import Moya
import MoyaCaching
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The thread sanitizer takes seconds for each process.
#if !MOYA_SANITIZER
    /// Times and sizes far outside of what is sensible do not end the process.
    @Suite(.serialized, .queued, .timeLimit(.minutes(10))) struct ExtremeNumberTests {
        /// Stores a response and requests it again at another time.
        private static func useCache(
            _ headers: [String: String], _ now: [Date], _ change: (inout CachingPolicy) -> Void = { _ in }
        ) throws -> [TransportEvents] {
            let origin = StubTransport { request in
                let head = HTTPURLResponse(
                    url: request.url, statusCode: 200, httpVersion: nil, headerFields: headers)
                return head.map { .response($0, Data("abc".utf8)) } ?? .networkResponse(500, Data())
            }
            var policy = CachingPolicy()
            change(&policy)
            let reading = Box(0)
            let transport = origin.caching(in: HTTPCache(), policy: policy) {
                reading.change { $0 += 1 }
                return now[min(reading.value / 3, now.count - 1)]
            }
            _ = try transport.batches(.get, "https://a.test/")
            return try transport.batches(.get, "https://a.test/", headers: ["Cache-Control": "max-stale"])
        }

        @Test("a cache with an infinite heuristic")
        func heuristic() async {
            await #expect(processExitsWith: .exitCode(42)) {
                for heuristic in [Double.infinity, .greatestFiniteMagnitude, .nan] {
                    let headers = [
                        "Last-Modified": "Fri, 01 Jan 2010 00:00:00 GMT", "Date": "Fri, 01 Jan 2021 00:00:00 GMT",
                    ]
                    let events = try Self.useCache(headers, [Date()]) { $0.heuristic = heuristic }
                    guard events.text == "abc" else { exit(1) }
                }
                exit(42)
            }
        }

        @Test("a cache whose clock is set to other ages")
        func clock() async {
            await #expect(processExitsWith: .exitCode(42)) {
                for seconds in [1e300, -1e300, .infinity, .nan, 1e19] {
                    let later = Date(timeIntervalSinceReferenceDate: seconds)
                    let events = try Self.useCache(["Cache-Control": "max-age=60"], [Date(), later])
                    guard events.text == "abc" else { exit(1) }
                }
                exit(42)
            }
        }

        @Test("a logger with a negative length of content")
        func contentOfLogs() async {
            await #expect(processExitsWith: .exitCode(42)) {
                var configuration = NetworkLoggerPlugin.Configuration(
                    output: { _, _ in }, logOptions: .verbose, redaction: .nothing)
                configuration.maximumBodyLength = -1
                let response = Response(
                    statusCode: 200, data: Data("text".utf8), headers: ["Content-Type": "text/plain"])
                NetworkLoggerPlugin(configuration: configuration).didReceive(.success(response), target: Page())
                exit(42)
            }
        }

        @Test("a cache on disk without a limit")
        func limit() async {
            await #expect(processExitsWith: .exitCode(42)) {
                let folder = try TemporaryFolder()
                let cache = try HTTPCache(directory: folder.url, maximumSize: .max)
                let origin = StubTransport { request in
                    let head = HTTPURLResponse(
                        url: request.url, statusCode: 200, httpVersion: nil,
                        headerFields: ["Cache-Control": "max-age=60"])
                    return head.map { .response($0, Data("abc".utf8)) } ?? .networkResponse(500, Data())
                }
                _ = try origin.caching(in: cache, scheduler: VirtualTime()).batches(.get, "https://a.test/")
                try await until { cache.statistics.writes == 1 }
                exit(42)
            }
        }

        @Test("an archive of a request without a date")
        func archive() async {
            await #expect(processExitsWith: .exitCode(42)) {
                for seconds in [Double.nan, .infinity, -.infinity] {
                    guard let url = URL(string: "https://a.test/") else { exit(1) }
                    let started = Date(timeIntervalSince1970: seconds)
                    let entry = HAR.Entry(start: started, request: HAR.Request(method: .get, url: url))
                    _ = try HAR(entries: [entry]).data()
                }
                exit(42)
            }
        }

        @Test("an event stream whose events ask for an endless pause")
        func pause() async {
            await #expect(processExitsWith: .exitCode(42)) {
                let event = ServerSentEvent(data: "a", retry: .seconds(Int64.max))
                guard LoopbackReply.events([event]).steps.count > 1 else { exit(1) }
                exit(42)
            }
        }
    }
#endif
