#if os(Linux)
    import Foundation
    import Moya
    import MoyaTesting
    import TestSupport
    import Testing

    /// Responses that end the process in Foundation, for tests of each transport; the article URLSessionOnLinux
    /// describes them.
    enum Fault: String, CaseIterable {
        case trailers, headCutShort, endlessLength

        var reply: LoopbackReply {
            switch self {
            case .trailers: .chunked([Data("all".utf8)], trailers: ["X-Sum": "42"])
            case .headCutShort: .raw("HTTP/1.1 200 OK\r\nContent-Ty")
            case .endlessLength: .raw("HTTP/1.1 200 OK\r\nContent-Length: \(Int64.max)\r\n\r\nall")
            }
        }
    }

    @Suite(.queued, .timeLimit(.minutes(10))) struct FoundationFaultTests {
        @Test("libcurl without a provider has the expected outcome for each response", arguments: Fault.allCases)
        func curl(_ fault: Fault) async throws {
            let server = try LoopbackServer { _ in fault.reply }
            defer { server.stop() }
            let transport = try CurlTransport()
            let result = try await transport.exchange(TransportRequest(method: .get, url: server.url))
            expectEqual(result.outcomes.count, 1)
            expectEqual(result.eventsAfterOutcome, 0)
            let provider = MoyaProvider<Local>(transport: transport)
            if fault == .trailers {
                let response = try await provider.response(Local(server))
                try expectEqual(response.mapString(), "all")
                expectEqual(response.trailers["X-Sum"], "42")
            } else {
                let error = await #expect(throws: MoyaError.self) { try await provider.response(Local(server)) }
                let kind = try #require(error?.kind)
                #expect([.badResponse, .connectionLost].contains(kind))
            }
        }

        // The thread sanitizer does not support tests that expect the end of the process.
        #if !MOYA_SANITIZER
            #if compiler(<6.4)
                private static let mendedInSwift64 = ExitTest.Condition.failure
            #else
                private static let mendedInSwift64 = ExitTest.Condition.success
            #endif

            @Test("trailers end the process in URLSession, up to Swift 6.3")
            func trailers() async {
                await #expect(processExitsWith: Self.mendedInSwift64) { await Subprocess.meet(.trailers) }
            }

            @Test("an incomplete response head ends the process in URLSession, up to Swift 6.3")
            func headCutShort() async {
                await #expect(processExitsWith: Self.mendedInSwift64) { await Subprocess.meet(.headCutShort) }
            }

            @Test("a length of 2^63 - 1 ends the process in URLSession")
            func endlessLength() async {
                await #expect(processExitsWith: .failure) { await Subprocess.meet(.endlessLength) }
            }

            @Test("an ordinary response does not end the process")
            func control() async {
                await #expect(processExitsWith: .success) { await Subprocess.meet(nil) }
            }
        #endif
    }

    #if !MOYA_SANITIZER
        /// An exchange that runs in a separate process.
        private enum Subprocess {
            /// Runs an exchange and returns after its outcome or the time limit; the test expects that the process ends
            /// instead.
            static func meet(_ fault: Fault?) async {
                // The default handlers print no report of an expected crash.
                for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV] { signal(number, SIG_DFL) }
                guard let server = try? LoopbackServer({ _ in fault?.reply ?? .text("all") }),
                    let request = try? TransportRequest(method: .get, url: server.url)
                else { return }
                let outcome = Exchanging(request, on: URLSessionTransport()).outcome
                _ = try? await outcome.value(within: .seconds(30))
                server.stop()
            }
        }
    #endif
#endif
