import Foundation
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct AuthenticationTaskTests {
    private typealias Thing = AuthenticationInterceptorTests.Thing

    enum CurrentUser {
        @TaskLocal static var name: String?
    }

    @Test("requests that wait for a refresh do not see the task-local values of the one that started it")
    func taskLocalValues() async throws {
        let (waiting, users) = (Box(0), Box<[String: String?]>([:]))
        let interceptor = AuthenticationInterceptor(
            credential: 1, apply: { $1.headers["Authorization"] = "\($0)" },
            isStale: { credential in
                if credential == 1 { waiting.change { $0 += 1 } }
                return credential == 1
            },
            refresh: { _ in
                try await until { waiting.value == 3 }
                return 2
            })
        let origin = ScriptedOrigin { _, _ in (200, [:], "") }
        let provider = MoyaProvider<Thing>(
            transport: origin, plugins: [Preparing { users.value[$0] = CurrentUser.name }], interceptors: [interceptor])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in ["ash", "brock", "misty"] {
                group.addTask {
                    try await CurrentUser.$name.withValue(name) {
                        try await expectEqual(provider.response(Thing(path: name)).statusCode, 200)
                    }
                }
            }
            try await group.waitForAll()
        }
        expectEqual(users.value, ["/ash": nil, "/brock": nil, "/misty": nil])
    }

    @Test("the limit of refreshes is measured with the virtual clock of the provider")
    func virtualClock() async throws {
        let time = VirtualTime()
        let (count, isExpired) = (Box(0), Box(true))
        let bearer = AuthenticationInterceptor<String>.bearer(token: "0") {
            count.change { $0 += 1 }
            isExpired.value = false
            return "\(count.value)"
        }
        let provider = MoyaProvider<Thing>(
            transport: ScriptedOrigin { _, _ in (isExpired.value ? 401 : 200, [:], "") }, interceptors: [bearer],
            scheduler: time)
        for hour in 1...8 {
            isExpired.value = true
            let recording = time.record(Observable(task: { try await provider.response(Thing()).statusCode }))
            time.advance(by: .seconds(3600))
            expectEqual(recording.elements, [200], "hour \(hour)")
        }
        expectEqual(count.value, 8)
    }

    private struct Preparing: RequestPlugin {
        let receive: @Sendable (String) -> Void

        func prepare(_ request: inout TransportRequest, target: any RelativeTarget) { receive(request.url.path) }
    }
}
