import Foundation
import TestSupport
import Testing

@testable import Moya

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests that user code has changed on their way.
@Suite("Changed requests", .queued, .timeLimit(.minutes(10)))
struct ChangedRequestTests {
    private struct Breaking: RequestPlugin {
        func prepare(_ request: inout TransportRequest, target: any RelativeTarget) {
            request.headers["X-Broken"] = "a\nb"
        }
    }

    private struct Stamp: RequestPlugin {
        let name: String
        func prepare(_ request: inout TransportRequest, target: any RelativeTarget) {
            request.headers["X-Trace"] = (request.headers["X-Trace"] ?? "") + name
        }
    }

    private struct MoyaStamp: PluginType {
        let name: String
        func prepare(_ request: URLRequest, target: any RelativeTarget) -> URLRequest {
            var request = request
            request.setValue(
                (request.value(forHTTPHeaderField: "X-Trace") ?? "") + name, forHTTPHeaderField: "X-Trace")
            return request
        }
    }

    @Test("no transport sees what a plugin or an interceptor has broken")
    func refusedByTheProvider() async {
        let transport = SilentOrigin()
        let breaking = AsyncInterceptor(adapt: { request, _ in
            var request = request
            request.method = "G T"
            return request
        })
        for provider in [
            MoyaProvider<MyService>(transport: transport, plugins: [Breaking()]),
            MoyaProvider<MyService>(transport: transport, interceptors: [breaking]),
        ] {
            let error = await #expect(throws: MoyaError.self) { try await provider.response(.zen) }
            expectEqual(error?.kind, .request)
        }
        expectEqual(transport.count, 0)
    }

    @Test("a transport refuses what a transport around it has broken", arguments: TransportKind.allCases)
    func refusedByTheTransport(_ kind: TransportKind) async throws {
        struct Around: Transport {
            let base: any Transport
            var capabilities: TransportCapabilities { base.capabilities }
            func start(
                _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
            ) -> any TransportExchange {
                var request = request
                request.headers["X-Broken"] = "a\nb"
                return base.start(request, receive: receive)
            }
        }
        let provider = MoyaProvider<MyService>(transport: Around(base: try kind.make()))
        let error = await #expect(throws: MoyaError.self) { try await provider.response(.zen) }
        expectEqual(error?.kind, .request)
        #expect(error?.description.contains("X-Broken") == true)
    }

    @Test("plugins that take either form of a request change it one after the other")
    func mixedPlugins() async throws {
        let sent = Box<[String?]>([])
        let provider = MoyaProvider<MyService>(
            transport: StubTransport { request in
                sent.change { $0.append(request.headers["X-Trace"]) }
                return .status(200)
            },
            plugins: [
                Stamp(name: "1"), MoyaStamp(name: "2"), MoyaStamp(name: "3"), Stamp(name: "4"), MoyaStamp(name: "5"),
            ])
        _ = try await provider.response(.zen)
        expectEqual(sent.value, ["12345"])
    }

    #if DEBUG
        @Test("a debug build says once that the cookies of a server are not stored, unless there is a jar")
        func cookies() async throws {
            let hints = Log()
            DebugHint.observers.append { if $0.contains("cookies.example") { hints.add($0) } }
            let url = try #require(URL(string: "https://cookies.example/"))
            let transport = StubTransport { _ in .status(200, headers: ["Set-Cookie": "a=b"]) }
            for jar in [CookieJar(), nil, nil] {
                let provider = MoyaProvider<MultiTarget>(baseURL: url, transport: transport, cookies: jar)
                _ = try await provider.response(Untyped())
                expectEqual(hints.entries.isEmpty, jar != nil)
            }
            expectEqual(hints.entries.count, 1)
        }

        private struct Untyped: RelativeTarget {
            let path = "/"
        }
    #endif
}
