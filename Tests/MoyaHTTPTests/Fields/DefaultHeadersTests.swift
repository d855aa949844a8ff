import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@testable import MoyaHTTP

/// The header fields that a provider adds to requests.
@Suite(.queued, .timeLimit(.minutes(10))) struct DefaultHeadersTests {
    private func headers(
        _ kind: TransportKind, _ provider: (any Transport) -> MoyaProvider<Local>, own: [String: String]?
    )
        async throws -> HTTPHeaders
    {
        let server = try LoopbackServer { _ in .text("") }
        defer { server.stop() }
        _ = try await provider(try kind.make()).response(Local(server, headers: own))
        return try #require(server.requests.first).headers
    }

    @Test("each transport sends the same User-Agent and Accept-Language", arguments: TransportKind.allCases)
    func areSent(_ kind: TransportKind) async throws {
        let sent = try await headers(kind, { MoyaProvider<Local>(transport: $0) }, own: nil)
        expectEqual(sent.values(for: "User-Agent"), [HTTPHeaders.default["User-Agent"]])
        expectEqual(sent.values(for: "Accept-Language"), [HTTPHeaders.default["Accept-Language"]])
        #expect(sent["User-Agent"]?.contains("Moya/1.0 (") == true)
    }

    @Test(
        "header fields of the target take precedence, and a provider can have other default fields",
        arguments: TransportKind.allCases)
    func takePrecedence(_ kind: TransportKind) async throws {
        let own = try await headers(
            kind, { MoyaProvider<Local>(transport: $0) }, own: ["user-agent": "mine/1", "Accept-Language": "de"])
        expectEqual(own.values(for: "User-Agent"), ["mine/1"])
        expectEqual(own.values(for: "Accept-Language"), ["de"])
        let other = try await headers(
            kind, { MoyaProvider<Local>(transport: $0, defaultHeaders: ["X-App": "shop"]) }, own: nil)
        expectEqual(other["X-App"], "shop")
    }

    @Test("without default fields, the curl transport sends none")
    func none() async throws {
        guard let curl = TransportKind.allCases.first(where: { $0.rawValue == "curl" }) else { return }
        let sent = try await headers(
            curl, { MoyaProvider<Local>(transport: $0, defaultHeaders: [:]) }, own: nil)
        #expect(sent["User-Agent"] == nil)
        #expect(sent["Accept-Language"] == nil)
    }

    @Test(
        "at most six languages are listed, with decreasing weights",
        arguments: [
            (["de-AT", "en"], "de-AT, en;q=0.9"), ([], "*"), (["en_001", "", "x y"], "en-001"),
            (["a", "b", "c", "d", "e", "f", "g"], "a, b;q=0.9, c;q=0.8, d;q=0.7, e;q=0.6, f;q=0.5"),
        ])
    func languages(_ row: (languages: [String], field: String)) {
        expectEqual(HTTPHeaders.acceptLanguage(row.languages), row.field)
    }
}
