import AsyncHTTPClient
import Foundation
import Measuring
import MoyaStreams

#if os(Linux)
    /// The memory of providers and of connections that no request uses.
    enum IdleMemory {
        private static let providers = 1000
        private static let connections = 1000
        private static let connectionsPerHost = 50

        private struct Root: TargetType {
            let baseURL: URL
            let path: String
        }

        /// Returns the rows of a table.
        static func measure(_ url: URL, rounds: Int) throws -> [[String]] {
            let kinds = ["providers", "curl", "AsyncHTTPClient"]
            var kilobytes: [String: [Double]] = [:]
            for _ in 0..<rounds {
                for kind in kinds {
                    let numbers = try Subprocess.numbers(["memory", kind, url.absoluteString])
                    guard numbers.count == 2, numbers[1] > 0 else { throw URLError(.unknown) }
                    kilobytes[kind, default: []].append(numbers[0] * 1000 / numbers[1])
                }
            }
            return kinds.map { kind in
                let text = kind == "providers" ? "an idle provider" : "an idle connection of \(connections), \(kind)"
                return [text, Benchmarks.median(kilobytes[kind] ?? []).formatted(1) + " kB"]
            }
        }

        /// Performs one measurement in its own process; prints the megabytes, and the number of providers or
        /// connections.
        static func perform(_ arguments: [String]) async throws {
            guard arguments.count == 2, let url = URL(string: arguments[1]), let port = url.port else {
                throw URLError(.badURL)
            }
            // Separate hosts, because connections to one host are limited.
            let hosts = (0..<connections / connectionsPerHost).map { "http://127.0.0.\($0 + 1):\(port)" }
            switch arguments[0] {
            case "providers": try await performWithProviders(url)
            case "curl":
                // A transport has at most 512 connections.
                let transports = [try CurlTransport(threads: 1), try CurlTransport(threads: 1)]
                let providers = transports.map { MoyaProvider<Root>(transport: $0) }
                try await perform(hosts) { host, path in
                    guard let url = URL(string: host), let index = hosts.firstIndex(of: host) else {
                        throw URLError(.badURL)
                    }
                    return try await providers[index % 2].response(Root(baseURL: url, path: path)).data.count
                }
            default:
                var configuration = HTTPClient.Configuration()
                configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionsPerHost
                let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
                try await perform(hosts) { host, path in
                    let request = HTTPClientRequest(url: host + path)
                    let response = try await client.execute(request, timeout: .seconds(60))
                    return try await response.body.collect(upTo: 1 << 20).readableBytes
                }
                try await client.shutdown()
            }
        }

        private static func performWithProviders(_ url: URL) async throws {
            let transport = try CurlTransport(threads: 1)
            _ = try await MoyaProvider<Root>(transport: transport).response(Root(baseURL: url, path: "/"))
            let before = Subprocess.memory("VmRSS")
            let all = (0..<providers).map { _ in MoyaProvider<Root>(transport: transport) }
            print(Subprocess.memory("VmRSS") - before, all.count)
        }

        /// Opens connections with requests that run concurrently, and leaves them open.
        private static func perform(
            _ hosts: [String], _ length: @escaping @Sendable (_ host: String, _ path: String) async throws -> Int
        ) async throws {
            _ = try await length(hosts[0], "/")
            let before = Subprocess.memory("VmRSS")
            let sockets = try openFiles()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<connections {
                    group.addTask { _ = try await length(hosts[number % hosts.count], "/slow") }
                }
                try await group.waitForAll()
            }
            print(Subprocess.memory("VmRSS") - before, try openFiles() - sockets)
        }

        private static func openFiles() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
    }
#endif
