#if os(Linux)
    import Foundation
    import Measuring
    import MoyaCaching
    import MoyaStreams

    /// A cache on disk against the server: a stored response, and a download that is stored.
    enum CacheWorkloads {
        private static let times = 200
        /// The length of the download in bytes.
        private static let length = 100_000_000

        private struct Page: TargetType {
            let baseURL: URL
            let path: String
            var headers: [String: String]?
        }

        /// Measures both; prints whether the downloads were stored, because a slow disk gives that up.
        static func measure(_ url: URL, _ options: Options) async throws -> [Measuring.Measurement] {
            let directory = FileManager.default.temporaryDirectory.appending(path: "moya-cache-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: directory) }
            let cache = try HTTPCache(directory: directory, maximumSize: 4 * length)
            let workloads = [
                try hit(url, cache),
                try download(
                    "100 MB at 1 Gbit/s", url, "/fresh-gigabit", cache, bars: [.atMost(1.1, times: "download")]),
                try download("100 MB on loopback", url, "/fresh-big", cache, bars: []),
            ]
            let results = await Benchmarks.measure(
                workloads.filter { workload in options.part.map { workload.name.contains($0) } ?? true },
                rounds: options.rounds)
            print("cache: \(cache.statistics)")
            return results
        }

        /// A stored response takes half the time of the loopback request that it saves.
        private static func hit(_ url: URL, _ cache: HTTPCache) throws -> Workload {
            let transport = try CurlTransport(threads: 1)
            let live = MoyaProvider<Page>(transport: transport)
            let cached = MoyaProvider<Page>(transport: transport.caching(in: cache))
            let page = Page(baseURL: url, path: "/fresh")
            return Workload(
                name: "a stored response on disk", operations: times,
                contenders: [
                    .init(name: "request") { await sum(of: live, page) },
                    .init(name: "ours") { await sum(of: cached, page) },
                ], bars: [.atMost(0.5, times: "request")])
        }

        private static func sum(of provider: MoyaProvider<Page>, _ page: Page) async -> Int {
            var sum = 0
            for _ in 0..<times { sum += (try? await provider.response(page).data.count) ?? -1 }
            return sum
        }

        /// Storing adds a tenth to the time of a download over a fast network.
        ///
        /// There is no bar on loopback, where a download takes no longer than copying it to a file: the disk may fall
        /// so far behind that storing is given up.
        private static func download(
            _ name: String, _ url: URL, _ path: String, _ cache: HTTPCache, bars: [Workload.Bar]
        ) throws -> Workload {
            let transport = try CurlTransport(threads: 1)
            var policy = CachingPolicy()
            policy.largestContent = 2 * length
            let live = MoyaProvider<Page>(transport: transport)
            let storing = MoyaProvider<Page>(transport: transport.caching(in: cache, policy: policy))
            let page = Page(baseURL: url, path: path)
            return Workload(
                name: name, operations: 1,
                contenders: [
                    .init(name: "download") { await count(live, page) },
                    .init(name: "ours") {
                        cache.remove(url.appending(path: page.path))
                        return await count(storing, page)
                    },
                ], bars: bars)
        }

        private static func count(_ provider: MoyaProvider<Page>, _ page: Page) async -> Int {
            var count = 0
            do {
                for try await chunk in try await provider.streamedResponse(page) { count += chunk.count }
            } catch {
                return -1
            }
            return count
        }
    }
#endif
