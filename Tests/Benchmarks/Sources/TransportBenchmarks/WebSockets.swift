import Foundation
import MallocCounter
import Measuring
import MoyaStreams
import MoyaTesting
import MoyaWebSocket

#if os(Linux)
    /// The messages per second, processor time and allocations of WebSockets, and the memory of idle ones.
    ///
    /// The peers are the client of the Python package websockets, in a process of its own, and one of SwiftNIO, in this
    /// process. All clients use the same servers: the one at the address in `MOYA_WS`, which
    /// `Tests/EndToEndTests/serve` starts, and a `LoopbackServer` in another process.
    enum WebSockets {
        private struct Load: Sendable {
            let messages: Double
            let seconds: Double
            let processorSeconds: Double
            var serverSeconds = 0.0
            var mallocs = 0.0

            var perSecond: Double { messages / seconds }
        }

        private struct Workload {
            let server: EchoServer
            let mode: String
            let size: Int
            var loads: [String: [Load]] = [:]

            var name: String {
                "\(mode), \(size < 1024 ? "\(size) B" : size < 1 << 20 ? "\(size >> 10) KiB" : "\(size >> 20) MiB")"
            }
        }

        private struct Root: TargetType {
            let baseURL: URL
            var path: String { "" }
        }

        private static let contenders = ["ours", "SwiftNIO", "websockets"]
        private static let sizes = [16, 1 << 10, 1 << 20]
        private static let time = 0.6
        /// The server in `MOYA_WS` requires its subprotocol.
        private static let socketOptions = WebSocketOptions(subprotocols: ["echo"])
        private static let idleSockets = 1000

        /// Without arguments, measures and prints the tables; `serve` and `memory` are for processes of their own.
        static func perform(_ arguments: [String], _ options: Options) async throws {
            switch (arguments.first, arguments.dropFirst().first.flatMap { URL(string: $0) }) {
            case ("serve", _): try serve()
            case ("memory", let url?): try await printMemory(url)
            default:
                let address = ProcessInfo.processInfo.environment["MOYA_WS"] ?? ""
                guard let url = URL(string: address), url.scheme == "ws" else {
                    throw URLError(.badURL, userInfo: [NSLocalizedDescriptionKey: "MOYA_WS is not the URL of a server"])
                }
                try await measure(url, options)
            }
        }

        private static func measure(_ url: URL, _ options: Options) async throws {
            let loopback = try EchoServer()
            defer { loopback.stop() }
            let servers = [EchoServer(url), loopback]
            var workloads = servers.flatMap { server in
                ["echo", "pipelined"].flatMap { mode in
                    sizes.map { Workload(server: server, mode: mode, size: $0) }
                }
            }
            if let part = options.part { workloads.removeAll { !"\($0.server.name), \($0.name)".contains(part) } }
            let chosen = contenders.filter { options.contender == nil || options.contender == $0 }
            for round in 0...options.rounds {
                for index in workloads.indices {
                    for contender in chosen {
                        let load = try await measure(workloads[index], contender)
                        if round > 0 { workloads[index].loads[contender, default: []].append(load) }
                    }
                }
            }
            let header = [
                "server", "messages", "ours/s", "of SwiftNIO", "of websockets", "CPU µs", "of SwiftNIO",
                "of websockets", "mallocs", "SwiftNIO", "busy: ours", "server", "busy: SwiftNIO", "server",
                "busy: websockets", "server",
            ]
            print(Benchmarks.table(header, workloads.map(row), isMarkdown: options.isMarkdown))
            guard options.part == nil, options.contender == nil else { return }
            let memory = try memory(url, rounds: options.rounds)
            print(Benchmarks.table(["memory", "of each"], memory, isMarkdown: options.isMarkdown))
        }

        private static func row(_ workload: Workload) -> [String] {
            func median(_ contender: String, _ value: (Load) -> Double) -> Double {
                workload.loads[contender].map { Benchmarks.median($0.map(value)) } ?? .nan
            }
            func ratios(_ value: (Load) -> Double) -> [String] {
                contenders.dropFirst().map { contender in
                    guard let ours = workload.loads["ours"], let theirs = workload.loads[contender] else { return "-" }
                    return Benchmarks.median(zip(ours, theirs).map { value($0) / value($1) }).formatted(2) + "x"
                }
            }
            func mallocs(_ contender: String) -> String {
                median(contender) { $0.mallocs / $0.messages }.formatted(1)
            }
            let busy = contenders.flatMap { contender in
                [\Load.processorSeconds, \.serverSeconds].map { seconds in
                    (median(contender) { $0[keyPath: seconds] / $0.seconds } * 100).formatted(0) + " %"
                }
            }
            let cells = [workload.server.name, workload.name, median("ours", \.perSecond).formatted(0)]
            let processor = median("ours") { $0.processorSeconds / $0.messages * 1e6 }.formatted(1)
            return cells + ratios(\.perSecond) + [processor] + ratios { $0.processorSeconds / $0.messages }
                + [mallocs("ours"), mallocs("SwiftNIO")] + busy
        }

        // MARK: Clients

        private static func measure(_ workload: Workload, _ contender: String) async throws -> Load {
            let server = workload.server.processorTime
            var load: Load
            switch contender {
            case "ours": load = try await measureOurs(workload)
            case "SwiftNIO":
                load = try await NIOWebSocket.open(workload.server.url) { socket in
                    let work = workload.mode == "echo" ? socket.echo : socket.pipelined
                    return try await measure { try await work(workload.size, $0) }
                }
            default:
                let url = workload.server.url.absoluteString
                let numbers = try python([url, workload.mode, "\(workload.size)", "\(time)"])
                guard numbers.count == 3 else { throw URLError(.cannotParseResponse) }
                load = Load(messages: numbers[0], seconds: numbers[1], processorSeconds: numbers[2])
            }
            load.serverSeconds = workload.server.processorTime - server
            return load
        }

        private static func measureOurs(_ workload: Workload) async throws -> Load {
            let provider = MoyaProvider<Root>(transport: try CurlTransport(threads: 1))
            let socket = try await provider.webSocket(Root(baseURL: workload.server.url), options: socketOptions)
            let work = workload.mode == "echo" ? echo : pipelined
            let load = try await measure { try await work(socket, workload.size, $0) }
            await socket.close()
            return load
        }

        /// Measures a client in this process, which sends messages until a time and returns their number.
        private static func measure(_ work: (ContinuousClock.Instant) async throws -> Int) async rethrows -> Load {
            tidy_allocations()
            let (begin, processor, mallocs) = (ContinuousClock.now, Host.processorTime(), allocation_count())
            let count = try await work(begin + .seconds(time))
            return Load(
                messages: Double(count), seconds: (ContinuousClock.now - begin) / .seconds(1),
                processorSeconds: Host.processorTime() - processor, mallocs: Double(allocation_count() - mallocs))
        }

        /// Sends each message after the answer to the one before.
        private static func echo(
            _ socket: WebSocket, _ size: Int, _ end: ContinuousClock.Instant
        ) async throws -> Int {
            let message = WebSocketMessage.data(Data(count: size))
            var count = 0
            var answers = socket.messages.makeAsyncIterator()
            while ContinuousClock.now < end {
                try await socket.send(message)
                guard case .data(let answer)? = try await answers.next(), answer.count == size else {
                    throw URLError(.badServerResponse)
                }
                count += 1
            }
            return count
        }

        /// Sends messages in one task, and receives the answers in another.
        private static func pipelined(
            _ socket: WebSocket, _ size: Int, _ end: ContinuousClock.Instant
        ) async throws -> Int {
            let message = WebSocketMessage.data(Data(count: size))
            let sending = Task {
                while ContinuousClock.now < end { try await socket.send(message) }
                try await socket.send(.text("end"))
            }
            var count = 0
            for try await answer in socket.messages {
                guard case .data = answer else { break }
                count += 1
            }
            try await sending.value
            return count
        }

        /// Runs the client of the package websockets and returns the numbers that it prints.
        private static func python(_ arguments: [String]) throws -> [Double] {
            let tests = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
            let script = tests.appending(path: "Benchmarks/Scripts/websockets_client.py").path
            let packages = tests.appending(path: "../.build/endtoend/packages").standardizedFileURL.path
            let command = ["PYTHONPATH=\(packages)", "python3", script]
            return try Subprocess.numbers(command + arguments, of: URL(filePath: "/usr/bin/env"))
        }

        // MARK: Memory

        private static func memory(_ url: URL, rounds: Int) throws -> [[String]] {
            var kilobytes: [String: [Double]] = [:]
            for _ in 0..<rounds {
                let ours = try Subprocess.numbers(["websockets", "memory", url.absoluteString])
                let theirs = try python([url.absoluteString, "memory", "\(idleSockets)"])
                guard ours.count == 3, theirs.count == 2 else { throw URLError(.cannotParseResponse) }
                kilobytes["ours, resident", default: []].append(ours[0] / ours[2])
                kilobytes["ours, allocated", default: []].append(ours[1] / ours[2])
                kilobytes["websockets, resident", default: []].append(theirs[0] / theirs[1])
            }
            return kilobytes.sorted { $0.key < $1.key }.map { name, values in
                ["an idle socket of \(idleSockets), \(name)", Benchmarks.median(values).formatted(1) + " kB"]
            }
        }

        /// Prints the resident and the allocated kilobytes of all sockets together, and their number.
        private static func printMemory(_ url: URL) async throws {
            let provider = MoyaProvider<Root>(transport: try CurlTransport(threads: 1))
            var sockets = [try await provider.webSocket(Root(baseURL: url), options: socketOptions)]
            let (resident, allocated) = (residentKilobytes(), allocated_bytes())
            while sockets.count <= idleSockets {
                sockets += try await withThrowingTaskGroup(of: WebSocket.self) { group in
                    for _ in 0..<min(50, idleSockets + 1 - sockets.count) {
                        group.addTask { try await provider.webSocket(Root(baseURL: url), options: socketOptions) }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }
            print(residentKilobytes() - resident, Double(allocated_bytes() - allocated) / 1000, idleSockets)
            withExtendedLifetime(sockets) {}
        }

        private static func residentKilobytes() -> Double {
            let statm = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
            let pages = statm.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? .nan
            return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1000
        }

        // MARK: Servers

        /// Prints the URL of a `LoopbackServer` that echoes, and runs it until the standard input ends.
        private static func serve() throws {
            let server = try LoopbackServer { request in
                .webSocket(request) { socket in while let message = socket.receive() { socket.send(message) } }
            }
            FileHandle.standardOutput.write(Data("\(server.url)\n".utf8))
            _ = try FileHandle.standardInput.readToEnd()
            server.stop()
        }
    }
#endif
