#if os(Linux) && !MOYA_SANITIZER
    import Foundation
    import Moya
    import MoyaTesting
    import TestSupport
    import Testing

    /// These tests do not run with the thread sanitizer, with which each process takes seconds.
    @Suite(.serialized, .queued, .timeLimit(.minutes(10))) struct ProcessEndTests {
        @Test("a process may exit during TLS handshakes", arguments: TransportKind.allCases)
        func handshakes(on kind: TransportKind) async {
            for _ in 0..<2 {
                await #expect(processExitsWith: .exitCode(42)) { [name = kind.rawValue as String] in
                    for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV] { signal(number, SIG_DFL) }
                    let transport = try #require(TransportKind(rawValue: name)).make()
                    let server = try LoopbackServer { _ in .text("not TLS") }
                    let port = try #require(server.url.port)
                    let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
                    let request = try TransportRequest(method: .get, url: url)
                    let exchanges = (0..<20).map { _ in Exchanging(request, on: transport) }
                    _ = try await exchanges[0].finished()
                    exit(42)
                }
            }
        }
    }
#endif
