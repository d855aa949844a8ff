#if os(Linux) && !MOYA_SANITIZER
    import Foundation
    import Moya
    import MoyaTesting
    import TestSupport
    import Testing

    /// This test does not run with the thread sanitizer, with which each process takes seconds.
    @Suite(.queued, .timeLimit(.minutes(10))) struct SocketErrorTests {
        @Test("without free file descriptors, the error says so instead of blaming the server")
        func noDescriptors() async {
            await #expect(processExitsWith: .exitCode(42)) { [reason = "Too many open files" as String] in
                let server = try LoopbackServer { .echo($0) }
                let transport = try CurlTransport(proxy: .direct, threads: 1)
                // Opens the descriptors of the transport's thread.
                _ = try await transport.exchange(TransportRequest(method: .get, url: server.url))
                let other = try LoopbackServer { .echo($0) }
                useAllDescriptors()
                let result = try await transport.exchange(TransportRequest(method: .get, url: other.url))
                let error = try #require(result.error)
                let isNamed = error.localizedDescription.contains(reason)
                exit(isNamed && error.code == .cannotConnectToHost ? 42 : 1)
            }
        }
    }

    extension SocketErrorTests {
        @Test("the default transport is created when it can be, although it could not be before")
        func triesAgain() async {
            await #expect(processExitsWith: .exitCode(42)) {
                let server = try LoopbackServer { .echo($0) }
                _ = DispatchScheduler.background.schedule(after: .seconds(60)) {}
                let held = useAllDescriptors()
                let request = try TransportRequest(method: .get, url: server.url)
                let failed = try await ProviderConfiguration().transport.exchange(request)
                for descriptor in held { close(descriptor) }
                let succeeded = try await ProviderConfiguration().transport.exchange(request)
                exit(failed.error != nil && succeeded.error == nil ? 42 : 1)
            }
        }

        @Test("a loopback server accepts connections again when descriptors are free")
        func acceptsAgain() async {
            await #expect(processExitsWith: .exitCode(42)) {
                let server = try LoopbackServer { .echo($0) }
                let transport = try CurlTransport(proxy: .direct, threads: 1)
                let other = try LoopbackServer { .echo($0) }
                _ = try await transport.exchange(TransportRequest(method: .get, url: other.url))
                var held = useAllDescriptors()
                // The client gets a descriptor, and the server none.
                close(held.removeLast())
                let provider = MoyaProvider<Local>(
                    transport: transport, timeouts: Timeouts(total: .milliseconds(500)))
                let error = await #expect(throws: MoyaError.self) { try await provider.response(Local(server)) }
                for descriptor in held { close(descriptor) }
                let result = try await transport.exchange(TransportRequest(method: .get, url: server.url))
                exit(error?.kind == .timeout && result.error == nil ? 42 : 1)
            }
        }
    }

    /// Opens descriptors until no other can be opened; the limit is lowered to 256.
    @discardableResult
    private func useAllDescriptors() -> [Int32] {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        unsafe getrlimit(resource, &limit)
        limit.rlim_cur = 256
        unsafe setrlimit(resource, &limit)
        var held: [Int32] = []
        while case let descriptor = dup(STDERR_FILENO), descriptor >= 0 { held.append(descriptor) }
        return held
    }
#endif
