import Foundation
import MoyaStreams
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Basic, Digest and token authentication, checked by a third-party server.
@Suite(.enabled(if: address("MOYA_HTTPBIN") != nil), .queued, .timeLimit(.minutes(10)))
struct AuthenticationTests {
    private func status(_ kind: TransportKind, _ path: String, password: String?) async throws -> Int {
        let plugin = CredentialsPlugin { _ in
            password.map { URLCredential(user: "ash", password: $0, persistence: .none) }
        }
        return try await kind.provider("MOYA_HTTPBIN", plugins: [plugin]).response(Page(path: path)).statusCode
    }

    @Test(
        "credentials are sent after a challenge; without correct ones, the challenge is the response",
        arguments: TransportKind.allCases)
    func basic(_ kind: TransportKind) async throws {
        let path = "/basic-auth/ash/pikachu"
        try await expectEqual(status(kind, path, password: "pikachu"), 200)
        try await expectEqual(status(kind, path, password: "raichu"), 401)
        try await expectEqual(status(kind, path, password: nil), 401)
        // The server sends no challenge, so the client sends no credentials.
        try await expectEqual(status(kind, "/hidden-basic-auth/ash/pikachu", password: "pikachu"), 404)
    }

    @Test(
        "Digest challenges with MD5 and SHA-256 are answered; auth-int is an error",
        arguments: TransportKind.allCases)
    func digest(_ kind: TransportKind) async throws {
        for algorithm in ["MD5", "SHA-256"] {
            for protection in ["auth", "any"] {
                let path = "/digest-auth/\(protection)/ash/pikachu/\(algorithm)"
                try await expectEqual(status(kind, path, password: "pikachu"), 200)
                try await expectEqual(status(kind, path, password: "raichu"), 401)
            }
        }
        let error = await #expect(throws: MoyaError.self) {
            try await status(kind, "/digest-auth/auth-int/ash/pikachu/MD5", password: "pikachu")
        }
        #expect(error?.description.contains("auth-int") == true)
        try await expectEqual(status(kind, "/digest-auth/auth/ash/pikachu/SHA-512", password: "pikachu"), 401)
    }

    @Test("a token is sent if the target requires one", arguments: TransportKind.allCases)
    func bearer(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_HTTPBIN", plugins: [AccessTokenPlugin { _ in "s3cret" }])
        let allowed = try await provider.response(Page(path: "/bearer", authorizationType: .bearer))
        try expectEqual(allowed.mapString(atKeyPath: "token"), "s3cret")
        try await expectEqual(provider.response(Page(path: "/bearer")).statusCode, 401)
    }
}
