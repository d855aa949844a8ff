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

    /// Opens descriptors until no other can be opened; the limit is lowered to 256.
    private func useAllDescriptors() {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        unsafe getrlimit(resource, &limit)
        limit.rlim_cur = 256
        unsafe setrlimit(resource, &limit)
        while dup(STDERR_FILENO) >= 0 {}
    }
#endif
