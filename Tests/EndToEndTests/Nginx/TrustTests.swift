import TestSupport

#if os(Linux)
    import Foundation
    import MoyaStreams
    import Testing

    /// Trust policies with servers whose certificates are valid or invalid.
    @Suite(.enabled(if: address("MOYA_TLS_GOOD") != nil), .queued, .timeLimit(.minutes(10)))
    struct TrustTests {
        private func pin() throws -> String {
            String(decoding: try tlsFile("pin.txt"), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }

        private func policy() throws -> ServerTrustPolicy { ServerTrustPolicy(authorities: [try tlsFile("ca.pem")]) }

        private func result(_ server: String, _ trust: ServerTrustPolicy) async throws -> Result<Response, MoyaError> {
            let provider = MoyaProvider<MultiTarget>(
                baseURL: address(server), transport: try CurlTransport(trust: trust))
            do throws(MoyaError) {
                return .success(try await provider.response(Page(path: "/zen.txt")))
            } catch {
                return .failure(error)
            }
        }

        /// Returns the status code of a response, or the kind of the error.
        private func outcome(_ server: String, _ trust: ServerTrustPolicy) async throws -> String {
            switch try await result(server, trust) {
            case .success(let response): "\(response.statusCode)"
            case .failure(let error): "\(error.kind)"
            }
        }

        /// Returns the text of the error; empty for a response.
        private func reason(_ server: String, _ trust: ServerTrustPolicy) async throws -> String {
            if case .failure(let error) = try await result(server, trust) { error.description } else { "" }
        }

        @Test("an additional authority is trusted, except for certificates that are expired or of another host")
        func authorities() async throws {
            try await expectEqual(outcome("MOYA_TLS_GOOD", policy()), "200")
            try await expectEqual(outcome("MOYA_TLS_GOOD", .system), "tls")
            try await expectEqual(outcome("MOYA_TLS_EXPIRED", policy()), "tls")
            try await expectEqual(outcome("MOYA_TLS_OTHER", policy()), "tls")
            try await expectEqual(outcome("MOYA_HTTPS", policy()), "tls")
            var alone = try policy()
            alone.trustsSystemAuthorities = false
            try await expectEqual(outcome("MOYA_TLS_GOOD", alone), "200")
        }

        @Test("a request that fails before it is sent does not affect the trust of the next one")
        func afterAFailedStart() async throws {
            let transport = try CurlTransport(trust: policy(), threads: 1)
            let unreadable = RequestBody.stream(length: nil) { _ in throw URLError(.cannotOpenFile) }
            let isOver = Promise<Void>()
            let exchange = transport.start(
                try TransportRequest(
                    method: .post, url: try #require(URL(string: "http://127.0.0.1:9/")), body: unreadable)
            ) { events in
                if events.outcome != nil { isOver.fulfill(()) }
            }
            try await isOver.value()
            withExtendedLifetime(exchange) {}
            let provider = MoyaProvider<MultiTarget>(baseURL: address("MOYA_TLS_GOOD"), transport: transport)
            try await expectEqual(provider.response(Page(path: "/zen.txt")).statusCode, 200)
        }

        @Test("the certificate must match one of the pins; hosts without pins need none")
        func pins() async throws {
            let wrong = Data(repeating: 7, count: 32).base64EncodedString()
            var policy = try policy()
            policy.pins = ["localhost": [try pin()]]
            try await expectEqual(outcome("MOYA_TLS_GOOD", policy), "200")
            policy.pins = ["LOCALHOST": [wrong, try pin()]]
            try await expectEqual(outcome("MOYA_TLS_GOOD", policy), "200")
            policy.pins = ["localhost": [wrong]]
            try await expectEqual(outcome("MOYA_TLS_GOOD", policy), "tls")
            #expect(
                try await reason("MOYA_TLS_GOOD", policy).contains("none of the pins of localhost (\(wrong)). Someone"))
            policy.pins = ["elsewhere.example": [wrong]]
            try await expectEqual(outcome("MOYA_TLS_GOOD", policy), "200")
            // A matching pin does not replace a trusted authority.
            try await expectEqual(outcome("MOYA_TLS_GOOD", ServerTrustPolicy(pins: ["localhost": [try pin()]])), "tls")
        }

        @Test("a client certificate is sent to a server that requests one")
        func identity() async throws {
            var policy = try policy()
            try await expectEqual(outcome("MOYA_TLS_CLIENT", policy), "400")
            policy.identity = ServerTrustPolicy.ClientIdentity(
                certificates: try tlsFile("client.pem"), privateKey: try tlsFile("client.key"))
            try await expectEqual(outcome("MOYA_TLS_CLIENT", policy), "200")
        }

        @Test("a client whose certificate is missing or refused has an error of TLS, although TLS 1.3 reports it late")
        func refusedIdentity() async throws {
            var policy = try policy()
            try await expectEqual(outcome("MOYA_TLS_DEMAND", policy), "tls")
            #expect(try await reason("MOYA_TLS_DEMAND", policy).contains("certificate required"))
            policy.identity = ServerTrustPolicy.ClientIdentity(
                certificates: try tlsFile("unknown.pem"), privateKey: try tlsFile("unknown.key"))
            try await expectEqual(outcome("MOYA_TLS_DEMAND", policy), "tls")
            policy.identity = ServerTrustPolicy.ClientIdentity(
                certificates: try tlsFile("client.pem"), privateKey: try tlsFile("client.key"))
            try await expectEqual(outcome("MOYA_TLS_DEMAND", policy), "200")
        }

        @Test("authorities and identities that cannot be read are the fault of the policy, and not of the server")
        func unreadablePolicies() async throws {
            var policy = try policy()
            policy.identity = ServerTrustPolicy.ClientIdentity(
                certificates: try tlsFile("client.pem"), privateKey: try tlsFile("unknown.key"))
            try await expectEqual(outcome("MOYA_TLS_DEMAND", policy), "tls")
            #expect(try await reason("MOYA_TLS_DEMAND", policy).contains("the identity of ServerTrustPolicy"))
            policy.identity = nil
            policy.authorities = [Data("-----BEGIN CERTIFICATE-----\nMIIAAQA=\n-----END CERTIFICATE-----\n".utf8)]
            #expect(try await reason("MOYA_TLS_DEMAND", policy).contains("the authorities of ServerTrustPolicy"))
        }

        @Test("a version of TLS below the minimum of the policy is rejected")
        func versions() async throws {
            var policy = try policy()
            try await expectEqual(outcome("MOYA_TLS_OLD", policy), "200")
            policy.minimumTLSVersion = .tls13
            try await expectEqual(outcome("MOYA_TLS_OLD", policy), "tls")
            try await expectEqual(outcome("MOYA_TLS_GOOD", policy), "200")
        }
    }
#endif
