#if os(Linux)
    import Foundation
    import FoundationNetworking
    import Moya
    import MoyaTesting
    import TestSupport
    import Testing

    @Suite(.serialized, .queued, .timeLimit(.minutes(10))) struct HostileProviderTests {
        /// All families except two, which `HostileServerTests` covers.
        private static let families = HostileFamily.all.filter { !["cut head", "mutation"].contains($0.name) }

        @Test("each hostile response has one outcome for a call, also with deadlines", arguments: families)
        func call(_ family: HostileFamily) async throws {
            let complaints = try await complaints(family) { provider, target, hostile in
                let outcomes = Log()
                let promise = Promise<Result<Response, MoyaError>>()
                provider.request(target) { result in
                    outcomes.add("\(result)")
                    promise.fulfill(result)
                }
                let result = try await promise.value()
                let problem = hostile.complaint(about: result.map { ($0.statusCode, $0.data) }, hostile.followed)
                return outcomes.entries.count == 1 ? problem : "\(hostile): \(outcomes.entries.count) outcomes"
            }
            expectEqual(complaints, [])
        }

        @Test("each hostile response has one outcome for a reader of its content", arguments: families)
        func stream(_ family: HostileFamily) async throws {
            let complaints = try await complaints(family) { provider, target, hostile in
                var status = 0
                var content = Data()
                var observed: Result<(Int, Data), MoyaError>
                do {
                    let response = try await provider.streamedResponse(target)
                    status = response.statusCode
                    for try await chunk in response { content += chunk }
                    observed = .success((status, content))
                } catch let error as MoyaError {
                    observed = .failure(error)
                }
                // A reader does not receive the content of a response that validation refuses.
                if case .success((400..., _)) = observed, case .response(status, _) = hostile.followed { return nil }
                return hostile.complaint(about: observed, hostile.followed)
            }
            expectEqual(complaints, [])
        }

        @Test("the decoded content of a compression bomb does not exceed the limit")
        func bomb() async throws {
            let server = try HostileServer(HostileFamily.encodings.responses.filter { $0.variant == "bomb" })
            defer { server.stop() }
            let place = try #require(server.responses.indices.first)
            let provider = MoyaProvider<HostileTarget>(transport: try CurlTransport(), maximumResponseSize: 100_000)
            let target = HostileTarget(baseURL: server.url, path: "/\(place)/bomb")
            let error = await #expect(throws: MoyaError.self) { try await provider.response(target) }
            expectEqual(error?.kind, .badResponse)
        }

        private func complaints(
            _ family: HostileFamily,
            _ attempt:
                @escaping @Sendable (
                    MoyaProvider<HostileTarget>, HostileTarget, HostileResponse
                ) async throws -> String?
        ) async throws -> [String] {
            let server = try HostileServer(family)
            defer { server.stop() }
            let credentials = CredentialsPlugin { _ in URLCredential(user: "a", password: "b", persistence: .none) }
            let provider = MoyaProvider<HostileTarget>(
                transport: try CurlTransport(), plugins: [credentials], cookies: CookieJar())
            return try await withThrowingTaskGroup(of: String?.self) { group in
                for (place, hostile) in server.responses.enumerated() {
                    var target = HostileTarget(baseURL: server.url, path: "/\(place)/x", method: hostile.method)
                    // Valid responses may take longer on a busy machine.
                    let idle: Duration = hostile.followed == .nothing ? .milliseconds(300) : .seconds(60)
                    target.options.timeouts = Timeouts(idle: idle)
                    group.addTask { [target] in try await attempt(provider, target, hostile) }
                }
                return try await group.reduce(into: []) { list, complaint in
                    if let complaint { list.append(complaint) }
                }
            }
        }
    }

    struct HostileTarget: TargetType {
        let baseURL: URL
        let path: String
        var method = HTTPMethod.get
        var options = RequestOptions()
        var task: RequestTask { .requestPlain }
        var headers: [String: String]? { nil }
    }
#endif
